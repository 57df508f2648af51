// Models: what is read is valid, and survives writing and reading again.
#include "regrove/formats/registry.hpp"
#include "regrove/model/ensemble_builder.hpp"

#include "fuzz/fuzz_target.hpp"

namespace regrove::fuzz {
namespace {

void run(std::string_view text) {
    const model::Ensemble ensemble = formats::parse_model(text, "input");
    model::validate(ensemble);
    const std::string written = formats::write_model(ensemble);
    const model::Ensemble again = formats::parse_model(written, "written");
    require(formats::write_model(again) == written, "a model that was read survives a round trip");
}

}  // namespace

Target model_target() {
    return {"model",
            run,
            {"{", "}", "[", "]", ",", ":", "\"", "null", "1e999", "-1", "4294967295", "\\u0000", "\"left\":"},
            6000};
}

}  // namespace regrove::fuzz
