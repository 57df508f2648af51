// The tables of jobs that fit many models, as their trials take them.
#pragma once

#include <string>
#include <vector>

#include "regrove/core/option_table.hpp"
#include "regrove/dist/trial_table.hpp"
#include "regrove/pipeline/job.hpp"
#include "regrove/train/cart_options.hpp"

namespace regrove::pipeline {

struct TrialSource {
    /// One table; or pairs, a table to learn from and one to judge by, behind each other.
    std::vector<std::string> files;
    std::string target;
    std::string group;  ///< by name or index; empty: as the table says
    std::string fold;
    dist::TrialSpread deal = dist::TrialSpread::automatic;
};

/// --target, --group, --fold and --deal.
void list_options(TrialSource& source, OptionTable& table);

struct TrialTables {
    std::vector<dist::TrialTable> tables;
    dist::TrialSpread spread = dist::TrialSpread::trials;  ///< never automatic
};

/// Reads all files; class labels have the same classes in all tables. In pairs without a label the last column is it.
/// Collective; throws InputError and ConfigError, agreed.
TrialTables load_trial_tables(JobContext& context, const TrialSource& source, train::Criterion criterion);

}  // namespace regrove::pipeline
