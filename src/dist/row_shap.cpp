// Block by block: cells, phi, a check of their sum, and exact sums that threads and ranks add to in any order.
#include "regrove/dist/row_shap.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <string>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/exact_sum.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/core/progress.hpp"
#include "regrove/dist/exact_means.hpp"
#include "regrove/infer/binding.hpp"
#include "regrove/infer/tree_walk.hpp"

namespace regrove::dist {

namespace {

/// Rows that a thread takes at a time.
constexpr std::size_t k_block_rows = 256;

/// A row's scores as the model adds them up.
class PlainScores {
  public:
    PlainScores(const algebra::AdditiveScores& scores, const model::Ensemble& ensemble) : scores_(scores) {
        for (const model::Tree& tree : ensemble.trees) walks_.emplace_back(tree);
    }

    std::vector<double> of(std::span<const double> cells) const {
        std::vector<double> sums = scores_.initial;
        for (std::size_t t = 0; t < walks_.size(); ++t) {
            const algebra::TreeScores& tree = scores_.trees[t];
            const double* const added = tree.values.data() + index(walks_[t].leaf(cells)) * tree.length;
            for (std::size_t k = 0; k < tree.length; ++k) sums[tree.first + k] += added[k];
        }
        for (double& sum : sums) sum /= scores_.divisor;
        return sums;
    }

  private:
    const algebra::AdditiveScores& scores_;
    std::vector<infer::TreeWalk> walks_;
};

/// What is summed over rows, in any order.
struct Totals {
    std::vector<ExactSum> size;
    std::vector<ExactSum> signed_size;
    std::vector<double> remainder;

    Totals(std::size_t columns, std::size_t scores) : size(columns), signed_size(columns), remainder(scores) {}

    void merge(const Totals& other) {
        for (std::size_t i = 0; i < size.size(); ++i) {
            size[i].merge(other.size[i]);
            signed_size[i].merge(other.signed_size[i]);
        }
        for (std::size_t k = 0; k < remainder.size(); ++k) remainder[k] = std::max(remainder[k], other.remainder[k]);
    }
};

double remainder_of(double score, double base, std::span<const double> phi) {
    ExactSum sum;
    sum.add(score);
    sum.add(-base);
    for (const double share : phi) sum.add(-share);
    return std::abs(sum.value());
}

/// The work of one rank.
class Rows {
  public:
    Rows(const algebra::ShapValues& shap, const model::Ensemble& ensemble, const data::TableShard& shard,
         bool keep_rows)
        : shap_(shap),
          shard_(shard),
          binding_(ensemble, shard.schema),
          plain_(shap.scores(), ensemble),
          width_(ensemble.features.size()),
          features_(shap.features().size()),
          scores_(shap.scores().count()),
          phi_(scores_ * features_),
          totals_(scores_ * features_, scores_),
          progress_("explaining", shard.rows, "rows") {
        if (keep_rows)
            for (auto& column : phi_) column.resize(shard.rows);
        keep_rows_ = keep_rows;
    }

    void explain() {
        parallel_for_blocks(shard_.rows, k_block_rows,
                            [&](std::size_t begin, std::size_t end) { explain(begin, end); });
    }
    const Totals& totals() const { return totals_; }
    std::vector<std::vector<double>> take_phi() { return std::move(phi_); }

  private:
    void explain(std::size_t begin, std::size_t end) {
        std::vector<double> cells;
        binding_.fill(shard_, begin, end, cells);
        std::vector<double> phi((end - begin) * scores_ * features_);
        shap_.explain(std::span<const double>(cells).first((end - begin) * width_), shard_.first_row + begin, phi);
        Totals own(phi_.size(), scores_);
        for (std::size_t row = begin; row < end; ++row) {
            const std::size_t place = row - begin;
            take(row, std::span<const double>(cells).subspan(place * width_, width_),
                 std::span<const double>(phi).subspan(place * phi_.size(), phi_.size()), own);
        }
        const std::lock_guard guard(merging_);
        totals_.merge(own);
        progress_.advance(end - begin);
    }

    void take(std::size_t row, std::span<const double> cells, std::span<const double> phi, Totals& own) {
        for (std::size_t i = 0; i < phi.size(); ++i) {
            own.size[i].add(std::abs(phi[i]));
            own.signed_size[i].add(phi[i]);
            if (keep_rows_) phi_[i][row] = phi[i];
        }
        const std::vector<double> scores = plain_.of(cells);
        for (std::size_t k = 0; k < scores_; ++k) {
            const double remainder = remainder_of(scores[k], shap_.base()[k], phi.subspan(k * features_, features_));
            if (!(remainder <= shap_.remainder_bound()[k])) refuse(row, remainder, k);
            own.remainder[k] = std::max(own.remainder[k], remainder);
        }
    }

    [[noreturn]] void refuse(std::size_t row, double remainder, std::size_t score) const {
        throw InternalError("the attributions of row " + std::to_string(shard_.first_row + row) +
                            " miss its score by " + to_text(remainder) + ", which is above the bound " +
                            to_text(shap_.remainder_bound()[score]));
    }

    const algebra::ShapValues& shap_;
    const data::TableShard& shard_;
    infer::Binding binding_;
    PlainScores plain_;
    std::size_t width_;
    std::size_t features_;
    std::size_t scores_;
    bool keep_rows_ = false;
    std::vector<std::vector<double>> phi_;
    Totals totals_;
    std::mutex merging_;
    Progress progress_;
};

}  // namespace

RowShap explain_rows(comm::Communicator& comm, const algebra::ShapValues& shap, const model::Ensemble& ensemble,
                     const data::TableShard& shard, bool keep_rows) {
    const std::uint64_t all = comm.sum(shard.rows);
    if (all == 0) throw InputError("the table has no rows to explain");
    RowShap result;
    Totals totals(0, 0);
    comm::agree_on(comm, [&] {
        Rows rows(shap, ensemble, shard, keep_rows);
        rows.explain();
        totals = rows.totals();
        result.phi = rows.take_phi();
    });
    result.mean_size = exact_means(comm, totals.size, all);
    result.mean = exact_means(comm, totals.signed_size, all);
    result.largest_remainder = totals.remainder;
    comm.max(std::span<double>(result.largest_remainder));
    return result;
}

}  // namespace regrove::dist
