// Every method deals some order of the rows out to the folds; they differ in the order.
#include "regrove/train/folds.hpp"

#include <algorithm>
#include <compare>
#include <functional>
#include <numeric>
#include <queue>
#include <unordered_map>
#include <utility>

#include "regrove/core/error.hpp"
#include "regrove/core/keyed_permutation.hpp"
#include "regrove/core/random.hpp"

namespace regrove::train {

namespace {

using data::ColumnRole;

// Streams are told apart by their upper bits (train/forest_random.cpp has 1 and 2).
constexpr std::uint64_t k_order_streams = std::uint64_t{3} << 56U;
constexpr std::uint64_t k_block_streams = std::uint64_t{4} << 56U;

KeyedPermutation random_order(FoldOrder order, std::uint64_t size) {
    return KeyedPermutation(order.seed, k_order_streams | order.repeat, size);
}

void require_enough(std::uint64_t folds, std::uint64_t available, const std::string& what) {
    if (folds < 2) throw ConfigError("--folds " + std::to_string(folds) + ": a cross-validation needs at least 2");
    if (folds > available) {
        throw ConfigError("--folds " + std::to_string(folds) + ": the table has only " + std::to_string(available) +
                          " " + what + ", and each fold needs at least one; ask for at most as many folds");
    }
}

/// The rows in random order.
std::vector<std::uint64_t> shuffled_rows(std::uint64_t rows, FoldOrder order) {
    const KeyedPermutation place = random_order(order, rows);
    std::vector<std::uint64_t> shuffled(rows);
    for (std::uint64_t row = 0; row < rows; ++row) shuffled[place(row)] = row;
    return shuffled;
}

/// The folds 0 .. folds - 1 in random order, for a block of neighbouring labels.
void shuffle_block(std::vector<std::uint32_t>& block, const CounterRandom& random, std::uint64_t first_index) {
    std::iota(block.begin(), block.end(), 0U);
    for (std::size_t i = 0; i + 1 < block.size(); ++i)
        std::swap(block[i], block[i + random.below(first_index + i, block.size() - i)]);
}

/// The column with this role; throws naming the options that would give the table one.
std::size_t column_of(const data::Schema& schema, ColumnRole role, std::string_view method) {
    if (const auto column = schema.find(role)) return *column;
    const std::string name(data::to_text(role));
    throw ConfigError("--split " + std::string(method) + ": the table has no " + name + " column; name it with --" +
                      (role == ColumnRole::label ? "target" : name));
}

void require_present(const data::TableShard& whole, std::size_t column) {
    const data::ColumnSchema& schema = whole.schema.columns[column];
    for (std::uint64_t row = 0; row < whole.rows; ++row) {
        if (!data::is_missing(schema.type, whole.values[column], row)) continue;
        throw InputError(std::string(data::to_text(schema.role)) + " '" + schema.name + "', row " +
                         std::to_string(row + 1) + ": the value is missing; fill it in or leave the row out");
    }
}

/// Cells numbered densely from zero in the order of first appearance.
struct NumberedCells {
    std::vector<std::uint32_t> of_row;
    std::vector<std::uint64_t> first_rows;
};

NumberedCells number_cells(const data::TableShard& whole, std::size_t column) {
    NumberedCells numbered;
    numbered.of_row.reserve(whole.rows);
    std::visit(
        [&](const auto& cells) {
            std::unordered_map<typename std::decay_t<decltype(cells)>::value_type, std::uint32_t> number;
            for (std::uint64_t row = 0; row < whole.rows; ++row) {
                const auto next = static_cast<std::uint32_t>(number.size());
                const auto [found, is_new] = number.emplace(cells[row], next);
                if (is_new) numbered.first_rows.push_back(row);
                numbered.of_row.push_back(found->second);
            }
        },
        whole.values[column]);
    return numbered;
}

std::vector<double> numbers(const data::TableShard& whole, std::size_t column) {
    std::vector<double> values(whole.rows);
    for (std::uint64_t row = 0; row < whole.rows; ++row)
        values[row] = data::as_double(whole.schema.columns[column].type, whole.values[column], row);
    return values;
}

/// Numbers the values of the fold column in ascending order (categories in the order of their dictionary).
void take_given(const data::TableShard& whole, std::size_t column, Folds& folds) {
    const NumberedCells cells = number_cells(whole, column);
    std::vector<std::uint32_t> ascending(cells.first_rows.size());
    std::iota(ascending.begin(), ascending.end(), 0U);
    std::visit(
        [&](const auto& values) {
            std::ranges::sort(ascending, [&](std::uint32_t a, std::uint32_t b) {
                return values[cells.first_rows[a]] < values[cells.first_rows[b]];
            });
        },
        whole.values[column]);
    folds.count = static_cast<std::uint32_t>(ascending.size());
    if (folds.count < 2) {
        throw ConfigError("--split given: the fold column '" + whole.schema.columns[column].name +
                          "' has only one value; a cross-validation needs at least 2 folds");
    }
    std::vector<std::uint32_t> fold_of(ascending.size());
    for (std::uint32_t fold = 0; fold < folds.count; ++fold) {
        fold_of[ascending[fold]] = fold;
        folds.names.push_back(
            data::cell_text(whole.schema.columns[column], whole.values[column], cells.first_rows[ascending[fold]]));
    }
    folds.of_row = cells.of_row;
    for (auto& fold : folds.of_row) fold = fold_of[fold];
}

void stratify_classes(const data::TableShard& whole, std::size_t label, FoldOrder order, Folds& folds) {
    const NumberedCells classes = number_cells(whole, label);
    folds.of_row = stratified_folds(classes.of_row, folds.count, order);
    std::vector<std::uint64_t> sizes(classes.first_rows.size(), 0);
    for (const auto k : classes.of_row) sizes[k] += 1;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
        if (sizes[k] >= folds.count) continue;
        folds.warnings.push_back(
            "class '" + data::cell_text(whole.schema.columns[label], whole.values[label], classes.first_rows[k]) +
            "' has " + std::to_string(sizes[k]) + (sizes[k] == 1 ? " row" : " rows") + ", fewer than the " +
            std::to_string(folds.count) + " folds: some folds hold none");
    }
}

FoldMethod resolve(FoldMethod method, const data::Schema& schema, Criterion criterion) {
    if (method != FoldMethod::automatic) return method;
    if (schema.find(ColumnRole::fold)) return FoldMethod::given;
    if (schema.find(ColumnRole::group)) return FoldMethod::grouped;
    const auto label = schema.find(ColumnRole::label);
    return label && !label_is_a_number(schema.columns[*label], criterion) ? FoldMethod::stratified
                                                                          : FoldMethod::plain;
}

}  // namespace

