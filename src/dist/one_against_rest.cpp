// The label column is replaced chunk by chunk.
#include "regrove/dist/one_against_rest.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "regrove/core/error.hpp"

namespace regrove::dist {

namespace {

constexpr const char* k_rest = "rest";

class OneAgainstRest : public ScannedTable {
  public:
    OneAgainstRest(comm::Communicator& comm, std::unique_ptr<ScannedTable> table, std::string value)
        : comm_(comm), table_(std::move(table)), value_(std::move(value)), schema_(table_->schema()) {
        const auto label = schema_.find(data::ColumnRole::label);
        if (!label) throw ConfigError("one_against_rest: the table has no label; name its column with --target");
        if (value_.empty() || value_ == k_rest)
            throw ConfigError("one_against_rest: '" + value_ + "' cannot be a class beside '" + k_rest +
                              "'; name one of the label's values");
        label_ = *label;
        schema_.columns[label_].type = data::ColumnType::category;
        schema_.columns[label_].categories = {k_rest, value_};
    }

    const data::Schema& schema() const override { return schema_; }
    std::uint64_t global_rows() const override { return table_->global_rows(); }
    const IngestReport& report() const override { return table_->report(); }

    void hand_out(const ChunkSink& sink) override {
        table_->hand_out([&](data::TableShard chunk) {
            replace_label(chunk);
            sink(std::move(chunk));
        });
        judge();
    }

  private:
    void replace_label(data::TableShard& chunk) {
        const data::ColumnSchema& was = table_->schema().columns[label_];
        std::vector<data::CategoryCode> codes;
        codes.reserve(chunk.rows);
        for (std::size_t row = 0; row < chunk.rows; ++row) {
            if (data::is_missing(was.type, chunk.values[label_], row)) {
                codes.push_back(data::k_missing_category);
                continue;
            }
            const bool is_value = data::cell_text(was, chunk.values[label_], row) == value_;
            codes.push_back(is_value ? 1 : 0);
            ++(is_value ? with_value_ : without_value_);
        }
        chunk.values[label_] = std::move(codes);
        chunk.schema = schema_;
    }

    void judge() {
        const std::uint64_t with = comm_.sum(with_value_);
        const std::uint64_t without = comm_.sum(without_value_);
        if (with > 0 && without > 0) return;
        throw InputError("one_against_rest: " + std::string(with == 0 ? "no row" : "every row") + " has the label '" +
                         value_ + "' in column '" + schema_.columns[label_].name + "'; there is nothing to learn");
    }

    comm::Communicator& comm_;
    std::unique_ptr<ScannedTable> table_;
    std::string value_;
    data::Schema schema_;
    std::size_t label_ = 0;
    std::uint64_t with_value_ = 0;  ///< rows of this rank
    std::uint64_t without_value_ = 0;
};

}  // namespace

std::unique_ptr<ScannedTable> one_against_rest(comm::Communicator& comm, std::unique_ptr<ScannedTable> table,
                                               const std::string& value) {
    return std::make_unique<OneAgainstRest>(comm, std::move(table), value);
}

}  // namespace regrove::dist
