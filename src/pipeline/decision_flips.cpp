// Segments meet by name: ranks may have seen different ones.
#include "regrove/pipeline/decision_flips.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "regrove/algebra/monomial_pruning.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/model/link.hpp"
#include "regrove/pipeline/failure.hpp"

namespace regrove::pipeline {

namespace {

bool has_classes(const model::Ensemble& model) {
    return model.task == model::Task::classification && model.outputs() > 2;
}

/// One number a row that decisions hang on: a value, the probability of class 1, or the class.
std::vector<double> answers_of(const model::Ensemble& model, const algebra::Polynomial& polynomial,
                               const data::TableShard& rows) {
    const std::vector<double> scores = algebra::scores_of(polynomial, rows);
    std::vector<double> answers;
    answers.reserve(rows.rows);
    if (model.task == model::Task::regression) {
        for (const double score : scores) answers.push_back(model::linked_value(model.link, score));
        return answers;
    }
    const std::uint32_t classes = model.outputs();
    const std::size_t width = model.scores();
    const std::vector<double> probabilities = model::linked_probabilities(model.link, scores, classes);
    for (std::size_t row = 0; row < rows.rows; ++row) {
        if (classes == 2) {
            answers.push_back(probabilities[row * 2 + 1]);
            continue;
        }
        const auto own = scores.begin() + static_cast<std::ptrdiff_t>(row * width);
        answers.push_back(static_cast<double>(std::max_element(own, own + static_cast<std::ptrdiff_t>(width)) - own));
    }
    return answers;
}

std::vector<std::string> segments_of(const data::TableShard& rows, const std::string& column) {
    if (column.empty()) return std::vector<std::string>(rows.rows, "all");
    check_segment(rows, column);
    const auto at = rows.schema.find(column);
    std::vector<std::string> segments;
    segments.reserve(rows.rows);
    for (std::size_t row = 0; row < rows.rows; ++row) {
        segments.push_back(data::cell_text(rows.schema.columns[*at], rows.values[*at], row));
        if (segments.back().empty()) segments.back() = "(missing)";
    }
    return segments;
}

/// All ranks' names, sorted, none twice.
std::vector<std::string> all_names(comm::Communicator& comm, const std::vector<std::string>& segments) {
    std::vector<std::string> own(segments);
    const auto tidy = [](std::vector<std::string>& names) {
        std::ranges::sort(names);
        names.erase(std::unique(names.begin(), names.end()), names.end());
    };
    tidy(own);
    std::string joined;
    for (const std::string& name : own) joined += name + '\0';
    std::vector<std::string> names;
    for (const std::string& text : comm.gather_all(joined))
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = text.find('\0', at);
            names.push_back(text.substr(at, end - at));
            at = end + 1;
        }
    tidy(names);
    return names;
}

std::string quoted(std::string text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2) text.insert(at, 1, '"');
    return '"' + text + '"';
}

constexpr std::size_t k_most_segments = 10'000;

/// Counts of a segment and cut-off: rows, to yes, to no.
constexpr std::size_t k_counts = 3;

/// What this rank's rows add to the counts, and its flipped rows.
struct OwnFlips {
    std::vector<std::uint64_t> counts;
    std::vector<FlippedRow> rows;
};

class FlipCounter {
  public:
    FlipCounter(const FlipQuestion& question, bool classes, std::size_t segments)
        : question_(question), classes_(classes), decisions_(classes ? 1 : question.cut_offs.size()) {
        flips_.counts.assign(segments * decisions_ * k_counts, 0);
    }

    void add(std::uint64_t row, std::size_t segment, double before, double after) {
        for (std::size_t d = 0; d < decisions_; ++d) {
            std::uint64_t* const counts = flips_.counts.data() + (segment * decisions_ + d) * k_counts;
            ++counts[0];
            const bool was = !classes_ && before > question_.cut_offs[d];
            const bool is = classes_ ? before != after : after > question_.cut_offs[d];
            if (was == is) continue;
            ++counts[is ? 1 : 2];
            if (question_.list_rows) flips_.rows.push_back({row, d, before, after});
        }
    }
    std::size_t decisions() const { return decisions_; }
    OwnFlips& flips() { return flips_; }

  private:
    const FlipQuestion& question_;
    bool classes_;
    std::size_t decisions_;
    OwnFlips flips_;
};

}  // namespace

void check_segment(const data::TableShard& rows, const std::string& column) {
    if (!column.empty() && !rows.schema.find(column))
        throw InputError("--segment: the table has no column '" + column + "'");
}

