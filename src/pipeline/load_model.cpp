// One reader of the file, so that a file that differs or is lacking on another host cannot split the ranks.
#include "regrove/pipeline/load_model.hpp"

#include "regrove/comm/agreement.hpp"
#include "regrove/formats/registry.hpp"

namespace regrove::pipeline {

model::Ensemble load_model(comm::Communicator& comm, const std::string& path) {
    std::string text = comm::agree_on(comm, [&] { return comm.is_root() ? formats::read_model_text(path) : ""; });
    comm.broadcast(text);
    return comm::agree_on(comm, [&] { return formats::parse_model(text, path); });
}

}  // namespace regrove::pipeline
