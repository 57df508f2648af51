// The model as its file's bytes; numbers beside it by their bits, since they may be no numbers.
#include "regrove/pipeline/checkpointed_boosting.hpp"

#include <bit>
#include <utility>

#include <nlohmann/json.hpp>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/formats/registry.hpp"

namespace regrove::pipeline {

namespace {

constexpr const char* k_model = "model";
constexpr const char* k_run = "run";

std::string run_text(const dist::BoostingState& state) {
    nlohmann::ordered_json run;
    run["rounds_grown"] = state.rounds_grown;
    run["best_round"] = state.best_round;
    run["best"] = std::bit_cast<std::uint64_t>(state.best);
    auto& points = run["points"] = nlohmann::ordered_json::array();
    for (const dist::LearningPoint& point : state.points) {
        points.push_back({point.round, std::bit_cast<std::uint64_t>(point.training),
                          std::bit_cast<std::uint64_t>(point.validation)});
    }
    return run.dump();
}

dist::BoostingState parse_state(const store::CheckpointGeneration& found, const std::string& folder) {
    const auto model = found.text(k_model);
    const auto run_bytes = found.text(k_run);
    if (!model || !run_bytes) throw FormatError("the checkpoint in '" + folder + "' holds no state of boosting");
    dist::BoostingState state;
    state.ensemble = formats::parse_model(*model, folder);
    try {
        const auto run = nlohmann::json::parse(*run_bytes);
        state.rounds_grown = run.at("rounds_grown").get<std::uint64_t>();
        state.best_round = run.at("best_round").get<std::uint64_t>();
        state.best = std::bit_cast<double>(run.at("best").get<std::uint64_t>());
        for (const auto& point : run.at("points")) {
            state.points.push_back({point.at(0).get<std::uint64_t>(),
                                    std::bit_cast<double>(point.at(1).get<std::uint64_t>()),
                                    std::bit_cast<double>(point.at(2).get<std::uint64_t>())});
        }
    } catch (const nlohmann::json::exception& error) {
        throw FormatError("the checkpoint in '" + folder + "' holds a damaged state of boosting: " + error.what());
    }
    return state;
}

}  // namespace

CheckpointedBoosting::CheckpointedBoosting(JobContext& context, store::CheckpointIdentity identity)
    : context_(context), checkpoints_(context, std::move(identity)) {
    const auto* const found = checkpoints_.resumed();
    if (found == nullptr) return;
    resumed_ = comm::agree_on(context.comm, [&] { return parse_state(*found, context.checkpoint.folder); });
}

bool CheckpointedBoosting::stop_after(std::uint64_t rounds_grown,
                                      const std::function<dist::BoostingState()>& make_state) {
    const SafePoint point = checkpoints_.safe_point();
    if (point.save) {
        checkpoints_.save(rounds_grown, [&](store::CheckpointWriter& writer) {
            if (!context_.comm.is_root()) return;
            const dist::BoostingState state = make_state();
            writer.put_text(k_model, formats::write_model(state.ensemble));
            writer.put_text(k_run, run_text(state));
        });
    }
    return point.stop;
}

}  // namespace regrove::pipeline