std::string_view to_text(FoldMethod method) {
    switch (method) {
        case FoldMethod::automatic:
            return "auto";
        case FoldMethod::plain:
            return "plain";
        case FoldMethod::stratified:
            return "stratified";
        case FoldMethod::grouped:
            return "grouped";
        case FoldMethod::given:
            break;
    }
    return "given";
}

void list_options(FoldOptions& options, OptionTable& table) {
    table.add("folds", options.folds, 2, 1000000, "parts that the rows are divided into; each is held out once");
    Choices<FoldMethod> methods;
    for (const FoldMethod method :
         {FoldMethod::automatic, FoldMethod::plain, FoldMethod::stratified, FoldMethod::grouped, FoldMethod::given})
        methods.emplace_back(to_text(method), method);
    table.add(
        "split", options.method, methods,
        "how rows come into folds: at random, with equal shares of classes (or label ranges), by whole groups, or "
        "as the fold column says; auto: given or grouped if there is such a column, else stratified (classes) or "
        "plain (numbers)");
}

std::vector<std::uint32_t> plain_folds(std::uint64_t rows, std::uint32_t folds, FoldOrder order) {
    require_enough(folds, rows, "rows");
    const KeyedPermutation place = random_order(order, rows);
    std::vector<std::uint32_t> fold(rows);
    for (std::uint64_t row = 0; row < rows; ++row) fold[row] = static_cast<std::uint32_t>(place(row) % folds);
    return fold;
}

