#include "regrove/pipeline/version_report.hpp"

#include <nlohmann/json.hpp>

#include "regrove/comm/mpi_session.hpp"
#include "regrove/core/version.hpp"
#include "regrove/store/hdf5_version.hpp"

namespace regrove::pipeline {

std::string version_report(bool as_json) {
    const std::string mpi = comm::mpi_version_text();
    const std::string hdf5 = store::hdf5_version_text();
    if (!as_json)
        return "regrove " + version_text() + "\nbuild  " + build_text() + "\nMPI    " + mpi + "\nHDF5   " + hdf5 +
               "\n";
    nlohmann::ordered_json json;
    json["version"] = version_text();
    json["results_version"] = k_results_version;
    json["build"] = build_text();
    json["compiler"] = __VERSION__;
    json["mpi"] = mpi;
    json["hdf5"] = hdf5;
    return json.dump(2) + "\n";
}

}  // namespace regrove::pipeline
