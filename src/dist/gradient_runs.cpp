// One rank reads its rows in the columns' order; several send slots and read what they hold place by place.
#include "regrove/dist/gradient_runs.hpp"

#include <algorithm>
#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/parallel.hpp"

namespace regrove::dist {

namespace {

constexpr std::uint64_t k_exchange_buffer_bytes = std::uint64_t{24} << 20U;
constexpr std::size_t k_rows_a_block = std::size_t{1} << 16U;
constexpr std::size_t k_rows_a_read = 512;
constexpr std::size_t k_rows_ahead = 48;

std::int64_t gradient_of(std::uint32_t packed) { return static_cast<std::int16_t>(packed >> 16U); }
std::int64_t hessian_of(std::uint32_t packed) { return static_cast<std::int64_t>(packed & 0xffffU); }

}  // namespace

/// Small enough to stay in the first cache beside the nodes' states.
struct GradientRuns::Block {
    std::array<std::uint32_t, k_rows_a_read> slots;
    std::array<std::uint32_t, k_rows_a_read> codes;
    std::array<std::int64_t, k_rows_a_read> gradients;
    std::array<std::int64_t, k_rows_a_read> hessians;

    train::GradientBlock view(std::size_t count, std::uint64_t first_position) const {
        return {count, slots.data(), codes.data(), gradients.data(), hessians.data(), first_position};
    }
};

GradientRuns::GradientRuns(comm::Communicator& comm, const std::vector<data::ColumnValues>& columns,
                           std::vector<std::uint32_t> numeric, const std::vector<bool>& left_out)
    : comm_(comm), runs_(comm, columns, std::move(numeric), left_out) {
    if (!runs_.numeric().empty()) row_count_ = data::row_count(columns[runs_.numeric()[0]]);
    for (const auto column : runs_.numeric()) {
        const ColumnRun& run = runs_.run(column);
        widest_run_ = std::max<std::uint64_t>(widest_run_, run.order.size() + run.size);
    }
    std::array<std::uint64_t, 2> most{widest_run_, thread_count()};
    comm_.max(std::span<std::uint64_t>(most));
    widest_run_ = most[0];
    fewest_columns_ = most[1];
    held_packed_.resize(columns.size());
    held_gradient_.resize(columns.size());
    held_hessian_.resize(columns.size());
}

void GradientRuns::take_packed(const train::TreeRows& rows) {
    auto& records = records_;
    auto& words = packed_of_row_;
    const bool alone = records_alone();
    records.assign(alone ? row_count_ : 0, ~std::uint64_t{0} << 32U);
    words.assign(alone ? 0 : row_count_, 0);
    parallel_for_blocks(rows.entries.size(), k_rows_a_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const train::RowEntry entry = rows.entries[i];
            const auto packed = static_cast<std::uint32_t>(entry);
            if (alone) {
                records[train::row_of(entry)] |= packed;
            } else {
                words[train::row_of(entry)] = packed;
            }
        }
    });
}

void GradientRuns::start_tree(const train::TreeRows& rows) {
    rows_ = &rows;
    packed_ = rows.grid.packed;
    comm::agree_on(comm_, [&] {
        slots_.assign(records_alone() ? 0 : row_count_, train::k_closed_slot);
        if (packed_) take_packed(rows);
    });
    if (comm_.size() > 1) send_gradients(rows);
}

void GradientRuns::send_gradients(const train::TreeRows& rows) {
    RowMessages messages;
    messages.keys = packed_ ? packed_of_row_ : slots_;
    messages.largest_key = packed_ ? train::k_closed_key - 1 : 0;  // four bytes, or one that says nothing
    messages.has_targets = messages.has_weights = !packed_;
    if (!packed_) {
        messages.targets = rows.gradient;
        messages.weights = rows.hessian;
    }
    const auto numeric = runs_.numeric();
    const std::size_t step = columns_a_batch(messages);
    for (std::size_t begin = 0; begin < numeric.size(); begin += step) {
        const auto batch = numeric.subspan(begin, std::min(step, numeric.size() - begin));
        const RunExchange exchange(comm_, runs_, batch, messages);
        comm::agree_on(comm_, [&] {
            parallel_for(batch.size(), [&](std::size_t i) {
                const std::uint64_t size = runs_.run(batch[i]).size;
                auto& words = held_packed_[batch[i]];
                auto& gradients = held_gradient_[batch[i]];
                auto& hessians = held_hessian_[batch[i]];
                words.resize(packed_ ? size : 0);
                gradients.resize(packed_ ? 0 : size);
                hessians.resize(packed_ ? 0 : size);
                exchange.read(i, [&](const train::EntryBlock& block) {
                    const auto at = static_cast<std::ptrdiff_t>(block.first_position);
                    if (packed_) {
                        std::copy_n(block.keys, block.count, words.begin() + at);
                    } else {
                        std::copy_n(block.targets, block.count, gradients.begin() + at);
                        std::copy_n(block.weights, block.count, hessians.begin() + at);
                    }
                });
            });
        });
    }
}