std::vector<std::uint32_t> stratified_folds(std::span<const std::uint32_t> classes, std::uint32_t folds,
                                            FoldOrder order) {
    require_enough(folds, classes.size(), "rows");
    // Rows in random order, class behind class, are dealt out round: consecutive places go to different folds.
    std::vector<std::uint64_t> next(classes.empty() ? 1 : *std::ranges::max_element(classes) + std::size_t{2}, 0);
    for (const auto k : classes) next[k + 1] += 1;
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<std::uint32_t> fold(classes.size());
    for (const auto row : shuffled_rows(classes.size(), order))
        fold[row] = static_cast<std::uint32_t>(next[classes[row]]++ % folds);
    return fold;
}

std::vector<std::uint32_t> stratified_folds(std::span<const double> labels, std::uint32_t folds, FoldOrder order) {
    require_enough(folds, labels.size(), "rows");
    std::vector<std::uint64_t> ascending = shuffled_rows(labels.size(), order);
    std::ranges::stable_sort(ascending, {}, [&](std::uint64_t row) { return labels[row]; });
    const CounterRandom random(order.seed, k_block_streams | order.repeat);
    std::vector<std::uint32_t> fold(labels.size());
    std::vector<std::uint32_t> block(folds);
    for (std::uint64_t place = 0; place < ascending.size(); ++place) {
        if (place % folds == 0) shuffle_block(block, random, place);
        fold[ascending[place]] = block[place % folds];
    }
    return fold;
}

std::vector<std::uint32_t> grouped_folds(std::span<const std::uint32_t> groups, std::uint32_t folds,
                                         FoldOrder order) {
    std::vector<std::uint64_t> sizes(groups.empty() ? 0 : *std::ranges::max_element(groups) + std::size_t{1}, 0);
    for (const auto group : groups) sizes[group] += 1;
    require_enough(folds, sizes.size(), "groups");
    std::vector<std::uint64_t> largest_first = shuffled_rows(sizes.size(), order);
    std::ranges::stable_sort(largest_first, std::ranges::greater{},
                             [&](std::uint64_t group) { return sizes[group]; });
    struct Fullness {
        std::uint64_t rows;
        std::uint32_t fold;
        auto operator<=>(const Fullness&) const = default;
    };
    std::priority_queue<Fullness, std::vector<Fullness>, std::greater<>> emptiest_first;
    for (std::uint32_t fold = 0; fold < folds; ++fold) emptiest_first.push({0, fold});
    std::vector<std::uint32_t> fold_of(sizes.size());
    for (const auto group : largest_first) {
        Fullness emptiest = emptiest_first.top();
        emptiest_first.pop();
        fold_of[group] = emptiest.fold;
        emptiest.rows += sizes[group];
        emptiest_first.push(emptiest);
    }
    std::vector<std::uint32_t> fold(groups.size());
    for (std::size_t row = 0; row < groups.size(); ++row) fold[row] = fold_of[groups[row]];
    return fold;
}

bool label_is_a_number(const data::ColumnSchema& label, Criterion criterion) {
    if (label.type == data::ColumnType::category || label.type == data::ColumnType::text) return false;
    return label.type == data::ColumnType::float32 || label.type == data::ColumnType::float64 ||
           criterion == Criterion::squared_error;
}

Folds assign_folds(const data::TableShard& whole, const FoldOptions& options, Criterion criterion, FoldOrder order) {
    Folds folds;
    folds.count = options.folds;
    folds.method = resolve(options.method, whole.schema, criterion);
    if (folds.method == FoldMethod::plain) {
        folds.of_row = plain_folds(whole.rows, folds.count, order);
        return folds;
    }
    const ColumnRole role = folds.method == FoldMethod::stratified ? ColumnRole::label
                            : folds.method == FoldMethod::grouped  ? ColumnRole::group
                                                                   : ColumnRole::fold;
    const std::size_t column = column_of(whole.schema, role, to_text(folds.method));
    require_present(whole, column);
    if (folds.method == FoldMethod::given) {
        take_given(whole, column, folds);
    } else if (folds.method == FoldMethod::grouped) {
        folds.of_row = grouped_folds(number_cells(whole, column).of_row, folds.count, order);
    } else if (label_is_a_number(whole.schema.columns[column], criterion)) {
        folds.of_row = stratified_folds(numbers(whole, column), folds.count, order);
    } else {
        stratify_classes(whole, column, order, folds);
    }
    return folds;
}

}  // namespace regrove::train
