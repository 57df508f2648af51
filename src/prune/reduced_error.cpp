// A stack of subtree errors; sums are exact, and rounded once where two are compared.
#include "regrove/prune/reduced_error.hpp"

#include "regrove/core/check.hpp"

namespace regrove::prune {

void ReducedErrorPruning::add(const ExactSum& error) {
    REGROVE_CHECK(next_ > 0);
    --next_;
    const NodeId id{static_cast<std::uint32_t>(next_)};
    if (tree_->node(id).is_leaf()) {
        leaves_error_.merge(error);
        open_.push_back(error);
        return;
    }
    ExactSum subtree = open_.back();
    open_.pop_back();
    subtree.merge(open_.back());
    const bool cut = error.value() <= subtree.value();
    if (cut) cuts_.push_back(id);
    open_.back() = cut ? error : subtree;
}

}  // namespace regrove::prune
