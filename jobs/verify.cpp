// Job verify: proves that two models decide alike everywhere, or shows a point where they do not.
#include <optional>
#include <sstream>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/infer/initial_scores.hpp"
#include "regrove/infer/labels.hpp"
#include "regrove/pipeline/failure.hpp"
#include "regrove/pipeline/load_model.hpp"
#include "regrove/pipeline/load_table.hpp"
#include "regrove/pipeline/model_pair.hpp"
#include "regrove/pipeline/space_point.hpp"
#include "regrove/pipeline/supported_cells.hpp"
#include "regrove/prove/equality.hpp"

#include "job_table.hpp"
#include "verify_score.hpp"

namespace regrove::jobs {

namespace {

using cellspace::CompiledEnsemble;
using cellspace::Space;
using cellspace::UnseenValues;
using pipeline::ModelPair;

enum class What : std::uint8_t { class_everywhere, score_everywhere };
enum class Support : std::uint8_t { all, rows, range };

/// Numbers with blanks between them, to go from the rank that proves to the others.
std::string packed(const prove::Equality& equality) {
    std::ostringstream text;
    text << static_cast<int>(equality.verdict) << ' ' << equality.boxes << ' ' << equality.first_class << ' '
         << equality.second_class;
    for (const std::uint32_t number : equality.cell) text << ' ' << number;
    return text.str();
}

prove::Equality unpacked(const std::string& text) {
    std::istringstream numbers(text);
    prove::Equality equality;
    int verdict = 0;
    numbers >> verdict >> equality.boxes >> equality.first_class >> equality.second_class;
    equality.verdict = static_cast<prove::Verdict>(verdict);
    for (std::uint32_t number = 0; numbers >> number;) equality.cell.push_back(number);
    return equality;
}

class VerifyJob : public pipeline::Job {
  public:
    void list_options(OptionTable& table) override {
        table.add("first", first_, "a model file, in any known format").value_name("A");
        table.add("second", second_, "the model file to compare it with").value_name("B");
        table.add("what", what_, Choices<What>{{"class", What::class_everywhere}, {"score", What::score_everywhere}},
                  "what must be equal: the decided class, or the scores as exact sums (docs/monoforest.md)");
        table.add("unseen", unseen_,
                  Choices<UnseenValues>{{"outside", UnseenValues::outside}, {"inside", UnseenValues::inside}},
                  "whether values that training never saw count: a missing value of a feature that never missed one, "
                  "a category in no dictionary");
        table.add("support", support_,
                  Choices<Support>{{"all", Support::all}, {"rows", Support::rows}, {"range", Support::range}},
                  "where they must be equal: everywhere, in cells that hold a row of --data, or within the ranges of "
                  "its columns");
        table.add("data", data_, "the table of --support").value_name("FILE");
        table.add("target", target_, "label column of --data by name or index; default: as the table says")
            .value_name("COL");
        table.add("max_boxes", max_boxes_, 0, std::numeric_limits<std::uint64_t>::max(),
                  "boxes to look at before it is left undecided; 0: no limit");
    }

    void run(pipeline::JobContext& context) override {
        if (first_.empty() || second_.empty()) throw UsageError("which models? Give two files: regrove verify A B");
        if ((support_ == Support::all) != data_.empty())
            throw ConfigError(data_.empty() ? "support: rows and range need the table of --data"
                                            : "data: only --support rows and range look at a table");
        const ModelPair pair = load(context);
        if (what_ == What::score_everywhere) return verify_scores(context, pair);
        const Space space = make_space(context, pair);
        const prove::Domain domain = make_domain(context, pair, space);
        const prove::Equality equality = prove_on_root(context, pair, space, domain);
        report(context.summary, pair, space, equality);
    }

  private:
    void verify_scores(pipeline::JobContext& context, const ModelPair& pair) const {
        if (support_ != Support::all)
            throw ConfigError(
                "support: scores are compared everywhere; --support rows and range are for --what class");
        ScoreVerification request{first_, second_, unseen_ == UnseenValues::inside, {}};
        verify_score_equality(context, pair, request);
    }

    ModelPair load(pipeline::JobContext& context) const {
        const auto phase = context.summary.phase("load");
        auto first = pipeline::load_model(context.comm, first_);
        auto second = pipeline::load_model(context.comm, second_);
        context.summary.read(first_);
        context.summary.read(second_);
        if (infer::initial_score_column(first) != infer::initial_score_column(second))
            throw ConfigError(
                "the models were trained with different columns of --initial-score, or one with none: as functions "
                "of a "
                "row they cannot be compared");
        if (what_ == What::class_everywhere) pipeline::require_no_initial_scores(first, "--what class");
        ModelPair pair;
        pipeline::agree_plainly(context.comm, [&] {
            pair = what_ == What::score_everywhere
                       ? pair_for_scores(std::move(first), std::move(second), first_, second_)
                       : pipeline::pair_models(std::move(first), std::move(second), first_, second_);
        });
        return pair;
    }

    Space make_space(pipeline::JobContext& context, const ModelPair& pair) const {
        Space space;
        pipeline::agree_plainly(context.comm, [&] {
            const std::vector<const model::Ensemble*> models{&pair.first, &pair.second};
            space = cellspace::make_space(models, unseen_);
        });
        return space;
    }