void GradientRuns::set_slots(std::span<const train::ThresholdNode> nodes) {
    largest_slot_ = nodes.empty() ? 0 : static_cast<std::uint32_t>(nodes.size() - 1);
    const bool alone = records_alone();
    parallel_for_blocks(row_count_, k_rows_a_block, [&](std::size_t begin, std::size_t end) {
        if (!alone)
            std::fill(slots_.begin() + static_cast<std::ptrdiff_t>(begin),
                      slots_.begin() + static_cast<std::ptrdiff_t>(end), train::k_closed_slot);
        for (std::size_t row = begin; alone && row < end; ++row) records_[row] |= ~std::uint64_t{0} << 32U;
    });
    parallel_for(nodes.size(), [&](std::size_t slot) {
        for (const train::RowEntry entry : nodes[slot].rows) {
            const std::uint32_t row = train::row_of(entry);
            if (alone) {
                records_[row] = (std::uint64_t{slot} << 32U) | static_cast<std::uint32_t>(entry);
            } else {
                slots_[row] = static_cast<std::uint32_t>(slot);
            }
        }
    });
}

SweptRow GradientRuns::row(std::uint32_t row) const {
    if (records_alone()) {
        const auto packed = static_cast<std::uint32_t>(records_[row]);
        return {static_cast<std::uint32_t>(records_[row] >> 32U), gradient_of(packed), hessian_of(packed)};
    }
    if (packed_) return {slots_[row], gradient_of(packed_of_row_[row]), hessian_of(packed_of_row_[row])};
    return {slots_[row], rows_->gradient[row], rows_->hessian[row]};
}

RowMessages GradientRuns::slot_messages() const {
    RowMessages messages;
    messages.keys = slots_;
    messages.largest_key = largest_slot_;
    return messages;
}

std::size_t GradientRuns::columns_a_batch() const { return columns_a_batch(slot_messages()); }

std::size_t GradientRuns::columns_a_batch(const RowMessages& messages) const {
    if (comm_.size() == 1) return std::max<std::size_t>(runs_.numeric().size(), 1);
    ColumnRun one;
    one.size = 1;
    const std::uint64_t item_bytes = RunExchange::buffer_bytes(one, messages);
    return std::max(k_exchange_buffer_bytes / (item_bytes * widest_run_), fewest_columns_);
}

GradientRuns::Pass::Pass(const GradientRuns& gradients, std::span<const std::uint32_t> columns)
    : gradients_(gradients), columns_(columns.begin(), columns.end()) {
    if (gradients.comm_.size() == 1) return;
    exchange_.emplace(gradients.comm_, gradients.runs_, columns_, gradients.slot_messages());
}

void GradientRuns::Pass::read(std::size_t i, const std::function<void(const train::GradientBlock&)>& consume) const {
    const ColumnRun& run = gradients_.runs_.run(columns_[i]);
    if (!exchange_) return read_alone(run, consume);
    const auto& words = gradients_.held_packed_[columns_[i]];
    std::vector<std::int64_t> gradients;
    std::vector<std::int64_t> hessians;
    exchange_->read(i, [&](const train::EntryBlock& block) {
        if (!gradients_.packed_) {
            consume({block.count, block.keys, block.codes,
                     gradients_.held_gradient_[columns_[i]].data() + block.first_position,
                     gradients_.held_hessian_[columns_[i]].data() + block.first_position, block.first_position});
            return;
        }
        gradients.resize(block.count);
        hessians.resize(block.count);
        for (std::size_t e = 0; e < block.count; ++e) {
            const std::uint32_t packed = words[block.first_position + e];
            gradients[e] = gradient_of(packed);
            hessians[e] = hessian_of(packed);
        }
        consume({block.count, block.keys, block.codes, gradients.data(), hessians.data(), block.first_position});
    });
}

void GradientRuns::Pass::read_alone(const ColumnRun& run,
                                    const std::function<void(const train::GradientBlock&)>& consume) const {
    Block block;
    std::uint32_t code = 0;
    const std::uint64_t* const records = gradients_.records_.data();
    const bool packed = gradients_.records_alone();
    for (std::uint64_t position = 0; position < run.size; position += k_rows_a_read) {
        const std::size_t count = std::min<std::uint64_t>(k_rows_a_read, run.size - position);
        const std::uint32_t* const order = run.order.data() + position;
        const std::size_t fetched = std::min<std::uint64_t>(count, run.size - position - count);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t row = order[i] & ~k_new_value_row;
            code += order[i] >> 31U;
            block.codes[i] = code;
            if (packed) {
                const std::uint64_t record = records[row];
                if (i < fetched) __builtin_prefetch(records + (order[i + k_rows_ahead] & ~k_new_value_row));
                block.slots[i] = static_cast<std::uint32_t>(record >> 32U);
                block.gradients[i] = gradient_of(static_cast<std::uint32_t>(record));
                block.hessians[i] = hessian_of(static_cast<std::uint32_t>(record));
            } else {
                block.slots[i] = gradients_.slots_[row];
                block.gradients[i] = gradients_.rows_->gradient[row];
                block.hessians[i] = gradients_.rows_->hessian[row];
            }
        }
        consume(block.view(count, position));
    }
}

}  // namespace regrove::dist
