// The forest as its file's bytes, which read back to the same trees to the last bit.
#include "regrove/pipeline/checkpointed_forest.hpp"

#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/formats/registry.hpp"

namespace regrove::pipeline {

namespace {

constexpr const char* k_forest = "forest";

}  // namespace

CheckpointedForest::CheckpointedForest(JobContext& context, store::CheckpointIdentity identity)
    : context_(context), checkpoints_(context, std::move(identity)) {
    const auto* const found = checkpoints_.resumed();
    if (found == nullptr) return;
    resumed_ = comm::agree_on(context.comm, [&] {
        const std::string& folder = context.checkpoint.folder;
        const auto text = found->text(k_forest);
        if (!text) throw FormatError("the checkpoint in '" + folder + "' holds no forest");
        return formats::parse_model(*text, folder);
    });
}

bool CheckpointedForest::stop_after(std::uint64_t trees, const std::function<model::Ensemble()>& make_forest) {
    const SafePoint point = checkpoints_.safe_point();
    if (point.save) {
        checkpoints_.save(trees, [&](store::CheckpointWriter& writer) {
            if (context_.comm.is_root()) writer.put_text(k_forest, formats::write_model(make_forest()));
        });
    }
    return point.stop;
}

}  // namespace regrove::pipeline
