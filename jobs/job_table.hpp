// The table of jobs: `regrove --help`, the parser and the tests read it.
#pragma once

#include <span>

#include "regrove/pipeline/job.hpp"

namespace regrove::jobs {

std::span<const pipeline::JobRow> all_jobs();

// One row from each file of this folder.
pipeline::JobRow ingest_job();
pipeline::JobRow generate_job();
pipeline::JobRow bin_job();
pipeline::JobRow train_job();
pipeline::JobRow crossvalidate_job();
pipeline::JobRow stability_job();
pipeline::JobRow search_job();
pipeline::JobRow predict_job();
pipeline::JobRow evaluate_job();
pipeline::JobRow prune_job();
pipeline::JobRow monoforest_job();
pipeline::JobRow convert_job();
pipeline::JobRow cost_job();
pipeline::JobRow explain_job();
pipeline::JobRow reborn_job();
pipeline::JobRow growth_job();
pipeline::JobRow verify_job();
pipeline::JobRow draw_job();
pipeline::JobRow run_job();

}  // namespace regrove::jobs
