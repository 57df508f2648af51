// Monomials as words on the wire: length, condition ids, then four words for each 128-bit coefficient.
#include "regrove/dist/monomial_polynomial.hpp"

#include "regrove/algebra/monomial_counts.hpp"
#include "regrove/comm/agreement.hpp"

namespace regrove::dist {

namespace {

using algebra::ConditionId;
using algebra::MonomialList;
using algebra::Polynomial;

constexpr unsigned k_words_of_number = 4;

std::size_t owner(std::span<const ConditionId> monomial, std::size_t ranks) {
    std::uint64_t hash = 0x243f6a8885a308d3U;
    for (const ConditionId id : monomial) {
        hash = (hash ^ id) * 0x9e3779b97f4a7c15U;
        hash ^= hash >> 29U;
    }
    return static_cast<std::size_t>(hash % ranks);
}

void append(std::vector<std::uint32_t>& words, const MonomialList& list, std::size_t m) {
    const auto ids = list.monomial(m);
    words.push_back(static_cast<std::uint32_t>(ids.size()));
    words.insert(words.end(), ids.begin(), ids.end());
    for (const Int128 number : list.coefficient(m)) {
        auto rest = static_cast<UInt128>(number);
        for (unsigned i = 0; i < k_words_of_number; ++i, rest >>= 32U)
            words.push_back(static_cast<std::uint32_t>(rest));
    }
}

/// The monomials of all words, behind each other.
Polynomial taken(const std::vector<std::uint32_t>& words, const Polynomial& empty) {
    Polynomial list = empty;
    std::vector<Int128> coefficient(empty.scores);
    for (std::size_t at = 0; at < words.size();) {
        const std::size_t length = words[at++];
        const std::span<const ConditionId> ids(words.data() + at, length);
        at += length;
        for (Int128& number : coefficient) {
            UInt128 bits = 0;
            for (unsigned i = 0; i < k_words_of_number; ++i) bits |= UInt128{words[at++]} << (32U * i);
            number = static_cast<Int128>(bits);
        }
        list.push_back(ids, coefficient);
    }
    return list;
}

comm::Pieces<std::uint32_t> by_owner(const Polynomial& own, std::size_t ranks) {
    std::vector<std::vector<std::uint32_t>> for_rank(ranks);
    for (std::size_t m = 0; m < own.size(); ++m) append(for_rank[owner(own.monomial(m), ranks)], own, m);
    comm::Pieces<std::uint32_t> pieces;
    for (const auto& words : for_rank) {
        pieces.counts.push_back(words.size());
        pieces.values.insert(pieces.values.end(), words.begin(), words.end());
    }
    return pieces;
}

std::vector<std::uint32_t> words_of(const Polynomial& polynomial) {
    std::vector<std::uint32_t> words;
    for (std::size_t m = 0; m < polynomial.size(); ++m) append(words, polynomial, m);
    return words;
}

/// Equal monomials added up, zeros dropped, the condition table left as it is on all ranks.
Polynomial summed(const Polynomial& list, const Polynomial& empty) {
    const Polynomial sum = algebra::normalised(list);
    std::vector<ConditionId> id_of;
    for (const algebra::Condition& condition : sum.conditions.all())
        id_of.push_back(empty.conditions.find(condition));
    Polynomial result = empty;
    static_cast<MonomialList&>(result) = sum;
    for (ConditionId& id : result.ids) id = id_of[id];
    return result;
}

}  // namespace

Polynomial ensemble_polynomial(comm::Communicator& comm, const model::Ensemble& ensemble,
                               const algebra::PolynomialOptions& options) {
    const auto ranks = static_cast<std::size_t>(comm.size());
    const auto rank = static_cast<std::size_t>(comm.rank());
    const std::size_t trees = ensemble.trees.size();
    algebra::PolynomialPlan plan;
    const Polynomial own = comm::agree_on(comm, [&] {
        plan = algebra::plan_polynomial(ensemble, options);
        return algebra::trees_polynomial(ensemble, plan, rank * trees / ranks, (rank + 1) * trees / ranks, options);
    });
    if (ranks == 1) return algebra::normalised(own);
    const auto received = comm.exchange(by_owner(own, ranks)).values;
    const Polynomial owned = comm::agree_on(comm, [&] { return summed(taken(received, plan.empty), plan.empty); });
    const std::uint64_t monomials = comm.sum(static_cast<std::uint64_t>(owned.size()));
    comm::agree_on(comm, [&] { algebra::check_monomials(monomials, options); });
    const auto words = words_of(owned);
    const auto all = comm.gather_all(std::span<const std::uint32_t>(words));
    return comm::agree_on(comm, [&] { return algebra::normalised(taken(all, plan.empty)); });
}

std::vector<std::uint64_t> monomial_counts(comm::Communicator& comm, const Polynomial& polynomial,
                                           const data::TableShard& shard) {
    auto counts = comm::agree_on(comm, [&] {
        const model::Ensemble asking = algebra::asking_ensemble(polynomial);
        const infer::Binding binding(asking, shard.schema);
        return algebra::count_rows(polynomial, binding, shard);
    });
    comm.sum(std::span<std::uint64_t>(counts));
    return counts;
}

}  // namespace regrove::dist
