// One list of classes for several tables, or for parts of one: so that all models of a set of trials have the same.
#pragma once

#include <span>
#include <vector>

#include "regrove/data/table.hpp"
#include "regrove/train/cart_options.hpp"

namespace regrove::dist {

/// Makes the label columns of all tables category columns of one dictionary: integers ascending, else names in the order
/// of the tables' dictionaries. `roles[t]` holds all rows' label of table t (replicate_roles). Leaves labels alone that
/// are learned as numbers, or that the learner will refuse (three or more integers when the criterion does not say what
/// they are). Throws InputError when a table has no label or a label is missing. Communicates nothing.
void unify_class_labels(std::span<data::TableShard> shards, std::span<const data::TableShard> roles,
                        train::Criterion criterion);

}  // namespace regrove::dist
