// Chunk by chunk: distinct values while they are few, the largest value, and the cells of sampled rows.
#include "regrove/dist/streamed_boundaries.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "regrove/binning/distinct_keys.hpp"
#include "regrove/comm/agreement.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/core/random.hpp"
#include "regrove/data/content_hash.hpp"

namespace regrove::dist {

namespace {

constexpr std::uint64_t k_sample_stream = std::uint64_t{17} << 56U;

using KeyLists = std::vector<std::vector<std::uint64_t>>;

/// One numeric feature on one rank.
struct SeenFeature {
    std::size_t column = 0;               ///< in the table
    std::size_t feature = 0;              ///< among all features
    std::vector<std::uint64_t> distinct;  ///< ascending; more than max_bin of them once there are too many
    std::uint64_t largest = binning::k_no_key;
    data::ColumnValues sampled;
};

/// Rows of a chunk that are in the sample.
std::vector<std::uint32_t> sampled_rows_of(const data::TableShard& chunk, double share, std::uint64_t seed) {
    std::vector<std::uint32_t> rows;
    const CounterRandom random(seed, k_sample_stream);
    for (std::uint32_t row = 0; row < chunk.rows; ++row) {
        if (share >= 1 || random.uniform(chunk.first_row + row) < share) rows.push_back(row);
    }
    return rows;
}

void append_cells(const data::ColumnValues& from, const std::vector<std::uint32_t>& rows, data::ColumnValues& to) {
    std::visit(
        [&](auto& cells) {
            const auto& source = std::get<std::decay_t<decltype(cells)>>(from);
            for (const std::uint32_t row : rows) cells.push_back(source[row]);
        },
        to);
}

class BoundaryPass {
  public:
    BoundaryPass(const data::Schema& schema, const StreamedBinning& options, double share)
        : options_(options), share_(share) {
        const auto features = schema.features();
        for (std::size_t f = 0; f < features.size(); ++f) {
            const data::ColumnType type = schema.columns[features[f]].type;
            if (type == data::ColumnType::category) continue;
            SeenFeature seen;
            seen.column = features[f];
            seen.feature = f;
            seen.sampled = data::make_values(type);
            seen_.push_back(std::move(seen));
        }
    }

    void take(const data::TableShard& chunk) {
        const std::vector<bool> left_out = rows_left_out(chunk);
        const auto rows = sampled_rows_of(chunk, share_, options_.seed);
        parallel_for(seen_.size(), [&](std::size_t i) { look_at(seen_[i], chunk, left_out, rows); });
        any_left_out_ = any_left_out_ || !left_out.empty();
        sampled_left_out_.resize(sampled_, false);
        for (const std::uint32_t row : rows) sampled_left_out_.push_back(!left_out.empty() && left_out[row]);
        sampled_ += rows.size();
    }

    std::vector<BinBoundaries> finish(comm::Communicator& comm, std::uint64_t sampled_of_all) {
        KeyLists own;
        for (SeenFeature& seen : seen_) own.push_back(std::move(seen.distinct));
        KeyLists distinct = merge_distinct(comm, std::move(own), options_.max_bin);
        std::vector<BinBoundaries> found;
        std::vector<std::size_t> many;
        for (std::size_t i = 0; i < seen_.size(); ++i) {
            found.push_back({seen_[i].feature, true, std::move(distinct[i])});
            if (found[i].keys.size() > options_.max_bin) many.push_back(i);
        }
        set_quantiles(comm, many, sampled_of_all, found);
        return found;
    }
    std::uint64_t sampled() const { return sampled_; }

  private:
    void look_at(SeenFeature& seen, const data::TableShard& chunk, const std::vector<bool>& left_out,
                 const std::vector<std::uint32_t>& rows) const {
        const binning::KeyColumn column{chunk.values[seen.column], left_out};
        if (seen.distinct.size() <= options_.max_bin) {
            const auto keys = binning::distinct_keys(column, {0, chunk.rows}, options_.max_bin);
            seen.distinct.insert(seen.distinct.end(), keys.begin(), keys.end());
            binning::make_distinct(seen.distinct);
        }
        binning::visit_keys(column, {0, chunk.rows}, [&](std::span<const std::uint64_t> keys) {
            for (const auto key : keys) seen.largest = std::max(seen.largest, key);
            return true;
        });
        append_cells(chunk.values[seen.column], rows, seen.sampled);
    }