std::vector<double> checked_cut_offs(const std::vector<std::string>& texts, const model::Ensemble& model) {
    if (has_classes(model)) {
        if (!texts.empty()) throw ConfigError("cut_offs: with three classes and more a decision is the class itself");
        return {};
    }
    std::vector<double> cut_offs;
    for (const std::string& text : texts) {
        const auto number = parse_double(text);
        if (number.status != NumberStatus::ok || !std::isfinite(number.value))
            throw ConfigError("cut_offs: '" + text + "' is no finite number");
        cut_offs.push_back(number.value);
    }
    if (!cut_offs.empty()) return cut_offs;
    if (model.task == model::Task::regression)
        throw ConfigError("cut_offs: name the values at which decisions change; a regression has none of its own");
    return {0.5};
}

DecisionFlips decision_flips(comm::Communicator& comm, const model::Ensemble& model,
                             const algebra::Polynomial& before, const algebra::Polynomial& after,
                             const data::TableShard& rows, const FlipQuestion& question) {
    std::vector<std::string> segments;
    std::vector<double> answers_before;
    std::vector<double> answers_after;
    agree_plainly(comm, [&] {
        segments = segments_of(rows, question.segment);
        answers_before = answers_of(model, before, rows);
        answers_after = answers_of(model, after, rows);
    });
    const std::vector<std::string> names = all_names(comm, segments);
    agree_plainly(comm, [&] {
        if (names.size() > k_most_segments)
            throw LimitError("--segment: column '" + question.segment + "' has " + std::to_string(names.size()) +
                             " values, more than " + std::to_string(k_most_segments) +
                             " segments; give a column that divides the rows into groups");
    });
    const bool classes = has_classes(model);
    FlipCounter counter(question, classes, names.size());
    for (std::size_t row = 0; row < rows.rows; ++row) {
        const auto at = std::ranges::lower_bound(names, segments[row]);
        counter.add(rows.first_row + row, static_cast<std::size_t>(at - names.begin()), answers_before[row],
                    answers_after[row]);
    }
    OwnFlips& own = counter.flips();
    comm.sum(std::span<std::uint64_t>(own.counts));
    DecisionFlips flips;
    for (std::size_t i = 0; i < own.counts.size() / k_counts; ++i) {
        const std::uint64_t* const counts = own.counts.data() + i * k_counts;
        const double cut_off =
            classes ? std::numeric_limits<double>::quiet_NaN() : question.cut_offs[i % counter.decisions()];
        flips.counts.push_back({names[i / counter.decisions()], cut_off, counts[0], counts[1], counts[2]});
    }
    const std::string bytes(reinterpret_cast<const char*>(own.rows.data()), own.rows.size() * sizeof(FlippedRow));
    for (const std::string& of_rank : comm.gather(bytes)) {
        const std::size_t count = of_rank.size() / sizeof(FlippedRow);
        const std::size_t old = flips.rows.size();
        flips.rows.resize(old + count);
        std::copy(of_rank.begin(), of_rank.end(), reinterpret_cast<char*>(flips.rows.data() + old));
    }
    return flips;
}

std::string flip_counts_csv(const DecisionFlips& flips) {
    std::string text = "segment,cut_off,rows,flips,to_yes,to_no\n";
    for (const FlipCount& count : flips.counts) {
        text += quoted(count.segment) + ',' + (std::isnan(count.cut_off) ? "" : to_text(count.cut_off)) + ',' +
                std::to_string(count.rows) + ',' + std::to_string(count.to_yes + count.to_no) + ',';
        text += std::isnan(count.cut_off) ? ",\n"
                                          : std::to_string(count.to_yes) + ',' + std::to_string(count.to_no) + '\n';
    }
    return text;
}

std::string flipped_rows_csv(const DecisionFlips& flips, const FlipQuestion& question, const model::Ensemble& model) {
    const bool classes = has_classes(model);
    const auto answer_text = [&](double answer) {
        return classes ? quoted(model.classes[static_cast<std::size_t>(answer)]) : to_text(answer);
    };
    std::string text = "row,cut_off,before,after\n";
    for (const FlippedRow& row : flips.rows)
        text += std::to_string(row.row) + ',' + (classes ? "" : to_text(question.cut_offs[row.cut_off])) + ',' +
                answer_text(row.before) + ',' + answer_text(row.after) + '\n';
    return text;
}

}  // namespace regrove::pipeline
