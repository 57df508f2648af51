// Finds rings in a directed graph of names.
#include "layering/ring.hpp"

#include <algorithm>
#include <set>

namespace regrove::layering {
namespace {

class Walk {
  public:
    explicit Walk(const Graph& graph) : graph_(graph) {}

    void visit(const std::string& name) {
        const auto open = std::find(path_.begin(), path_.end(), name);
        if (open != path_.end()) {
            std::string ring;
            for (auto at = open; at != path_.end(); ++at) ring += *at + " -> ";
            rings_.push_back(ring + name);
            return;
        }
        if (!done_.insert(name).second) return;
        path_.push_back(name);
        if (const auto found = graph_.find(name); found != graph_.end()) {
            for (const auto& next : found->second) visit(next);
        }
        path_.pop_back();
    }

    std::vector<std::string> rings() && { return std::move(rings_); }

  private:
    const Graph& graph_;
    std::vector<std::string> path_;
    std::set<std::string> done_;
    std::vector<std::string> rings_;
};

}  // namespace

std::vector<std::string> find_rings(const Graph& graph) {
    Walk walk(graph);
    for (const auto& entry : graph) walk.visit(entry.first);
    return std::move(walk).rings();
}

}  // namespace regrove::layering
