// Small nodes in one pass without branches; large ones block by block, all asked before any row moves.
#include "regrove/train/boosting_partition.hpp"

#include <algorithm>
#include <bit>

#include "regrove/core/parallel.hpp"
#include "regrove/data/sort_key.hpp"

namespace regrove::train {

namespace {

constexpr std::size_t k_rows_a_block = 32768;
constexpr std::size_t k_prefetch_rows = 24;
constexpr std::size_t k_word_bits = 64;

/// Codes one behind another.
template <class Code>
struct DenseCodes {
    const Code* first;
    const Code* at(std::size_t row) const { return first + row; }
};
/// Codes in a tile.
template <class Code>
struct LaidCodes {
    const std::uint8_t* first;
    std::size_t stride;
    const Code* at(std::size_t row) const { return reinterpret_cast<const Code*>(first + row * stride); }
};

template <class Codes>
struct RangeAnswer {
    Codes codes;
    std::uint32_t begin;
    std::uint32_t count;
    std::size_t operator()(RowEntry entry) const { return std::size_t{*codes.at(row_of(entry)) - begin < count}; }
    void fetch(RowEntry entry) const { __builtin_prefetch(codes.at(row_of(entry))); }
};
template <class Codes>
struct SetAnswer {
    Codes codes;
    const std::uint8_t* goes_right;
    std::size_t operator()(RowEntry entry) const { return goes_right[*codes.at(row_of(entry))]; }
    void fetch(RowEntry entry) const { __builtin_prefetch(codes.at(row_of(entry))); }
};

/// Rows are asked in ascending order, from any first one on: a walk along the list of those that answer otherwise.
class ListedAnswer {
  public:
    explicit ListedAnswer(const CodeQuestion& question)
        : next_(question.otherwise.begin()), end_(question.otherwise.end()), others_right_(question.others_right) {}
    std::size_t operator()(RowEntry entry) const {
        const std::uint32_t row = row_of(entry);
        if (!begun_) next_ = std::lower_bound(next_, end_, row);
        begun_ = true;
        while (next_ != end_ && *next_ < row) ++next_;
        return std::size_t{(next_ != end_ && *next_ == row) != others_right_};
    }
    void fetch(RowEntry) const {}

