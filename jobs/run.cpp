// The job that runs a pipeline of other jobs in one run directory.
#include "regrove/pipeline/run_pipeline.hpp"

#include "job_table.hpp"

namespace regrove::jobs {

namespace {

class RunJob final : public pipeline::Job {
  public:
    void list_options(OptionTable& table) override { pipeline::list_options(options_, table); }
    void run(pipeline::JobContext& context) override { pipeline::run_pipeline(context, options_, all_jobs()); }

  private:
    pipeline::RunOptions options_;
};

}  // namespace

pipeline::JobRow run_job() {
    pipeline::JobRow row;
    row.name = "run";
    row.purpose = "run the stages of a pipeline in one run directory, skipping what is done already";
    row.group = "runs";
    row.example = "regrove run configs/quickstart.toml --dir quickstart.run";
    row.make = [] { return std::make_unique<RunJob>(); };
    row.positionals = {"pipeline"};
    row.has_stages = true;
    return row;
}

}  // namespace regrove::jobs
