// Which bound earns what: the searches of some forests with one bound after the other left out.
//
//     born_again_ablation SECONDS FOREST...
//
// One line of a Markdown table a forest, objective and set of bounds: expanded states and seconds of processor time, on
// one thread. A search that takes longer than SECONDS is given with a ">".
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "regrove/core/parallel.hpp"
#include "regrove/formats/registry.hpp"

#include "../src/bornagain/region_search.hpp"
#include "../src/bornagain/root_tensor.hpp"

namespace {

using namespace regrove;
using bornagain::CellTensor;
using bornagain::CutRange;
using bornagain::Differences;
using bornagain::ForcedCut;
using bornagain::Objective;
using bornagain::TensorKernels;
using bornagain::TensorScratch;

void no_differences(const CellTensor&, Differences& out, TensorScratch&) { out.max_sensitivity = 0; }
bool no_forced_cuts(const CellTensor&, const Differences&, std::uint32_t, std::vector<ForcedCut>&) { return false; }
std::uint32_t no_degree(const CellTensor&, std::vector<CutRange>*, TensorScratch&) { return 0; }
void no_fooling_set(const CellTensor&, const Differences&, std::vector<std::uint32_t>& cells, TensorScratch&) {
    cells.clear();
}

struct Variant {
    const char* name;
    bool degree;
    bool sensitivity;
    bool fooling;
};

TensorKernels kernels_of(const Variant& variant) {
    TensorKernels kernels = bornagain::tensor_kernels();
    if (!variant.degree) kernels.degree = no_degree;
    if (!variant.sensitivity) {
        kernels.forced_cuts = no_forced_cuts;
        if (!variant.fooling) kernels.differences = no_differences;
    }
    if (!variant.fooling) kernels.fooling_set = no_fooling_set;
    return kernels;
}

/// Of the processor, so that other work on the machine hardly counts.
double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void measure(const std::string& path, Objective objective, const Variant& variant, double limit) {
    const model::Ensemble model = formats::read_model(path);
    const model::Ensemble* const models[]{&model};
    const auto space = cellspace::make_space(models, cellspace::UnseenValues::outside);
    const cellspace::CompiledEnsemble ensemble(model, space);
    const TensorKernels kernels = kernels_of(variant);
    bornagain::RootTensor root = bornagain::root_tensor(ensemble, cellspace::whole(space));
    root.kernels = &kernels;
    bornagain::Memo memo;
    bornagain::RegionSearch search(root, ensemble, objective, memo);
    const double start = now();
    const bornagain::RegionBounds bounds = search.run({}, [&] { return now() - start > limit; });
    const std::string name = path.substr(path.find_last_of('/') + 1);
    std::printf("| %s | %s | %s | %s%llu | %s%.2f |\n", name.c_str(),
                objective == Objective::depth ? "depth" : "leaves", variant.name, bounds.solved ? "" : "> ",
                static_cast<unsigned long long>(search.expanded()), bounds.solved ? "" : "> ", now() - start);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fprintf(stderr, "usage: born_again_ablation SECONDS FOREST...\n");
        return 64;
    }
    regrove::set_thread_count(1);
    std::printf("| forest | objective | bounds | states | seconds |\n|---|---|---|---|---|\n");
    for (int i = 2; i < argc; ++i) {
        const double limit = std::atof(argv[1]);
        for (const Variant& variant :
             {Variant{"all", true, true, true}, Variant{"no degree", false, true, true},
              Variant{"no sensitivity", true, false, false}, Variant{"hyperplanes only", false, false, false}})
            measure(argv[i], Objective::depth, variant, limit);
        for (const Variant& variant :
             {Variant{"fooling sets", true, true, true}, Variant{"hyperplanes only", true, true, false}})
            measure(argv[i], Objective::leaves, variant, limit);
    }
}
