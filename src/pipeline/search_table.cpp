// Numbers are written exactly, so that a row read again is the row that was written.
#include "regrove/pipeline/search_table.hpp"

#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include "regrove/core/error.hpp"
#include "regrove/dist/replicate_table.hpp"
#include "regrove/pipeline/crossvalidation_tables.hpp"
#include "regrove/pipeline/load_table.hpp"

namespace regrove::pipeline {

namespace {

constexpr const char* k_hash_column = "options_hash";

void add_column(data::TableShard& table, std::string name, data::ColumnType type, data::ColumnValues values) {
    table.rows = table.global_rows = data::row_count(values);
    table.schema.columns.push_back({std::move(name), type, data::ColumnRole::feature, {}});
    table.values.push_back(std::move(values));
}

template <class Number>
void add_numbers(data::TableShard& table, std::string name, const std::vector<SearchTrial>& trials, Number&& number) {
    std::vector<double> values;
    for (const SearchTrial& trial : trials) values.push_back(number(trial));
    add_column(table, std::move(name), data::ColumnType::float64, std::move(values));
}

/// Reads one row by the names of columns.
class RowReader {
  public:
    RowReader(const data::TableShard& table, const std::string& path) : table_(table), path_(path) {}

    std::size_t column(const std::string& name) const {
        if (const auto found = table_.schema.find(name)) return *found;
        throw InputError(path_ + ": no column '" + name +
                         "', so this is no table of a search by these metrics; give --table another name");
    }
    double number(const std::string& name, std::size_t row) const {
        const std::size_t at = column(name);
        if (data::is_missing(table_.schema.columns[at].type, table_.values[at], row))
            return std::numeric_limits<double>::quiet_NaN();
        return data::as_double(table_.schema.columns[at].type, table_.values[at], row);
    }
    std::string text(const std::string& name, std::size_t row) const {
        const std::size_t at = column(name);
        return data::cell_text(table_.schema.columns[at], table_.values[at], row);
    }

  private:
    const data::TableShard& table_;
    const std::string& path_;
};

bool exists_on_root(comm::Communicator& comm, const std::string& path) {
    std::vector<std::uint8_t> exists(1);
    if (comm.is_root()) exists[0] = std::filesystem::exists(path) ? 1 : 0;
    comm.broadcast(exists);
    return exists[0] != 0;
}

}  // namespace

SearchTrial to_trial(const dist::CrossValidation& result, const std::vector<metric::Metric>& metrics,
                     std::string hash) {
    SearchTrial trial;
    trial.hash = std::move(hash);
    for (const MetricOverTrials& metric : metrics_over_trials(result, metrics)) {
        trial.test.push_back(metric.test.mean);
        trial.test_standard_error.push_back(metric.test.standard_error);
        trial.train.push_back(metric.train.mean);
    }
    trial.leaves = leaves_over_trials(result).mean;
    std::vector<double> depths;
    for (const auto& figures : result.trials) depths.push_back(figures.depth);
    trial.depth = dist::mean_of(depths).mean;
    return trial;
}

data::TableShard search_table(const std::vector<SearchDimension>& space, const std::vector<SearchSetting>& settings,
                              const std::vector<SearchTrial>& trials, const std::vector<metric::Metric>& metrics) {
    data::TableShard table;
    std::vector<std::int64_t> places;
    std::vector<std::string> hashes;
    for (const SearchTrial& trial : trials) {
        places.push_back(static_cast<std::int64_t>(places.size()) + 1);
        hashes.push_back(trial.hash);
    }
    add_column(table, "trial", data::ColumnType::int64, std::move(places));
    for (std::size_t i = 0; i < space.size(); ++i) {
        std::vector<std::string> values;
        for (std::size_t trial = 0; trial < trials.size(); ++trial) values.push_back(settings[trial].values[i]);
        add_column(table, space[i].option, data::ColumnType::text, std::move(values));
    }
    for (std::size_t m = 0; m < metrics.size(); ++m) {
        const std::string& name = metrics[m].name;
        add_numbers(table, "test_" + name, trials, [m](const SearchTrial& t) { return t.test[m]; });
        add_numbers(table, "test_" + name + "_standard_error", trials,
                    [m](const SearchTrial& t) { return t.test_standard_error[m]; });
        add_numbers(table, "train_" + name, trials, [m](const SearchTrial& t) { return t.train[m]; });
    }
    add_numbers(table, "leaves", trials, [](const SearchTrial& t) { return t.leaves; });
    add_numbers(table, "depth", trials, [](const SearchTrial& t) { return t.depth; });
    add_column(table, k_hash_column, data::ColumnType::text, std::move(hashes));
    return table;
}

std::map<std::string, SearchTrial> read_search_table(comm::Communicator& comm, const std::string& path,
                                                     const std::vector<metric::Metric>& metrics) {
    std::map<std::string, SearchTrial> trials;
    if (!exists_on_root(comm, path)) return trials;
    TableRequest request;
    request.path = path;
    const data::TableShard table = dist::replicate_table(comm, load_table(comm, request));
    const RowReader reader(table, path);
    for (std::size_t row = 0; row < table.rows; ++row) {
        SearchTrial trial;
        trial.hash = reader.text(k_hash_column, row);
        for (const metric::Metric& metric : metrics) {
            trial.test.push_back(reader.number("test_" + metric.name, row));
            trial.test_standard_error.push_back(reader.number("test_" + metric.name + "_standard_error", row));
            trial.train.push_back(reader.number("train_" + metric.name, row));
        }
        trial.leaves = reader.number("leaves", row);
        trial.depth = reader.number("depth", row);
        trials.emplace(trial.hash, std::move(trial));
    }
    return trials;
}

std::size_t best_trial(const std::vector<SearchTrial>& trials, const metric::Metric& metric) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < trials.size(); ++i) {
        const double value = trials[i].test[0];
        const double record = trials[best].test[0];
        const bool better = metric.larger_is_better ? value > record : value < record;
        if (better || (std::isnan(record) && !std::isnan(value))) best = i;
    }
    return best;
}

}  // namespace regrove::pipeline
