// One reader of the file, so that a file that differs or is lacking on another host cannot split the ranks.
#include "regrove/pipeline/load_model.hpp"

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/formats/registry.hpp"
#include "regrove/infer/initial_scores.hpp"
#include "regrove/pipeline/failure.hpp"

namespace regrove::pipeline {

model::Ensemble load_model(comm::Communicator& comm, const std::string& path) {
    std::string text = comm::agree_on(comm, [&] { return comm.is_root() ? formats::read_model_text(path) : ""; });
    comm.broadcast(text);
    model::Ensemble ensemble;
    agree_plainly(comm, [&] { ensemble = formats::parse_model(text, path); });
    return ensemble;
}

void require_no_initial_scores(const model::Ensemble& ensemble, const std::string& what) {
    const std::string column = infer::initial_score_column(ensemble);
    if (column.empty()) return;
    throw ConfigError(what + " asks the trees alone, but the model was trained with --initial-score " + column +
                      ": what it answers depends on that column of each row, too; take a model trained without it");
}

}  // namespace regrove::pipeline
