#include "regrove/dist/run_reader.hpp"

#include <algorithm>
#include <cstring>

namespace regrove::dist {

namespace {

/// The narrowest unsigned width in which all keys and the closed mark (all ones) are apart.
unsigned key_width(std::uint32_t largest_key) {
    if (largest_key < 0xffU) return 1;
    if (largest_key < 0xffffU) return 2;
    return 4;
}

}  // namespace

RunExchange::RunExchange(comm::Communicator& comm, const ColumnRuns& runs, std::span<const std::uint32_t> columns,
                         const RowMessages& messages)
    : comm_(comm), runs_(runs), columns_(columns.begin(), columns.end()), messages_(messages) {
    if (comm_.size() == 1) return;
    key_bytes_ = key_width(messages.largest_key);
    // The closed key is all ones, so that cutting it to fewer bytes leaves all ones.
    const auto key = [&](std::uint32_t row) { return messages_.keys[row]; };
    if (key_bytes_ == 1)
        keys_ = exchange_items<std::uint8_t>(key);
    else if (key_bytes_ == 2)
        keys_ = exchange_items<std::uint16_t>(key);
    else
        keys_ = exchange_items<std::uint32_t>(key);
    if (messages_.has_targets) {
        targets_ = exchange_items<std::int64_t>([&](std::uint32_t row) { return messages_.targets[row]; });
    }
    if (messages_.has_weights) {
        weights_ = exchange_items<std::int64_t>([&](std::uint32_t row) { return messages_.weights[row]; });
    }
}

std::uint64_t RunExchange::buffer_bytes(const ColumnRun& run, const RowMessages& messages) {
    const std::uint64_t item =
        key_width(messages.largest_key) + (messages.has_targets ? 8 : 0) + (messages.has_weights ? 8 : 0);
    return item * (run.order.size() + run.size);
}

template <class Item, class ValueOf>
RunExchange::Received RunExchange::exchange_items(ValueOf&& value_of) {
    const int ranks = comm_.size();
    std::vector<std::uint64_t> send_counts(ranks, 0);
    std::vector<std::uint64_t> received_counts(ranks, 0);
    Received received;
    received.begins.assign(ranks, std::vector<std::uint64_t>(columns_.size()));
    std::uint64_t total_sent = 0;
    std::uint64_t total_received = 0;
    for (int r = 0; r < ranks; ++r) {
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const ColumnRun& run = runs_.run(columns_[i]);
            send_counts[r] += run.segment_begins[r + 1] - run.segment_begins[r];
            received.begins[r][i] = total_received + received_counts[r];
            received_counts[r] += run.received_counts[r];
        }
        total_sent += send_counts[r];
        total_received += received_counts[r];
    }
    std::vector<Item> send(total_sent);
    std::size_t at = 0;
    for (int r = 0; r < ranks; ++r) {
        for (const auto column : columns_) {
            const ColumnRun& run = runs_.run(column);
            for (std::uint64_t k = run.segment_begins[r]; k < run.segment_begins[r + 1]; ++k) {
                send[at++] = static_cast<Item>(value_of(run.order[k]));
            }
        }
    }
    received.bytes.resize(total_received * sizeof(Item));
    comm_.exchange_known<Item>(send, send_counts,
                               std::span<Item>(reinterpret_cast<Item*>(received.bytes.data()), total_received),
                               received_counts);
    return received;
}

RunExchange::Blocks::Blocks(const RunExchange& exchange, std::size_t i)
    : exchange_(exchange), run_(exchange.runs_.run(exchange.columns_[i])), column_(i) {
    keys_.resize(k_block);
    codes_.resize(k_block);
    if (exchange_.messages_.has_targets) targets_.resize(k_block);
    if (exchange_.messages_.has_weights) weights_.resize(k_block);
    block_.keys = keys_.data();
    block_.codes = codes_.data();
    block_.targets = targets_.empty() ? nullptr : targets_.data();
    block_.weights = weights_.empty() ? nullptr : weights_.data();
    if (exchange_.comm_.size() == 1) return;
    for (int r = 0; r < exchange_.comm_.size(); ++r) cursors_.push_back(exchange_.keys_.begins[r][i]);
}

bool RunExchange::Blocks::next() {
    const std::size_t count = std::min<std::uint64_t>(k_block, run_.size - position_);
    if (count == 0) return false;
    if (exchange_.comm_.size() == 1)
        fill_alone(count);
    else
        fill_received(count);
    block_.count = count;
    block_.first_position = position_;
    position_ += count;
    return true;
}

void RunExchange::Blocks::fill_alone(std::size_t count) {
    const std::uint32_t* order = run_.order.data() + position_;
    const RowMessages& messages = exchange_.messages_;
    for (std::size_t i = 0; i < count; ++i) {
        code_ += order[i] >> 31U;
        codes_[i] = code_;
        keys_[i] = messages.keys[order[i] & ~k_new_value_row];
    }
    for (std::size_t i = 0; i < targets_.size() && i < count; ++i) {
        targets_[i] = messages.targets[order[i] & ~k_new_value_row];
    }
    for (std::size_t i = 0; i < weights_.size() && i < count; ++i) {
        weights_[i] = messages.weights[order[i] & ~k_new_value_row];
    }
}

template <class Narrow>
void RunExchange::Blocks::fill_keys(std::size_t count) {
    const auto* items = reinterpret_cast<const Narrow*>(exchange_.keys_.bytes.data());
    const std::uint16_t* owners = run_.owners.data() + position_;
    for (std::size_t i = 0; i < count; ++i) {
        const Narrow item = items[cursors_[owners[i] & ~k_new_value_owner]++];
        keys_[i] = item == static_cast<Narrow>(~Narrow{0}) ? train::k_closed_key : item;
    }
}

void RunExchange::Blocks::fill_received(std::size_t count) {
    const std::uint16_t* owners = run_.owners.data() + position_;
    const auto take_values = [&](const Received& received, std::vector<std::int64_t>& into) {
        if (into.empty()) return;
        // All kinds of items share the cursors: the same counts of items, in the same order.
        const auto* items = reinterpret_cast<const std::int64_t*>(received.bytes.data());
        cursors_of_values_ = cursors_;
        for (std::size_t i = 0; i < count; ++i) {
            into[i] = items[cursors_of_values_[owners[i] & ~k_new_value_owner]++];
        }
    };
    take_values(exchange_.targets_, targets_);
    take_values(exchange_.weights_, weights_);
    if (exchange_.key_bytes_ == 1)
        fill_keys<std::uint8_t>(count);
    else if (exchange_.key_bytes_ == 2)
        fill_keys<std::uint16_t>(count);
    else
        fill_keys<std::uint32_t>(count);
    if (!run_.codes.empty()) {
        std::copy_n(run_.codes.begin() + static_cast<std::ptrdiff_t>(position_), count, codes_.begin());
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        code_ += owners[i] >> 15U;
        codes_[i] = code_;
    }
}

}  // namespace regrove::dist
