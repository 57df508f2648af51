// Builds a small model, writes and reads it, and predicts with it: all that Regrove::predict is for.
#include <cstdio>
#include <exception>

#include "regrove/formats/registry.hpp"
#include "regrove/infer/predictor.hpp"
#include "regrove/model/ensemble_builder.hpp"

namespace model = regrove::model;
namespace data = regrove::data;

namespace {

model::Node leaf(double no, double yes) {
    model::Node node;
    node.rows = static_cast<std::uint64_t>(no + yes);
    node.weight = no + yes;
    node.value = {no, yes};
    return node;
}

model::Ensemble two_leaves() {
    model::Node root = leaf(2, 3);
    root.question.kind = model::QuestionKind::threshold;
    root.question.feature = regrove::FeatureId{0};
    root.question.threshold = 0.5;
    root.left = regrove::NodeId{1};
    root.right = regrove::NodeId{2};
    model::Tree tree;
    tree.nodes = {root, leaf(2, 0), leaf(0, 3)};
    model::EnsembleBuilder builder;
    builder.task(model::Task::classification, "disease", {"no", "yes"});
    builder.features({model::Feature{.name = "vessels"}});
    builder.add_tree(tree);
    return std::move(builder).build();
}

data::TableShard patients() {
    data::Schema schema;
    schema.columns = {data::ColumnSchema{.name = "vessels"}};
    data::TableShard shard = data::make_shard(schema);
    shard.values[0] = std::vector<double>{0, 1, 2};
    shard.rows = shard.global_rows = 3;
    return shard;
}

}  // namespace

int main() {
    try {
        const auto ensemble = regrove::formats::parse_model(regrove::formats::write_model(two_leaves()), "memory");
        const auto shard = patients();
        const regrove::infer::Predictor predictor(ensemble, shard.schema);
        const auto classes = predictor.classes(predictor.leaves(shard));
        std::printf("classes");
        for (const auto c : classes) std::printf(" %s", ensemble.classes[static_cast<std::size_t>(c)].c_str());
        std::printf("\n");
        return classes == std::vector<std::int32_t>{0, 1, 1} ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
