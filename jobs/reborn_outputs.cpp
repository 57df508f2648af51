#include "reborn_outputs.hpp"

#include <filesystem>

#include "regrove/bornagain/certificate.hpp"
#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"

#include "reborn_leftovers.hpp"

namespace regrove::jobs {

namespace {

/// "T.json" gives "T.pruned.json".
std::string pruned_beside(const std::string& output) {
    const std::string certificate = bornagain::default_certificate_path(output);
    const std::string ending = ".certificate.json";
    return certificate.substr(0, certificate.size() - ending.size()) + ".pruned.json";
}

bool is_file(const std::string& path) { return !path.empty() && path != "-"; }

}  // namespace

void RebornOutputs::list_options(OptionTable& table) {
    table.add("output", output_, "the tree (regrove-json); - is standard output").value_name("FILE").no_result();
    table
        .add("certificate", certificate_, "the certificate (JSON); default: beside the output, NAME.certificate.json")
        .value_name("FILE")
        .no_result();
    table
        .add("pruned_output", pruned_,
             "the tree post-pruned to the rows of --data, no longer faithful; default: beside the output, "
             "NAME.pruned.json")
        .value_name("FILE")
        .no_result();
}

void RebornOutputs::check(bool with_data) {
    if (output_.empty()) throw UsageError("--output is missing: name the tree's file");
    if (!with_data && !pruned_.empty())
        throw UsageError("--pruned-output needs --data: the table that the tree is pruned to");
    if (certificate_ == "-" || pruned_ == "-") throw UsageError("only --output may be - (standard output)");
    if (output_ == "-") return;
    if (certificate_.empty()) certificate_ = bornagain::default_certificate_path(output_);
    if (pruned_.empty() && with_data) pruned_ = pruned_beside(output_);
}

void RebornOutputs::open(pipeline::JobContext& context, bool resumed, bornagain::Objective objective) {
    comm::agree_on(context.comm, [&] {
        if (!context.comm.is_root()) return;
        const bool replaces =
            context.overwrite || (resumed && are_of_search(output_, certificate_, pruned_, objective));
        const auto open_one = [&](const std::string& path) {
            return path.empty() ? nullptr : std::make_unique<pipeline::OutputFile>(path, replaces);
        };
        tree_file_ = open_one(output_);
        certificate_file_ = open_one(certificate_);
        pruned_file_ = open_one(pruned_);
    });
}

void RebornOutputs::commit(pipeline::OutputFile* file, const std::string& text) {
    if (file == nullptr) return;
    file->write(text);
    file->commit();
}

bool RebornOutputs::write_bounds(const std::string& text) {
    if (certificate_file_ == nullptr || (is_file(output_) && std::filesystem::exists(output_))) return false;
    write_certificate(text);
    return true;
}

void RebornOutputs::note_certificate(pipeline::Summary& summary) const {
    if (is_file(certificate_)) summary.wrote(certificate_);
}

void RebornOutputs::note_tree(pipeline::Summary& summary) const {
    for (const std::string& path : {output_, certificate_})
        if (is_file(path)) summary.wrote(path);
}

void RebornOutputs::note_pruned(pipeline::Summary& summary) const {
    if (is_file(pruned_)) summary.wrote(pruned_);
}

}  // namespace regrove::jobs
