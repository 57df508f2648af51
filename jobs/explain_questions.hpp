// Gains, counts and weights of a model's questions, by feature, as columns and words.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "regrove/infer/gain_importance.hpp"
#include "regrove/model/ensemble.hpp"
#include "regrove/pipeline/explanation.hpp"

namespace regrove::jobs {

class QuestionFigures {
  public:
    explicit QuestionFigures(const model::Ensemble& model) : features_(infer::gain_importance(model)) {}

    /// Features by falling value, with "0.1423 (7 splits)" and what bars tell in detail.
    std::vector<pipeline::ExplainedSubject> subjects(
        const std::function<double(const infer::GainImportance&)>& value) const;
    const infer::GainImportance& of(const pipeline::ExplainedSubject& subject) const {
        return features_[subject.feature];
    }

    // Columns of the table.
    pipeline::FigureColumn gains(const std::vector<pipeline::ExplainedSubject>& subjects) const;
    pipeline::FigureColumn splits(const std::vector<pipeline::ExplainedSubject>& subjects) const;
    pipeline::FigureColumn covers(const std::vector<pipeline::ExplainedSubject>& subjects) const;

    /// "\n7 splits, cover 297".
    static std::string details(const infer::GainImportance& feature);

  private:
    std::vector<infer::GainImportance> features_;
};

}  // namespace regrove::jobs
