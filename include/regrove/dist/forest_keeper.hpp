// Who keeps the trees of a forest while it grows, so that it can be stopped and taken up again.
#pragma once

#include <cstdint>
#include <functional>

#include "regrove/model/ensemble.hpp"

namespace regrove::dist {

/// A tree depends on its number alone, so that those that are there are all that going on needs.
class ForestKeeper {
  public:
    virtual ~ForestKeeper() = default;
    /// The first trees of the forest, the same on every rank; null: begin.
    virtual const model::Ensemble* resumed() const = 0;
    /// After a batch of trees; `make_forest`, of all trees so far, is local and is called where they are to be written. True: stop
    /// here. Collective.
    virtual bool stop_after(std::uint64_t trees, const std::function<model::Ensemble()>& make_forest) = 0;
};

}  // namespace regrove::dist
