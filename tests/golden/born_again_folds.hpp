// The sixty forests of the BA-Trees experiments with their tables and what the authors' program finds on them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/take_rows.hpp"
#include "regrove/formats/registry.hpp"
#include "regrove/model/ensemble.hpp"
#include "regrove/pipeline/load_table.hpp"

namespace regrove::test {

constexpr int k_folds = 10;

inline std::string ba_trees_file(const std::string& name) {
    return std::string(REGROVE_TEST_DATA) + "/ba_trees/" + name;
}

/// One data set: its name in the forests' folder, its table, and the paper's means over the folds.
struct BornAgainSet {
    std::string name;
    std::string table;
    double depth;           ///< table 2, D
    double leaves;          ///< table 2, L
    double accuracy;        ///< table 4, forest and born-again tree
    double f1;              ///< table 4
    double leaves_under_d;  ///< table 3
    double pruned_depth;    ///< table 3, of the tree under D
    double pruned_leaves;
};

inline const std::vector<BornAgainSet>& born_again_sets() {
    static const std::vector<BornAgainSet> sets{
        {"Breast-Cancer-Wisconsin", "breast_cancer_wisconsin", 12.5, 890.1, 0.953, 0.949, 2279.4, 9.1, 35.9},
        {"COMPAS-ProPublica", "compas_propublica", 8.9, 37.1, 0.660, 0.650, 119.9, 7.0, 31.2},
        {"FICO", "fico", 8.6, 39.2, 0.697, 0.690, 71.3, 6.5, 15.8},
        {"HTRU2", "htru2", 6.0, 11.9, 0.977, 0.909, 20.2, 5.1, 13.2},
        {"Pima-Diabetes", "pima_diabetes", 9.6, 169.7, 0.746, 0.692, 460.1, 9.4, 79.0},
        {"Seeds", "seeds", 10.2, 214.6, 0.790, 0.479, 450.9, 7.5, 21.5},
    };
    return sets;
}

inline model::Ensemble born_again_forest(const std::string& set, int fold) {
    return formats::read_model(ba_trees_file("forests/" + set + "/" + set + ".RF" + std::to_string(fold) + ".txt"));
}

/// The rows of a fold for testing, and the others, which its forest was trained on.
struct FoldRows {
    data::TableShard training;
    data::TableShard test;
};

class FoldedRows {
  public:
    explicit FoldedRows(const BornAgainSet& set) {
        const auto alone = comm::make_self_communicator();
        pipeline::TableRequest request;
        request.path = ba_trees_file(set.table + ".csv.gz");
        request.target = "Class";
        table_ = pipeline::load_table(*alone, request);
        const std::size_t column = *table_.schema.find("fold");
        for (std::size_t row = 0; row < table_.rows; ++row)
            fold_.push_back(
                static_cast<int>(data::as_double(table_.schema.columns[column].type, table_.values[column], row)));
        table_.schema.columns.erase(table_.schema.columns.begin() + static_cast<std::ptrdiff_t>(column));
        table_.values.erase(table_.values.begin() + static_cast<std::ptrdiff_t>(column));
    }
    FoldRows fold(int fold) const {
        std::vector<std::uint64_t> training;
        std::vector<std::uint64_t> test;
        for (std::size_t row = 0; row < fold_.size(); ++row) (fold_[row] == fold ? test : training).push_back(row);
        return {data::take_rows(table_, training), data::take_rows(table_, test)};
    }

  private:
    data::TableShard table_;
    std::vector<int> fold_;
};

struct Reference {
    std::uint64_t depth = 0;
    std::uint64_t leaves = 0;
    double seconds = 0;
};

/// By data set, fold and objective: "D", "L", "DL", and "DL minimum" for the true least leaves.
class References {
  public:
    References() {
        for (const auto& words : lines("ba_trees.csv"))
            rows_[{words[0], std::stoi(words[1]), words[2]}] = {std::stoull(words[8]), std::stoull(words[9]),
                                                                std::stod(words[3])};
        for (const auto& words : lines("dl_minima.csv"))
            rows_[{words[0], std::stoi(words[1]), "DL minimum"}] = {std::stoull(words[2]), std::stoull(words[3]), 0};
    }
    /// Null where there is no row.
    const Reference* find(const std::string& set, int fold, const std::string& objective) const {
        const auto found = rows_.find({set, fold, objective});
        return found == rows_.end() ? nullptr : &found->second;
    }
    std::size_t size() const { return rows_.size(); }

  private:
    static std::vector<std::vector<std::string>> lines(const std::string& name) {
        std::ifstream file(ba_trees_file("reference/" + name));
        std::vector<std::vector<std::string>> all;
        std::string line;
        std::getline(file, line);  // the header
        while (std::getline(file, line)) {
            std::vector<std::string> words;
            std::istringstream text(line);
            for (std::string word; std::getline(text, word, ',');) words.push_back(word);
            all.push_back(words);
        }
        return all;
    }
    std::map<std::tuple<std::string, int, std::string>, Reference> rows_;
};

}  // namespace regrove::test
