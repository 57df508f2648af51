#include "regrove/dist/column_runs.hpp"

#include <algorithm>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/check.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/train/column_order.hpp"

namespace regrove::dist {

namespace {

using train::ColumnOrder;
using train::KeyedRow;

bool has_narrow_key(const data::ColumnValues& values) {
    return std::holds_alternative<std::vector<float>>(values) ||
           std::holds_alternative<std::vector<std::int32_t>>(values);
}

template <class Key>
ColumnOrder<Key> ordered(const data::ColumnValues& values) {
    ColumnOrder<Key> order;
    std::visit(
        [&](const auto& cells) {
            using Cell = typename std::decay_t<decltype(cells)>::value_type;
            if constexpr (!std::is_same_v<Cell, std::string>) {
                if constexpr (std::is_same_v<decltype(train::order_column(cells)), ColumnOrder<Key>>) {
                    order = train::order_column(cells);
                }
            }
        },
        values);
    return order;
}

template <class Key>
void drop_left_out(ColumnOrder<Key>& order, const std::vector<bool>& left_out) {
    if (left_out.empty()) return;
    std::erase_if(order.entries, [&](const KeyedRow<Key>& entry) { return left_out[entry.row]; });
    std::erase_if(order.missing, [&](std::uint32_t row) { return left_out[row]; });
}

/// A place in the total order (key, owner, row) by which runs are cut, so that equal values spread evenly, too.
struct Splitter {
    std::uint64_t key = 0;
    std::uint32_t owner = 0;
    std::uint32_t row = 0;
    auto operator<=>(const Splitter&) const = default;
};

template <class Key>
std::vector<Splitter> samples_of(const ColumnOrder<Key>& order, int rank) {
    const std::size_t size = order.entries.size();
    const std::size_t count = std::min<std::size_t>(size, k_samples_a_rank);
    std::vector<Splitter> samples;
    for (std::size_t i = 0; i < count; ++i) {
        // The middle of each of `count` equal stretches.
        const auto& entry = order.entries[(2 * i + 1) * size / (2 * count)];
        samples.push_back({entry.key, static_cast<std::uint32_t>(rank), entry.row});
    }
    return samples;
}

/// Each sample stands for size / count entries of its rank; the splitters cut their total into equal parts.
std::vector<Splitter> pick_splitters(const std::vector<std::vector<Splitter>>& samples,
                                     const std::vector<std::uint64_t>& sizes) {
    struct Weighted {
        Splitter at;
        double entries;
    };
    std::vector<Weighted> all;
    double total = 0;
    for (std::size_t rank = 0; rank < samples.size(); ++rank) {
        for (const auto& sample : samples[rank]) {
            all.push_back({sample, static_cast<double>(sizes[rank]) / static_cast<double>(samples[rank].size())});
        }
        total += static_cast<double>(sizes[rank]);
    }
    std::sort(all.begin(), all.end(), [](const Weighted& x, const Weighted& y) { return x.at < y.at; });
    std::vector<Splitter> splitters;
    double passed = 0;
    std::size_t i = 0;
    for (std::size_t cut = 1; cut < samples.size(); ++cut) {
        const double until = total * static_cast<double>(cut) / static_cast<double>(samples.size());
        while (i < all.size() && passed + all[i].entries / 2 < until) passed += all[i++].entries;
        splitters.push_back(i < all.size() ? all[i].at : Splitter{~std::uint64_t{0}, ~std::uint32_t{0}, 0});
    }
    return splitters;
}

/// Begin of each rank's segment in the own order.
template <class Key>
std::vector<std::uint64_t> cut_segments(const ColumnOrder<Key>& order, const std::vector<Splitter>& splitters,
                                        int rank) {
    std::vector<std::uint64_t> begins{0};
    for (const auto& splitter : splitters) {
        const auto found = std::partition_point(order.entries.begin(), order.entries.end(), [&](const auto& entry) {
            return Splitter{entry.key, static_cast<std::uint32_t>(rank), entry.row} < splitter;
        });
        begins.push_back(static_cast<std::uint64_t>(found - order.entries.begin()));
    }
    begins.push_back(order.entries.size());
    return begins;
}

}  // namespace

ColumnRuns::ColumnRuns(comm::Communicator& comm, const std::vector<data::ColumnValues>& columns,
                       std::vector<std::uint32_t> numeric, const std::vector<bool>& left_out)
    : comm_(comm), columns_(columns), numeric_(std::move(numeric)), runs_(columns.size()) {
    comm::agree_on(comm_, [&] {
        for (const auto column : numeric_) {
            if (data::row_count(columns_[column]) >= k_new_value_row) {
                throw LimitError("a rank holds more than 2^31 rows; use more ranks");
            }
        }
        if (comm_.size() >= k_new_value_owner) throw LimitError("more than 32767 ranks are not supported");
    });
    if (comm_.size() == 1) {
        comm::agree_on(comm_, [&] {
            parallel_for(numeric_.size(), [&](std::size_t i) { build_alone(numeric_[i], left_out); });
        });
        return;
    }
    // Groups bound the memory for keys in flight: as many columns at a time as there are threads.
    std::vector<std::uint32_t> narrow;
    std::vector<std::uint32_t> wide;
    const auto flush = [&](std::vector<std::uint32_t>& group, bool is_narrow) {
        if (is_narrow)
            build_over_ranks<std::uint32_t>(group, left_out);
        else
            build_over_ranks<std::uint64_t>(group, left_out);
        group.clear();
    };
    const std::uint64_t group_size = comm_.max(std::uint64_t{thread_count()});
    for (const auto column : numeric_) {
        auto& group = has_narrow_key(columns_[column]) ? narrow : wide;
        group.push_back(column);
        if (group.size() == group_size) flush(group, &group == &narrow);
    }
    if (!narrow.empty()) flush(narrow, true);
    if (!wide.empty()) flush(wide, false);
}

void ColumnRuns::build_alone(std::uint32_t column, const std::vector<bool>& left_out) {
    ColumnRun& run = runs_[column];
    const auto fill = [&](auto order) {
        drop_left_out(order, left_out);
        run.missing = std::move(order.missing);
        run.any_missing = !run.missing.empty();
        run.size = order.entries.size();
        run.order.resize(order.entries.size());
        for (std::size_t i = 0; i < order.entries.size(); ++i) {
            const bool is_new = i != 0 && order.entries[i].key != order.entries[i - 1].key;
            run.order[i] = order.entries[i].row | (is_new ? k_new_value_row : 0U);
        }
        run.segment_begins = {0, run.order.size()};
    };
    if (has_narrow_key(columns_[column]))
        fill(ordered<std::uint32_t>(columns_[column]));
    else
        fill(ordered<std::uint64_t>(columns_[column]));
}

template <class Key>
void ColumnRuns::build_over_ranks(const std::vector<std::uint32_t>& group, const std::vector<bool>& left_out) {
    const int ranks = comm_.size();
    std::vector<ColumnOrder<Key>> orders(group.size());
    comm::agree_on(comm_, [&] {
        parallel_for(group.size(), [&](std::size_t i) {
            orders[i] = ordered<Key>(columns_[group[i]]);
            drop_left_out(orders[i], left_out);
        });
    });
    for (std::size_t i = 0; i < group.size(); ++i) {
        ColumnRun& run = runs_[group[i]];
        ColumnOrder<Key>& order = orders[i];
        // Splitters from regular samples of every rank.
        const std::uint64_t own_size = order.entries.size();
        const auto sizes = comm_.gather_all(own_size);
        const auto own_samples = samples_of(order, comm_.rank());
        const auto all_samples = comm_.gather_all(std::span<const Splitter>(own_samples));
        std::vector<std::vector<Splitter>> samples(ranks);
        for (const auto& sample : all_samples) samples[sample.owner].push_back(sample);
        run.segment_begins = cut_segments(order, pick_splitters(samples, sizes), comm_.rank());
        // Keys to their holders; rows stay here, in the same order.
        comm::Pieces<Key> send;
        send.values.reserve(own_size);
        for (const auto& entry : order.entries) send.values.push_back(entry.key);
        for (int r = 0; r < ranks; ++r) send.counts.push_back(run.segment_begins[r + 1] - run.segment_begins[r]);
        run.order.resize(own_size);
        for (std::size_t e = 0; e < own_size; ++e) run.order[e] = order.entries[e].row;
        run.missing = std::move(order.missing);
        run.any_missing = comm_.sum(static_cast<std::uint64_t>(run.missing.size())) != 0;
        order = {};
        comm::Pieces<Key> received = comm_.exchange(send);
        send = {};
        run.received_counts = received.counts;
        // Merge: a stable sort by key keeps equal keys in owner order, and an owner's items in its own order.
        std::vector<KeyedRow<Key>> merged(received.values.size());
        std::size_t at = 0;
        for (int owner = 0; owner < ranks; ++owner) {
            for (std::uint64_t k = 0; k < received.counts[owner]; ++k, ++at) {
                merged[at] = {received.values[at], static_cast<std::uint32_t>(owner)};
            }
        }
        received.values = {};
        std::vector<KeyedRow<Key>> scratch;
        train::radix_sort(merged, scratch);
        scratch = {};
        run.size = merged.size();
        run.owners.resize(merged.size());
        // Marks and global codes; the last key of the nearest lower rank that has any decides about the first place.
        struct Ends {
            std::uint64_t any;
            std::uint64_t last;
        };
        const Ends own_ends{!merged.empty(), merged.empty() ? 0 : std::uint64_t{merged.back().key}};
        const auto ends = comm_.gather_all(own_ends);
        bool first_differs = false;
        for (int r = comm_.rank() - 1; r >= 0; --r) {
            if (ends[r].any == 0) continue;
            first_differs = !merged.empty() && ends[r].last != merged.front().key;
            break;
        }
        std::uint64_t new_values = first_differs ? 1 : 0;
        for (std::size_t e = 0; e < merged.size(); ++e) {
            const bool is_new = e != 0 && merged[e].key != merged[e - 1].key;
            run.owners[e] = static_cast<std::uint16_t>(merged[e].row | (is_new ? k_new_value_owner : 0U));
            new_values += is_new ? 1 : 0;
        }
        run.first_code = comm_.exclusive_sum(new_values) + (first_differs ? 1 : 0);
    }
}

std::vector<double> ColumnRuns::values_at(std::span<const RunQuery> queries) const {
    std::vector<double> values(queries.size());
    const auto value = [&](std::uint32_t column, std::uint32_t row) {
        return data::as_double(data::ColumnType::int32, columns_[column], row);  // any numeric column
    };
    if (comm_.size() == 1) {
        for (std::size_t q = 0; q < queries.size(); ++q) {
            const std::uint32_t row = runs_[queries[q].column].order[queries[q].position] & ~k_new_value_row;
            values[q] = value(queries[q].column, row);
        }
        return values;
    }
    struct Item {
        std::uint32_t column;
        std::uint32_t query;
        std::uint64_t ordinal;  ///< place in the owner's segment for this holder
    };
    // One pass over the owners of each asked column counts the items of each owner up to the asked places.
    std::vector<std::uint32_t> by_place(queries.size());
    for (std::uint32_t q = 0; q < queries.size(); ++q) by_place[q] = q;
    std::sort(by_place.begin(), by_place.end(), [&](std::uint32_t x, std::uint32_t y) {
        return std::pair(queries[x].column, queries[x].position) < std::pair(queries[y].column, queries[y].position);
    });
    std::vector<std::vector<Item>> asked(comm_.size());
    std::vector<std::uint64_t> passed(comm_.size());
    std::uint64_t place = 0;
    std::uint32_t column = ~std::uint32_t{0};
    for (const auto q : by_place) {
        if (queries[q].column != column) {
            column = queries[q].column;
            place = 0;
            std::fill(passed.begin(), passed.end(), 0);
        }
        const auto& owners = runs_[column].owners;
        for (; place < queries[q].position; ++place) passed[owners[place] & ~k_new_value_owner] += 1;
        const auto owner = static_cast<std::uint16_t>(owners[place] & ~k_new_value_owner);
        asked[owner].push_back({column, q, passed[owner]});
    }
    comm::Pieces<Item> send;
    for (const auto& items : asked) {
        send.counts.push_back(items.size());
        send.values.insert(send.values.end(), items.begin(), items.end());
    }
    const comm::Pieces<Item> received = comm_.exchange(send);
    std::vector<double> replies(received.values.size());
    std::size_t at = 0;
    for (int holder = 0; holder < comm_.size(); ++holder) {
        for (std::uint64_t k = 0; k < received.counts[holder]; ++k, ++at) {
            const Item& item = received.values[at];
            const ColumnRun& run = runs_[item.column];
            replies[at] = value(item.column, run.order[run.segment_begins[holder] + item.ordinal]);
        }
    }
    std::vector<double> answers(send.values.size());
    comm_.exchange_known<double>(replies, received.counts, answers, send.counts);
    for (std::size_t i = 0; i < answers.size(); ++i) values[send.values[i].query] = answers[i];
    return values;
}

void ColumnRuns::compact(const std::vector<std::uint8_t>& finished) {
    if (comm_.size() == 1) {
        parallel_for(numeric_.size(), [&](std::size_t i) { compact_alone(runs_[numeric_[i]], finished); });
        return;
    }
    for (const auto column : numeric_) compact_over_ranks(column, finished);
}

void ColumnRuns::compact_alone(ColumnRun& run, const std::vector<std::uint8_t>& finished) {
    std::size_t kept = 0;
    std::uint32_t pending = 0;  // marks of dropped entries pass to the next one kept
    for (const std::uint32_t item : run.order) {
        pending |= item & k_new_value_row;
        const std::uint32_t row = item & ~k_new_value_row;
        if (finished[row] != 0) continue;
        run.order[kept++] = row | pending;
        pending = 0;
    }
    run.order.resize(kept);
    run.order.shrink_to_fit();
    std::erase_if(run.missing, [&](std::uint32_t row) { return finished[row] != 0; });
    run.size = kept;
    run.segment_begins = {0, kept};
}

void ColumnRuns::compact_over_ranks(std::uint32_t column, const std::vector<std::uint8_t>& finished) {
    ColumnRun& run = runs_[column];
    // Holders learn which of their places go, in the segments' order.
    std::vector<std::uint8_t> send(run.order.size());
    for (std::size_t i = 0; i < run.order.size(); ++i) send[i] = finished[run.order[i]];
    std::vector<std::uint64_t> send_counts;
    for (int r = 0; r < comm_.size(); ++r) send_counts.push_back(run.segment_begins[r + 1] - run.segment_begins[r]);
    std::vector<std::uint8_t> drop(run.size);
    comm_.exchange_known<std::uint8_t>(send, send_counts, drop, run.received_counts);
    // As owner: drop rows, keep segments.
    std::vector<std::uint64_t> begins{0};
    std::size_t kept = 0;
    for (int r = 0; r < comm_.size(); ++r) {
        for (std::uint64_t i = run.segment_begins[r]; i < run.segment_begins[r + 1]; ++i) {
            if (send[i] == 0) run.order[kept++] = run.order[i];
        }
        begins.push_back(kept);
    }
    run.order.resize(kept);
    run.order.shrink_to_fit();
    run.segment_begins = std::move(begins);
    std::erase_if(run.missing, [&](std::uint32_t row) { return finished[row] != 0; });
    // As holder: codes are written out, since dropped places take their marks with them.
    std::vector<std::uint64_t> cursors(comm_.size(), 0);
    for (int r = 1; r < comm_.size(); ++r) cursors[r] = cursors[r - 1] + run.received_counts[r - 1];
    std::vector<std::uint16_t> owners;
    std::vector<std::uint32_t> codes;
    std::fill(run.received_counts.begin(), run.received_counts.end(), 0);
    std::uint32_t code = 0;
    for (std::size_t place = 0; place < run.owners.size(); ++place) {
        const auto owner = static_cast<std::uint16_t>(run.owners[place] & ~k_new_value_owner);
        if (run.codes.empty())
            code += (run.owners[place] & k_new_value_owner) != 0 ? 1U : 0U;
        else
            code = run.codes[place];
        if (drop[cursors[owner]++] != 0) continue;
        owners.push_back(owner);
        codes.push_back(code);
        run.received_counts[owner] += 1;
    }
    run.owners = std::move(owners);
    run.codes = std::move(codes);
    run.size = run.owners.size();
}

}  // namespace regrove::dist
