// Parts run in waves, each part with all boxes that were left before its wave; their sum is taken in order.
#include "part_run.hpp"

#include <algorithm>
#include <atomic>

#include "regrove/core/parallel.hpp"

namespace regrove::prove {

namespace {

constexpr std::size_t k_wave = 256;

/// Lowers `first` to `part`.
void lower(std::atomic<std::size_t>& first, std::size_t part) {
    std::size_t known = first.load();
    while (part < known && !first.compare_exchange_weak(known, part)) {
    }
}

}  // namespace

PartAnswer run_parts(std::size_t parts, std::uint64_t most_boxes, const ProofLimits& limits,
                     const std::function<PartAnswer(std::size_t part, Budget& budget)>& run) {
    PartAnswer sum;
    sum.outcome = Outcome::proven;
    for (std::size_t begin = 0; begin < parts; begin += k_wave) {
        const std::uint64_t left = most_boxes - sum.boxes;
        std::atomic<std::size_t> first_end{parts};
        std::vector<PartAnswer> answers(std::min(k_wave, parts - begin));
        parallel_for(answers.size(), [&](std::size_t i) {
            if (first_end.load() < begin + i) return;
            Budget budget(limits, left, &first_end, begin + i);
            answers[i] = run(begin + i, budget);
            answers[i].boxes = budget.boxes();
            if (answers[i].outcome != Outcome::proven) lower(first_end, begin + i);
        });
        for (PartAnswer& answer : answers) {
            if (answer.boxes > most_boxes - sum.boxes) return {Outcome::out, most_boxes, {}};
            sum.boxes += answer.boxes;
            if (answer.outcome == Outcome::proven) continue;
            sum.outcome = answer.outcome;
            sum.found = std::move(answer.found);
            return sum;
        }
    }
    return sum;
}

}  // namespace regrove::prove
