#include "reborn_check.hpp"

#include <algorithm>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/prove/equality.hpp"

namespace regrove::jobs {

namespace {

using bornagain::Support;

prove::Domain domain_of(const cellspace::Space& space, const bornagain::RebornOptions& options) {
    prove::Domain domain;
    domain.box = supported_box(space, options);
    if (options.support != Support::rows) return domain;
    domain.only_cells = true;
    domain.cells = options.supported_cells;
    return domain;
}

[[noreturn]] void throw_different(const cellspace::Space& space, const model::Ensemble& tree,
                                  const prove::Equality& found) {
    std::string point;
    for (std::size_t a = 0; a < space.axes.size(); ++a)
        point +=
            (a == 0 ? "" : ", ") + space.axes[a].name + " = " + cellspace::example_text(space.axes[a], found.cell[a]);
    throw InternalError("the born-again tree is not faithful, and nothing was written: at " + point +
                        " the ensemble says '" + tree.classes[found.first_class] + "' and the tree '" +
                        tree.classes[found.second_class] + "'; please report this with the command that led here");
}

prove::Verdict prove_on_root(pipeline::JobContext& context, const cellspace::Space& space,
                             const cellspace::CompiledEnsemble& ensemble, const model::Ensemble& tree,
                             const bornagain::RebornOptions& options) {
    const cellspace::CompiledEnsemble compiled(tree, space);
    prove::EqualityQuestion question;
    question.first = &ensemble;
    question.second = &compiled;
    question.domain = domain_of(space, options);
    prove::ProofLimits limits;
    limits.stop = [&context] { return context.checkpoint.seconds_left() <= 0; };
    const prove::Equality found = prove::prove_equal(question, limits);
    if (found.verdict == prove::Verdict::no) throw_different(space, tree, found);
    return found.verdict;
}

}  // namespace

cellspace::Box supported_box(const cellspace::Space& space, const bornagain::RebornOptions& options) {
    cellspace::Box box = cellspace::whole(space);
    if (options.support != Support::range) return box;
    const std::vector<std::uint32_t>& cells = options.supported_cells;
    const std::size_t axes = space.axes.size();
    for (std::size_t a = 0; a < axes; ++a) {
        box.low[a] = box.high[a] = cells[a];
        for (std::size_t i = a; i < cells.size(); i += axes) {
            box.low[a] = std::min(box.low[a], cells[i]);
            box.high[a] = std::max(box.high[a], cells[i]);
        }
    }
    return box;
}

bornagain::Verified check_reborn(pipeline::JobContext& context, const cellspace::Space& space,
                                 const cellspace::CompiledEnsemble& ensemble, const model::Ensemble& tree,
                                 const bornagain::RebornOptions& options) {
    const auto phase = context.summary.phase("verify");
    const std::uint64_t proven = comm::agree_on(context.comm, [&] {
        if (!context.comm.is_root()) return std::uint64_t{0};
        return std::uint64_t{prove_on_root(context, space, ensemble, tree, options) == prove::Verdict::yes};
    });
    return context.comm.max(proven) == 1 ? bornagain::Verified::yes : bornagain::Verified::undecided;
}

}  // namespace regrove::jobs
