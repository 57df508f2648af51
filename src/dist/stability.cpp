// Models of all rows first; then every refit is compared with them where its held-out rows are.
#include "regrove/dist/stability.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/keyed_permutation.hpp"
#include "regrove/core/random.hpp"
#include "regrove/infer/initial_scores.hpp"
#include "regrove/infer/predictor.hpp"

namespace regrove::dist {

namespace {

// Streams are told apart by their upper bits (dist/trials.cpp has 5).
constexpr std::uint64_t k_left_out_stream = std::uint64_t{6} << 56U;
constexpr std::uint64_t k_bootstrap_streams = std::uint64_t{7} << 56U;

constexpr std::uint64_t k_usual_bootstraps = 100;

std::vector<std::string> roots_of(const model::Ensemble& ensemble) {
    std::vector<std::string> roots;
    for (const model::Tree& tree : ensemble.trees) {
        const model::Node& root = tree.nodes.front();
        roots.push_back(root.is_leaf() ? "no question" : model::question_text(root.question, ensemble.features));
    }
    return roots;
}

/// Texts with their number in front, each ended by a zero byte.
void pack(const std::vector<std::string>& texts, std::string& bytes) {
    bytes += std::to_string(texts.size()) + '\0';
    for (const std::string& text : texts) bytes += text + '\0';
}

std::string next_text(std::string_view& bytes) {
    const auto end = bytes.find('\0');
    std::string text(bytes.substr(0, end));
    bytes.remove_prefix(end + 1);
    return text;
}

std::vector<std::string> unpack(std::string_view& bytes) {
    std::vector<std::string> texts(std::stoull(next_text(bytes)));
    for (auto& text : texts) text = next_text(bytes);
    return texts;
}

/// The texts of all trials on every rank; own ones are those of the trials that ran here.
void share_texts(comm::Communicator& comm, TrialSpread spread, std::vector<std::vector<std::string>>& texts) {
    if (spread == TrialSpread::rows || comm.size() == 1) return;
    const auto ranks = static_cast<std::size_t>(comm.size());
    std::string own;
    for (auto trial = static_cast<std::size_t>(comm.rank()); trial < texts.size(); trial += ranks)
        pack(texts[trial], own);
    const auto all = comm.gather_all(own);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        std::string_view bytes = all[rank];
        for (std::size_t trial = rank; trial < texts.size(); trial += ranks) texts[trial] = unpack(bytes);
    }
}

std::vector<std::int32_t> classes_of(comm::Communicator& comm, const model::Ensemble& ensemble,
                                     const data::TableShard& shard) {
    return comm::agree_on(comm, [&] {
        const infer::Predictor predictor(ensemble, shard.schema);
        return predictor.classes(predictor.leaves(shard), infer::initial_scores_of(ensemble, shard));
    });
}

class Measurement {
  public:
    Measurement(comm::Communicator& comm, const StabilityRun& run, const Fit& fit)
        : comm_(comm), run_(run), fit_(fit) {}

    Stability operator()() {
        comm::agree_on(comm_, [&] { prepare(); });
        fit_all_rows();
        refit();
        count_roots();
        return std::move(result_);
    }

  private:
    /// Where the refits of one trial of the plan begin, and what they leave out.
    struct Part {
        ResamplePlan plan;
        std::vector<std::uint64_t> left_out;
        std::uint64_t first = 0;
    };

    void prepare() {
        const data::Schema& schema = run_.tables[0].schema();
        if (schema.columns[*schema.find(data::ColumnRole::label)].type != data::ColumnType::category)
            throw ConfigError("stability counts flips of classes; the label '" +
                              schema.columns[*schema.find(data::ColumnRole::label)].name + "' holds numbers");
        for (std::uint64_t fold = 0; fold < run_.plan.trials(); ++fold) {
            const TrialRows rows = run_.plan.rows(fold);
            Part part;
            part.plan =
                ResamplePlan::make(run_.resample, trial_seed(run_.seed, fold), rows.train.size(), run_.trials);
            part.left_out = part.plan.left_out();
            part.first = result_.refits.size();
            for (std::uint64_t trial = 0; trial < part.plan.trials; ++trial) {
                Refit refit;
                refit.fold = fold;
                if (run_.resample == Resample::leave_one_out) refit.left_out = rows.train[part.left_out[trial]];
                refit.held_out_rows = rows.test.size();
                result_.refits.push_back(refit);
            }
            parts_.push_back(std::move(part));
            result_.flips.push_back(empty_flips(rows));
        }
    }