  private:
    mutable std::vector<std::uint32_t>::const_iterator next_;
    std::vector<std::uint32_t>::const_iterator end_;
    bool others_right_;
    mutable bool begun_ = false;
};

template <class Codes, class Work>
void with_codes(const CodeQuestion& question, const Codes& codes, Work work) {
    if (question.goes_right.empty()) {
        work(RangeAnswer<Codes>{codes, question.right_begin, question.right_count});
    } else {
        work(SetAnswer<Codes>{codes, question.goes_right.data()});
    }
}

template <class Code, class Work>
void with_width(const CodeQuestion& question, Work work) {
    const CodeColumn& column = question.column;
    if (column.dense()) {
        with_codes(question, DenseCodes<Code>{reinterpret_cast<const Code*>(column.first)}, work);
    } else {
        with_codes(question, LaidCodes<Code>{column.first, column.stride_bytes}, work);
    }
}

template <class Cell>
struct ValueAnswer {
    const Cell* cells;
    double threshold;
    std::size_t missing_right;
    std::size_t operator()(RowEntry entry) const {
        const Cell cell = cells[row_of(entry)];
        return data::has_value(cell) ? std::size_t{static_cast<double>(cell) > threshold} : missing_right;
    }
    void fetch(RowEntry entry) const { __builtin_prefetch(cells + row_of(entry)); }
};

/// Calls `work` with the answer of a numeric column.
template <class Work>
void with_values(const CodeQuestion& question, Work work) {
    std::visit(
        [&](const auto& cells) {
            using Cell = typename std::decay_t<decltype(cells)>::value_type;
            if constexpr (!std::is_same_v<Cell, std::string>) {
                work(ValueAnswer<Cell>{cells.data(), question.threshold, std::size_t{question.missing_right}});
            }
        },
        *question.values);
}

/// Calls `work` with the answer that fits the question's column.
template <class Work>
void with_answer(const CodeQuestion& question, Work work) {
    if (question.values != nullptr) return with_values(question, work);
    if (question.column.first == nullptr) return work(ListedAnswer(question));
    if (question.column.code_bytes == 1) {
        with_width<std::uint8_t>(question, work);
    } else {
        with_width<std::uint16_t>(question, work);
    }
}

/// Left rows to `left`; right ones to `right`, which may be `entries` itself. Returns the number of left ones.
template <class Answer>
std::size_t deal(std::span<RowEntry> entries, const Answer& answer, RowEntry* left, RowEntry* right) {
    std::size_t lefts = 0;
    std::size_t rights = 0;
    const std::size_t count = entries.size();
    const auto one = [&](std::size_t i) {
        const RowEntry entry = entries[i];
        const std::size_t goes_right = answer(entry);
        left[lefts] = entry;
        right[rights] = entry;
        lefts += 1 - goes_right;
        rights += goes_right;
    };
    const std::size_t fetched = count > k_prefetch_rows ? count - k_prefetch_rows : 0;
    std::size_t i = 0;
    for (; i < fetched; ++i) {
        answer.fetch(entries[i + k_prefetch_rows]);
        one(i);
    }
    for (; i < count; ++i) one(i);
    return lefts;
}

void partition_small(PartitionJob& job) {
    with_answer(*job.question, [&](const auto& answer) {
        // Right rows are kept in `entries`, never before the row that is read: their place is not above it.
        const std::size_t lefts = deal(job.entries, answer, job.to.data(), job.entries.data());
        std::copy_n(job.entries.begin(), job.entries.size() - lefts,
                    job.to.begin() + static_cast<std::ptrdiff_t>(lefts));
        job.left = lefts;
    });
}

/// A block of a large node.
struct BlockTask {
    PartitionJob* job = nullptr;
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t lefts = 0;
    std::size_t lefts_before = 0;
    std::vector<std::uint64_t> answers;  ///< a bit a row, 1: right; codes of a large table come from memory but once
};

void answer_block(BlockTask& task) {
    const auto entries = task.job->entries.subspan(task.begin, task.end - task.begin);
    task.answers.resize((entries.size() + k_word_bits - 1) / k_word_bits);
    with_answer(*task.job->question, [&](const auto& answer) {
        const auto word_of = [&](std::size_t first) {
            return entries.subspan(first, std::min(k_word_bits, entries.size() - first));
        };
        for (const RowEntry entry : word_of(0)) answer.fetch(entry);
        task.lefts = entries.size();
        for (std::size_t first = 0; first < entries.size(); first += k_word_bits) {
            if (first + k_word_bits < entries.size())
                for (const RowEntry entry : word_of(first + k_word_bits)) answer.fetch(entry);
            std::uint64_t word = 0;
            std::size_t bit = 0;
            for (const RowEntry entry : word_of(first)) word |= std::uint64_t{answer(entry)} << bit++;
            task.answers[first / k_word_bits] = word;
            task.lefts -= static_cast<std::size_t>(std::popcount(word));
        }
    });
}

/// Each row to its place; the rows of the other side are written too, one behind what is known, and written over.
void move_block(const BlockTask& task) {
    const auto entries = task.job->entries.subspan(task.begin, task.end - task.begin);
    RowEntry* left = task.job->to.data() + task.lefts_before;
    RowEntry* right = task.job->to.data() + task.job->left + (task.begin - task.lefts_before);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const std::uint64_t goes_right = (task.answers[i / k_word_bits] >> (i % k_word_bits)) & 1U;
        RowEntry* const place = goes_right != 0 ? right : left;
        *place = entries[i];
        left += 1 - goes_right;
        right += goes_right;
    }
}

}  // namespace

bool CodeQuestion::row_right(std::size_t row) const {
    if (values != nullptr) {
        std::size_t answered = 0;
        with_values(*this, [&](const auto& answer) { answered = answer(static_cast<RowEntry>(row) << 32U); });
        return answered != 0;
    }
    if (column.first == nullptr) {
        return std::binary_search(otherwise.begin(), otherwise.end(), static_cast<std::uint32_t>(row)) !=
               others_right;
    }
    return right(column[row]);
}

void partition(std::span<PartitionJob> jobs) {
    std::vector<BlockTask> blocks;
    std::vector<PartitionJob*> small;
    for (PartitionJob& job : jobs) {
        if (job.entries.size() <= k_rows_a_block || thread_count() == 1) {
            small.push_back(&job);
            continue;
        }
        for (std::size_t begin = 0; begin < job.entries.size(); begin += k_rows_a_block) {
            blocks.push_back({&job, begin, std::min(begin + k_rows_a_block, job.entries.size()), 0, 0, {}});
        }
    }
    std::stable_sort(small.begin(), small.end(), [](const PartitionJob* a, const PartitionJob* b) {
        return a->entries.size() > b->entries.size();
    });
    // The answers of large nodes and the whole work of small ones, in one loop.
    parallel_for(blocks.size() + small.size(), [&](std::size_t i) {
        if (i < blocks.size()) {
            answer_block(blocks[i]);
        } else {
            partition_small(*small[i - blocks.size()]);
        }
    });
    for (BlockTask& block : blocks) {
        if (block.begin == 0) block.job->left = 0;
        block.lefts_before = block.job->left;
        block.job->left += block.lefts;
    }
    parallel_for(blocks.size(), [&](std::size_t i) { move_block(blocks[i]); });
}

}  // namespace regrove::train