    /// Quantiles of the sample, but for the last boundary, which is the largest value of all rows.
    void set_quantiles(comm::Communicator& comm, const std::vector<std::size_t>& many, std::uint64_t sampled_of_all,
                       std::vector<BinBoundaries>& found) {
        std::vector<data::ColumnValues> columns;
        std::vector<std::uint64_t> largest;
        for (const std::size_t i : many) {
            columns.push_back(std::move(seen_[i].sampled));
            largest.push_back(seen_[i].largest);
        }
        comm.max(std::span<std::uint64_t>(largest));
        const std::vector<bool> none;
        const FeatureViews sample(columns, any_left_out_ ? sampled_left_out_ : none, sampled_, sampled_of_all);
        const std::size_t batch = features_a_batch(options_.max_bin, comm.size());
        for (std::size_t begin = 0; begin < many.size(); begin += batch) {
            std::vector<std::size_t> numbers;
            for (std::size_t i = begin; i < std::min(many.size(), begin + batch); ++i) numbers.push_back(i);
            for (BinBoundaries& b : find_boundaries(comm, sample, numbers, options_.max_bin)) {
                BinBoundaries& out = found[many[b.feature]];
                out.exact = false;
                out.keys = std::move(b.keys);
                if (out.keys.empty()) out.keys.resize(1);
                out.keys.back() = largest[b.feature];
            }
        }
    }

    const StreamedBinning& options_;
    double share_;
    std::vector<SeenFeature> seen_;
    std::vector<bool> sampled_left_out_;
    bool any_left_out_ = false;
    std::size_t sampled_ = 0;
};

}  // namespace

std::uint64_t default_sample_rows(std::size_t features) {
    constexpr std::uint64_t k_cells = std::uint64_t{1} << 27U;
    constexpr std::uint64_t k_fewest = std::uint64_t{1} << 17U;
    constexpr std::uint64_t k_most = std::uint64_t{1} << 22U;
    return std::clamp(k_cells / std::max<std::uint64_t>(features, 1), k_fewest, k_most);
}

std::vector<bool> rows_left_out(const data::TableShard& chunk) {
    std::vector<bool> left_out;
    const auto column = chunk.schema.find(data::ColumnRole::weight);
    if (!column) return left_out;
    for (std::size_t row = 0; row < chunk.rows; ++row) {
        if (data::as_double(chunk.schema.columns[*column].type, chunk.values[*column], row) != 0) continue;
        if (left_out.empty()) left_out.resize(chunk.rows, false);
        left_out[row] = true;
    }
    return left_out;
}

StreamedBoundaries find_streamed_boundaries(comm::Communicator& comm, ChunkSource& source,
                                            const StreamedBinning& options) {
    const std::uint64_t rows = source.global_rows();
    const bool whole = options.sample_rows == 0 || rows <= options.sample_rows;
    const double share = whole ? 1 : static_cast<double>(options.sample_rows) / static_cast<double>(rows);
    BoundaryPass pass(source.schema(), options, share);
    StreamedBoundaries found;
    found.table_hash = source.known_hash();
    const bool hashes = found.table_hash.empty();
    Hash128 hash;
    source.rewind();
    for (data::TableShard chunk; source.next(chunk);) {
        comm::agree_on(comm, [&] {
            check_features(chunk);
            pass.take(chunk);
            if (hashes) hash = data::merge(hash, data::content_hash(chunk));
        });
    }
    found.sampled_rows = comm.sum(pass.sampled());
    found.numeric = pass.finish(comm, found.sampled_rows);
    if (hashes) {
        std::array<std::uint64_t, 2> lanes{hash.low, hash.high};
        comm.sum(std::span<std::uint64_t>(lanes));
        found.table_hash = to_hex({lanes[0], lanes[1]});
    }
    return found;
}

}  // namespace regrove::dist