    RowFlips empty_flips(const TrialRows& rows) const {
        const data::TableShard& roles = run_.tables[rows.test_table].roles();
        const auto& codes =
            std::get<std::vector<std::int32_t>>(roles.values[*roles.schema.find(data::ColumnRole::label)]);
        RowFlips flips;
        flips.rows = rows.test;
        for (const auto row : rows.test) flips.truth.push_back(codes[row]);
        flips.flips.assign(rows.test.size(), 0);
        return flips;
    }

    /// Predicted classes of the rows held here, and where they stand among the held-out rows.
    struct HeldClasses {
        std::size_t first = 0;
        std::vector<std::int32_t> classes;
        std::vector<std::string> roots;
    };

    HeldClasses learn(comm::Communicator& comm, const TrialRows& rows, std::span<const std::uint64_t> places,
                      std::uint64_t fold) const {
        const model::Ensemble ensemble =
            fit_(comm, run_.tables[rows.train_table].take(comm, places), trial_seed(run_.seed, fold));
        const TrialTable& test = run_.tables[rows.test_table];
        HeldClasses held;
        held.first = static_cast<std::size_t>(test.held(rows.test).data() - rows.test.data());
        held.classes = classes_of(comm, ensemble, test.take(comm, rows.test));
        held.roots = roots_of(ensemble);
        return held;
    }

    void fit_all_rows() {
        std::vector<std::vector<std::int64_t>> classes;
        for (const RowFlips& flips : result_.flips) classes.emplace_back(flips.rows.size(), 0);
        std::vector<std::vector<std::string>> roots(parts_.size());
        TrialRun models;
        models.spread = run_.spread;
        models.count = parts_.size();
        models.what = "models of all rows";
        models.name = [&](std::uint64_t fold) { return run_.plan.name(fold); };
        models.work = [&](comm::Communicator& comm, std::uint64_t fold) {
            const TrialRows rows = run_.plan.rows(fold);
            HeldClasses held = learn(comm, rows, rows.train, fold);
            std::ranges::copy(held.classes, classes[fold].begin() + static_cast<std::ptrdiff_t>(held.first));
            roots[fold] = std::move(held.roots);
        };
        run_trials(comm_, models);
        for (std::size_t fold = 0; fold < classes.size(); ++fold) {
            comm_.sum(std::span<std::int64_t>(classes[fold]));
            for (const auto k : classes[fold]) result_.flips[fold].predicted.push_back(static_cast<std::int32_t>(k));
        }
        share_texts(comm_, run_.spread, roots);
        for (const auto& some : roots) {
            base_roots_.insert(base_roots_.end(), some.begin(), some.end());
            result_.base_roots.push_back(some.front());
        }
    }

    std::string name_of(std::uint64_t number) const {
        const Refit& refit = result_.refits[number];
        const std::string where = parts_.size() > 1 ? run_.plan.name(refit.fold) + ", " : "";
        if (run_.resample == Resample::leave_one_out)
            return where + "refit without row " + std::to_string(refit.left_out) + " (from zero)";
        return where + "bootstrap " + std::to_string(number - parts_[refit.fold].first + 1);
    }

