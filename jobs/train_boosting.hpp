// The part of job train that boosts: validation rows, a model to go on from, the learning curve.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "regrove/core/option_table.hpp"
#include "regrove/data/table.hpp"
#include "regrove/dist/boosting_grower.hpp"
#include "regrove/model/ensemble.hpp"
#include "regrove/pipeline/checkpointed_boosting.hpp"
#include "regrove/pipeline/job.hpp"
#include "regrove/pipeline/learner.hpp"
#include "regrove/pipeline/load_table.hpp"
#include "regrove/pipeline/output_file.hpp"
#include "regrove/pipeline/table_output.hpp"
#include "regrove/pipeline/training_rows.hpp"

namespace regrove::jobs {

struct BoostingFiles {
    std::string validation;           ///< a table with labels
    std::string continued;            ///< a boosted model
    std::vector<std::string> curves;  ///< outputs: pictures (.svg, .png), JSON or tables
};

void list_options(BoostingFiles& files, OptionTable& table);
/// Throws ConfigError when one of them is given for another method.
void check_files(const BoostingFiles& files, pipeline::Method method);

/// The files that a learning curve goes to, opened before long work.
class CurveOutputs {
  public:
    /// Collective; throws ConfigError and IoError, agreed.
    CurveOutputs(pipeline::JobContext& context, const std::vector<std::string>& paths);
    bool wanted() const { return !paths_.empty(); }
    /// Collective.
    void write(pipeline::JobContext& context, const dist::LearningCurve& curve, const std::string& title);

  private:
    std::vector<std::string> paths_;
    std::vector<std::unique_ptr<pipeline::TableOutput>> tables_;  ///< null where the path is a picture's or JSON's
    std::vector<std::unique_ptr<pipeline::OutputFile>> files_;    ///< of these, on the root
};

/// A boosted model, and who keeps its checkpoints when it was stopped before all rounds were grown.
struct TrainedBoosting {
    model::Ensemble ensemble;
    std::unique_ptr<pipeline::CheckpointedBoosting> stopped;  ///< null: all rounds were grown
};

/// Collective; `target` names the label of a text table. Reports to the summary; provenance is
/// complete. Throws when it was stopped and a checkpoint holds the rounds so far.
TrainedBoosting train_boosting(pipeline::JobContext& context, pipeline::TrainingRows rows,
                               const pipeline::LearnerOptions& learner, const BoostingFiles& files,
                               const std::string& target);

}  // namespace regrove::jobs
