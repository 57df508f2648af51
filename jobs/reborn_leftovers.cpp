#include "reborn_leftovers.hpp"

#include <filesystem>

#include <nlohmann/json.hpp>

#include "regrove/bornagain/certificate.hpp"
#include "regrove/formats/registry.hpp"

namespace regrove::jobs {

namespace {

bool is_there(const std::string& path) { return !path.empty() && path != "-" && std::filesystem::exists(path); }

bool is_tree(const std::string& path, bornagain::Objective objective) {
    const auto provenance = formats::read_model(path).provenance;
    const auto found = provenance.find("reborn.objective");
    return found != provenance.end() && found->second == bornagain::to_text(objective);
}

bool is_certificate(const std::string& path, bornagain::Objective objective) {
    const auto json = nlohmann::json::parse(formats::read_model_text(path));
    return json.at("certificate") == "born-again tree" && json.at("objective") == bornagain::to_text(objective);
}

}  // namespace

bool are_of_search(const std::string& tree, const std::string& certificate, const std::string& pruned,
                   bornagain::Objective objective) {
    try {
        return (!is_there(tree) || is_tree(tree, objective)) &&
               (!is_there(certificate) || is_certificate(certificate, objective)) &&
               (!is_there(pruned) || is_tree(pruned, objective));
    } catch (const std::exception&) {
        return false;  // whatever it is, it is somebody else's
    }
}

}  // namespace regrove::jobs