    prove::Domain make_domain(pipeline::JobContext& context, const ModelPair& pair, const Space& space) const {
        prove::Domain domain{cellspace::whole(space)};
        if (support_ == Support::all) return domain;
        const auto phase = context.summary.phase("support");
        pipeline::TableRequest request;
        request.path = data_;
        request.target = target_;
        request.expected = infer::expected_schema(pair.first);
        const data::TableShard shard = pipeline::load_table(context.comm, request);
        context.summary.read(data_);
        std::vector<std::string> warnings;
        auto found =
            pipeline::supported_cells(context.comm, space, pair.first, shard, support_ == Support::range, warnings);
        for (std::string& warning : warnings) context.summary.warn(std::move(warning));
        const std::size_t axes = space.axes.size();
        domain.only_cells = support_ == Support::rows;
        if (domain.only_cells) {
            domain.cells = std::move(found.cells);
            if (axes > 0) context.summary.details["cells_with_rows"] = domain.cells.size() / axes;
        } else if (axes > 0) {
            const auto middle = found.cells.begin() + static_cast<std::ptrdiff_t>(axes);
            domain.box.low.assign(found.cells.begin(), middle);
            domain.box.high.assign(found.cells.end() - static_cast<std::ptrdiff_t>(axes), found.cells.end());
        }
        return domain;
    }

    /// The other ranks wait: a proof takes seconds where it is in reach.
    prove::Equality prove_on_root(pipeline::JobContext& context, const ModelPair& pair, const Space& space,
                                  const prove::Domain& domain) const {
        const auto phase = context.summary.phase("prove");
        context.checkpoint.opened();  // it stops by itself at the time limit
        prove::ProofLimits limits;
        limits.max_boxes = max_boxes_;
        limits.stop = [&] { return context.stop_requested() || context.checkpoint.seconds_left() <= 0; };
        std::string text;
        pipeline::agree_plainly(context.comm, [&] {
            if (!context.comm.is_root()) return;
            const CompiledEnsemble first(pair.first, space);
            const CompiledEnsemble second(pair.second, space);
            const prove::Equality equality =
                prove::prove_equal({&first, &second, domain, pair.first_class_of_second}, limits);
            if (equality.verdict == prove::Verdict::no) check_point(pair, space, equality);
            text = packed(equality);
        });
        context.comm.broadcast(text);
        return unpacked(text);
    }

    /// A point that is shown must be one where prediction itself differs.
    static void check_point(const ModelPair& pair, const Space& space, const prove::Equality& equality) {
        if (pipeline::predicted_class(pair.first, space, equality.cell) != equality.first_class ||
            pipeline::predicted_class(pair.second, space, equality.cell) != equality.second_class)
            throw InternalError("the point that was found is none where the models' predictions differ");
    }

    void report(pipeline::Summary& summary, const ModelPair& pair, const Space& space,
                const prove::Equality& equality) const {
        const bool decided = equality.verdict != prove::Verdict::undecided;
        const bool equal = equality.verdict == prove::Verdict::yes;
        summary.result["equal"] = decided ? nlohmann::ordered_json(equal) : nlohmann::ordered_json(nullptr);
        summary.result["decided"] = decided;
        summary.result["boxes"] = equality.boxes;
        summary.details["log10_cells"] = space.log10_cells();
        summary.details["hyperplanes"] = space.hyperplanes();
        const std::string where = support_ == Support::all    ? "everywhere"
                                  : support_ == Support::rows ? "in the cells of the table's rows"
                                                              : "within the ranges of the table's columns";
        summary.show("equal in class", !decided ? "undecided: a limit was reached" : equal ? "yes, " + where : "no");
        if (equality.verdict == prove::Verdict::no) report_point(summary, pair, space, equality);
        summary.show("boxes", std::to_string(equality.boxes));
        if (!decided)
            summary.end_with(ExitCode::limit, "undecided whether " + first_ + " and " + second_ + " are equal");
        else if (!equal)
            summary.end_with(ExitCode::answer_is_no, first_ + " and " + second_ + " differ");
    }

    void report_point(pipeline::Summary& summary, const ModelPair& pair, const Space& space,
                      const prove::Equality& equality) const {
        auto point = nlohmann::ordered_json::object();
        std::string text;
        for (const pipeline::PointValue& value : pipeline::point_of(space, equality.cell)) {
            point[value.feature] = value.value;
            text += (text.empty() ? "" : ", ") + value.feature + " = " + value.value;
        }
        const std::string& first = pair.first.classes[equality.first_class];
        const std::string& second = pair.second.classes[equality.second_class];
        summary.result["point"] = std::move(point);
        summary.result["first_class"] = first;
        summary.result["second_class"] = second;
        summary.show("they differ at", text.empty() ? "every point" : text);
        summary.show("class of " + first_, first);
        summary.show("class of " + second_, second);
    }

    std::string first_;
    std::string second_;
    What what_ = What::class_everywhere;
    UnseenValues unseen_ = UnseenValues::outside;
    Support support_ = Support::all;
    std::string data_;
    std::string target_;
    std::uint64_t max_boxes_ = 0;
};

}  // namespace

pipeline::JobRow verify_job() {
    return {.name = "verify",
            .purpose = "prove that two models decide alike everywhere, or show a point where they differ",
            .group = "models",
            .example = "regrove verify forest.json tree.json",
            .mpi = pipeline::MpiUse::when_launched,
            .make = [] { return std::make_unique<VerifyJob>(); },
            .positionals = {"first", "second"}};
}

}  // namespace regrove::jobs
