// One reader of the file, so that a file that differs or is lacking on another host cannot split the ranks.
#include "regrove/pipeline/load_model.hpp"

#include "regrove/comm/agreement.hpp"
#include "regrove/formats/registry.hpp"
#include "regrove/pipeline/failure.hpp"

namespace regrove::pipeline {

model::Ensemble load_model(comm::Communicator& comm, const std::string& path) {
    std::string text = comm::agree_on(comm, [&] { return comm.is_root() ? formats::read_model_text(path) : ""; });
    comm.broadcast(text);
    model::Ensemble ensemble;
    agree_plainly(comm, [&] { ensemble = formats::parse_model(text, path); });
    return ensemble;
}

}  // namespace regrove::pipeline