    void refit() {
        std::vector<double> flips(result_.refits.size(), 0);
        roots_.resize(result_.refits.size());
        TrialRun refits;
        refits.spread = run_.spread;
        refits.count = result_.refits.size();
        refits.what = "refits";
        refits.name = [&](std::uint64_t number) { return name_of(number); };
        refits.work = [&](comm::Communicator& comm, std::uint64_t number) {
            flips[number] = static_cast<double>(comm.sum(one_refit(comm, number)));
        };
        run_trials(comm_, refits);
        share_numbers(comm_, run_.spread, 1, flips);
        share_texts(comm_, run_.spread, roots_);
        for (std::size_t number = 0; number < flips.size(); ++number) {
            result_.refits[number].flips = static_cast<std::uint64_t>(flips[number]);
            result_.refits[number].root = roots_[number].front();
        }
        for (RowFlips& rows : result_.flips) comm_.sum(std::span<std::uint64_t>(rows.flips));
    }

    /// Flips among the rows held here.
    std::uint64_t one_refit(comm::Communicator& comm, std::uint64_t number) {
        const std::uint64_t fold = result_.refits[number].fold;
        const Part& part = parts_[fold];
        const TrialRows rows = run_.plan.rows(fold);
        auto places = part.plan.places(number - part.first, part.left_out);
        for (auto& place : places) place = rows.train[place];
        HeldClasses held = learn(comm, rows, places, fold);
        RowFlips& counted = result_.flips[fold];
        std::uint64_t flips = 0;
        for (std::size_t i = 0; i < held.classes.size(); ++i) {
            const std::uint64_t flipped = held.classes[i] != counted.predicted[held.first + i] ? 1 : 0;
            counted.flips[held.first + i] += flipped;
            flips += flipped;
        }
        roots_[number] = std::move(held.roots);
        return flips;
    }

    void count_roots() {
        std::map<std::string, std::uint64_t> counts;
        for (const auto& roots : roots_)
            for (const std::string& root : roots) counts[root] += 1;
        for (const auto& [question, trees] : counts) {
            const bool of_all = std::ranges::find(base_roots_, question) != base_roots_.end();
            result_.roots.push_back({question, trees, of_all});
            result_.trees += trees;
        }
        std::ranges::stable_sort(result_.roots, std::ranges::greater{}, &RootCount::trees);
    }

    comm::Communicator& comm_;
    const StabilityRun& run_;
    const Fit& fit_;
    std::vector<Part> parts_;
    std::vector<std::vector<std::string>> roots_;  ///< one list a refit
    std::vector<std::string> base_roots_;
    Stability result_;
};

}  // namespace

ResamplePlan ResamplePlan::make(Resample resample, std::uint64_t seed, std::uint64_t rows, std::uint64_t trials) {
    if (rows < 2) throw ConfigError("stability needs at least two training rows");
    if (resample == Resample::leave_one_out && trials > rows)
        throw ConfigError("--trials " + std::to_string(trials) + ": there are only " + std::to_string(rows) +
                          " training rows to leave out one at a time; 0 leaves out each of them once");
    ResamplePlan plan{resample, seed, rows, trials};
    if (trials == 0) plan.trials = resample == Resample::leave_one_out ? rows : k_usual_bootstraps;
    return plan;
}

std::vector<std::uint64_t> ResamplePlan::left_out() const {
    std::vector<std::uint64_t> chosen;
    if (resample == Resample::bootstrap) return chosen;
    const KeyedPermutation order(seed, k_left_out_stream, rows);
    for (std::uint64_t row = 0; row < rows; ++row)
        if (order(row) < trials) chosen.push_back(row);
    return chosen;
}

std::vector<std::uint64_t> ResamplePlan::places(std::uint64_t trial,
                                                const std::vector<std::uint64_t>& left_out) const {
    std::vector<std::uint64_t> places(rows);
    if (resample == Resample::leave_one_out) {
        std::iota(places.begin(), places.end(), 0U);
        places.erase(places.begin() + static_cast<std::ptrdiff_t>(left_out[trial]));
        return places;
    }
    const CounterRandom random(seed, k_bootstrap_streams | trial);
    for (std::uint64_t draw = 0; draw < rows; ++draw) places[draw] = random.below(draw, rows);
    std::ranges::sort(places);
    return places;
}

Stability measure_stability(comm::Communicator& comm, const StabilityRun& run, const Fit& fit) {
    return Measurement(comm, run, fit)();
}

}  // namespace regrove::dist
