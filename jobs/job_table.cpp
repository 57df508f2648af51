// The rows of all jobs, in the order of `regrove --help`: a new job adds its line here.
#include "job_table.hpp"

#include <vector>

namespace regrove::jobs {

std::span<const pipeline::JobRow> all_jobs() {
    static const std::vector<pipeline::JobRow> rows{
        ingest_job(),         // tables
        generate_job(),       //
        bin_job(),            //
        train_job(),          // models
        crossvalidate_job(),  //
        stability_job(),      //
        search_job(),         //
        predict_job(),        //
        evaluate_job(),       //
        prune_job(),          //
        monoforest_job(),     //
        convert_job(),        //
        cost_job(),           //
        explain_job(),        //
        reborn_job(),         //
        growth_job(),         //
        verify_job(),         //
        draw_job(),           //
        run_job(),            // runs
    };
    return rows;
}

}  // namespace regrove::jobs
