// What `regrove --version` prints: the versions that a bug report needs.
#pragma once

#include <string>

namespace regrove::pipeline {

std::string version_report(bool as_json);

}  // namespace regrove::pipeline
