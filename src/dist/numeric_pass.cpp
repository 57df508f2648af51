#include "regrove/dist/numeric_pass.hpp"

#include <algorithm>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/parallel.hpp"

namespace regrove::dist {

namespace {

constexpr std::uint64_t k_exchange_buffer_bytes = std::uint64_t{24} << 20U;

using train::NextValue;

/// Columns that fit one exchange buffer, at least as many as there are threads. The same on all ranks.
std::size_t batch_size(comm::Communicator& comm, const ColumnRuns& runs, const NumericPass& pass) {
    std::uint64_t largest = 1;
    for (const auto column : runs.numeric()) {
        largest = std::max(largest, RunExchange::buffer_bytes(runs.run(column), pass.messages));
    }
    if (comm.size() == 1) return std::max<std::size_t>(runs.numeric().size(), 1);
    std::uint64_t fit = k_exchange_buffer_bytes / largest;
    fit = std::max<std::uint64_t>({fit, thread_count(), 1});
    // The smallest fit of any rank: max of the negated value.
    const std::uint64_t worst = comm.max(~fit);
    return static_cast<std::size_t>(~worst);
}

/// What lies before and after this rank's runs, for a batch of columns.
struct Neighbours {
    std::vector<std::int64_t> before;  ///< column x slot x layout size
    std::vector<NextValue> next;       ///< column x slot
};

Neighbours find_neighbours(comm::Communicator& comm, const ColumnRuns& runs, const NumericPass& pass,
                           const RunExchange& exchange, std::span<const std::uint32_t> batch) {
    Neighbours found;
    if (comm.size() == 1) return found;
    const std::size_t width = pass.layout.size();
    const int bits = train::class_bits(pass.layout);
    found.before.assign(batch.size() * pass.slots * width, 0);
    found.next.assign(batch.size() * pass.slots, {});
    parallel_for(batch.size(), [&](std::size_t i) {
        std::int64_t* statistics = found.before.data() + i * pass.slots * width;
        NextValue* first = found.next.data() + i * pass.slots;
        const std::uint64_t first_code = runs.run(batch[i]).first_code;
        exchange.read(i, [&](const train::EntryBlock& block) {
            for (std::size_t e = 0; e < block.count; ++e) {
                const std::uint32_t key = block.keys[e];
                if (key == train::k_closed_key) continue;
                const std::uint32_t slot = key >> bits;
                const std::int64_t target = block.targets != nullptr
                                                ? block.targets[e]
                                                : static_cast<std::int64_t>(key & ((1U << bits) - 1U));
                train::add_row(pass.layout, statistics + slot * width, target,
                               block.weights != nullptr ? block.weights[e] : 1);
                if (first[slot].place.holder < 0) {
                    first[slot] = {{comm.rank(), block.first_position + e}, first_code + block.codes[e]};
                }
            }
        });
    });
    comm.exclusive_sum(std::span<std::int64_t>(found.before));
    comm.merge_from_higher(std::span<NextValue>(found.next), NextValue{}, [](NextValue& into, const NextValue& from) {
        if (into.place.holder < 0) into = from;
    });
    return found;
}

}  // namespace

void sweep_columns(comm::Communicator& comm, const ColumnRuns& runs, const train::EntropyTerms& entropy,
                   const NumericPass& pass, const std::function<void(std::uint32_t, train::SweepResult&&)>& take) {
    const auto numeric = runs.numeric();
    const std::size_t width = pass.layout.size();
    const std::size_t step = batch_size(comm, runs, pass);
    for (std::size_t begin = 0; begin < numeric.size(); begin += step) {
        const auto batch = numeric.subspan(begin, std::min(step, numeric.size() - begin));
        const RunExchange exchange(comm, runs, batch, pass.messages);
        const Neighbours neighbours = find_neighbours(comm, runs, pass, exchange, batch);
        std::vector<train::SweepResult> results(batch.size());
        comm::agree_on(comm, [&] {
            parallel_for(batch.size(), [&](std::size_t i) {
                const std::vector<std::int64_t> valued = pass.valued(batch[i]);
                train::SweepInput input;
                input.slots = pass.slots;
                input.feature = batch[i];
                input.rank = comm.rank();
                input.first_code = runs.run(batch[i]).first_code;
                input.valued = valued;
                if (!neighbours.before.empty()) {
                    input.before = std::span(neighbours.before).subspan(i * pass.slots * width, pass.slots * width);
                    input.next = std::span(neighbours.next).subspan(i * pass.slots, pass.slots);
                }
                if (pass.missing) input.missing = pass.missing(batch[i]);
                input.missing_as_question = pass.missing_as_question;
                input.parent_term_of_valued = pass.valued_rows_only;
                input.min_rows_leaf = pass.min_rows_leaf;
                const auto sweep =
                    train::make_numeric_sweep(pass.layout, pass.criterion, pass.messages.has_weights, entropy, input);
                exchange.read(i, [&](const train::EntryBlock& block) { sweep->consume(block); });
                results[i] = sweep->finish();
            });
        });
        for (std::size_t i = 0; i < batch.size(); ++i) take(batch[i], std::move(results[i]));
    }
}

}  // namespace regrove::dist
