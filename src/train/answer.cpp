#include "regrove/train/answer.hpp"

namespace regrove::train {

namespace {

template <class Asked>
std::optional<model::Side> ask(const Asked& asked, const data::ColumnValues& values, std::size_t row) {
    using model::Side;
    if (asked.kind == model::QuestionKind::category) {
        const std::int32_t code = std::get<std::vector<std::int32_t>>(values)[row];
        if (code < 0) return std::nullopt;
        return model::contains(asked.right_categories, static_cast<std::uint32_t>(code)) ? Side::right : Side::left;
    }
    const double value =
        data::as_double(data::ColumnType::int32, values, row);  // any numeric column: its cells decide
    if (value != value) return std::nullopt;
    return value > asked.threshold ? Side::right : Side::left;
}

}  // namespace

std::optional<model::Side> answer(const model::Question& question, const data::ColumnValues& values,
                                  std::size_t row) {
    return ask(question, values, row);
}

std::optional<model::Side> answer(const model::Surrogate& surrogate, const data::ColumnValues& values,
                                  std::size_t row) {
    // A category that training did not see at this node answers nothing: the next surrogate is asked, as in prediction.
    if (surrogate.kind == model::QuestionKind::category) {
        const std::int32_t code = std::get<std::vector<std::int32_t>>(values)[row];
        if (code < 0 || !model::contains(surrogate.seen_categories, static_cast<std::uint32_t>(code)))
            return std::nullopt;
    }
    const auto side = ask(surrogate, values, row);
    if (!side || !surrogate.reversed) return side;
    return *side == model::Side::left ? model::Side::right : model::Side::left;
}

model::Side side_of(const model::Question& question, const std::vector<data::ColumnValues>& columns,
                    std::size_t row) {
    if (const auto own = answer(question, columns[index(question.feature)], row)) return *own;
    for (const auto& surrogate : question.surrogates) {
        if (const auto side = answer(surrogate, columns[index(surrogate.feature)], row)) return *side;
    }
    return question.missing_side;
}

}  // namespace regrove::train
