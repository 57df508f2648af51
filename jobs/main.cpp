// Entry point of the one binary.
#include "regrove/pipeline/command.hpp"

#include "job_table.hpp"

int main(int argc, char** argv) {
    return regrove::pipeline::run_command({argv + 1, argv + argc}, regrove::jobs::all_jobs());
}
