// Where an explanation goes: the table, the picture, and the summary.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "regrove/model/ensemble.hpp"
#include "regrove/pipeline/explanation.hpp"
#include "regrove/pipeline/explanation_map.hpp"
#include "regrove/pipeline/job.hpp"
#include "regrove/pipeline/output_file.hpp"
#include "regrove/pipeline/table_output.hpp"

#include "explain_options.hpp"

namespace regrove::jobs {

/// Opened before any work is done, so that existing files are refused at once. Collective throughout.
class ExplainOutputs {
  public:
    ExplainOutputs(pipeline::JobContext& context, const ExplainOptions& options);

    /// Reads what is to be drawn beside, and refuses options that do not fit the model.
    void prepare(const model::Ensemble& model);

    /// Table, picture of bars or maps, summary.
    void write(const pipeline::Explanation& explanation, const model::Ensemble& model);

    /// For kinds that have something else to say than an Explanation holds: writes the table, when one is wanted; make() may
    /// throw on all ranks alike.
    void write_table(const std::function<data::TableShard()>& make);
    /// Makes and writes the picture on the root, when one is wanted; make() is the bytes in the format of --picture.
    void write_picture(const std::function<std::string()>& make);

  private:
    void summarise(const pipeline::Explanation& explanation, const model::Ensemble& model);

    void draw_beside(draw::ImageMap& map, const model::Ensemble& model) const;
    std::string picture_of(const pipeline::Explanation& explanation, const model::Ensemble& model) const;

    pipeline::JobContext& context_;
    const ExplainOptions& options_;
    std::optional<pipeline::TableOutput> table_;
    std::unique_ptr<pipeline::OutputFile> picture_;  ///< on the root
    std::optional<pipeline::ImageShape> shape_;
    std::vector<data::TableShard> beside_;  ///< whole on every rank
};

}  // namespace regrove::jobs
