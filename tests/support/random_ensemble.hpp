// Small random ensembles with every kind of question, for tests that ask at every cell of their space.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "regrove/core/random.hpp"
#include "regrove/model/ensemble_builder.hpp"

namespace regrove::test {

/// How leaves answer: votes and quarters sum exactly, tenths and thirds round.
enum class LeafStyle : std::uint8_t { one_class, quarters, tenths };

struct RandomEnsembleShape {
    std::uint64_t seed = 0;
    std::size_t trees = 3;
    unsigned depth = 3;
    std::uint32_t classes = 2;
    model::Combination combination = model::Combination::mean;
    LeafStyle leaves = LeafStyle::one_class;
    bool surrogates = true;
    bool tree_weights = false;
    bool other_dictionaries = false;  ///< categories in another order, one more and one less
};

class RandomEnsemble {
  public:
    explicit RandomEnsemble(const RandomEnsembleShape& shape) : shape_(shape), random_(shape.seed, 77) {}

    model::Ensemble make() {
        std::vector<std::string> classes;
        for (std::uint32_t k = 0; k < shape_.classes; ++k)
            classes.push_back(std::string("class ") + std::to_string(k));
        using model::FeatureKind;
        using model::NumericPrecision;
        features_ = {{"a", FeatureKind::numeric, NumericPrecision::float64, {}},
                     {"b", FeatureKind::numeric, NumericPrecision::float32, {}},
                     {"c", FeatureKind::category, NumericPrecision::float64, {"p", "q", "r", "s"}},
                     {"d", FeatureKind::category, NumericPrecision::float64, {"x", "y", "z"}}};
        if (shape_.other_dictionaries) {
            features_[2].categories = {"t", "s", "r", "q"};
            std::swap(features_[0], features_[3]);
        }
        model::EnsembleBuilder builder;
        builder.task(model::Task::classification, "y", classes).features(features_).combination(shape_.combination);
        std::vector<double> weights;
        for (std::size_t t = 0; t < shape_.trees; ++t) {
            tree_ = {};
            grow(shape_.depth);
            builder.add_tree(std::move(tree_));
            weights.push_back(std::vector<double>{1, 2, 0.1, 0.7}[below(4)]);
        }
        if (shape_.tree_weights) builder.tree_weights(weights);
        return std::move(builder).build();
    }

  private:
    std::uint64_t below(std::uint64_t bound) { return random_.below(next_++, bound); }
    model::Side side() { return below(2) == 0 ? model::Side::left : model::Side::right; }

    static void keep(std::vector<std::uint64_t>& bits) {
        while (!bits.empty() && bits.back() == 0) bits.pop_back();
    }

    template <class Asked>
    void ask(Asked& asked, std::uint32_t feature) {
        asked.feature = FeatureId{feature};
        if (features_[feature].kind == model::FeatureKind::numeric) {
            asked.kind = model::QuestionKind::threshold;
            asked.threshold = std::vector<double>{-1.5, 0.1, 0.30000000000000004, 7}[below(4)];
            return;
        }
        asked.kind = model::QuestionKind::category;
        const std::uint64_t all = (std::uint64_t{1} << features_[feature].categories.size()) - 1;
        asked.seen_categories = {1 + below(all)};
        asked.right_categories = {asked.seen_categories[0] & below(all + 1)};
        keep(asked.right_categories);
    }

    model::Question question() {
        model::Question q;
        const auto feature = static_cast<std::uint32_t>(below(4));
        ask(q, feature);
        q.missing_seen = below(3) == 0;
        q.heavier_side = side();
        q.missing_side = q.missing_seen ? side() : q.heavier_side;
        for (std::uint64_t left = shape_.surrogates ? below(3) : 0; left > 0; --left) {
            model::Surrogate surrogate;
            ask(surrogate, static_cast<std::uint32_t>((feature + 1 + below(3)) % 4));
            surrogate.reversed = below(2) == 0;
            q.surrogates.push_back(surrogate);
        }
        return q;
    }

    std::vector<double> value() {
        std::vector<double> value(shape_.classes, 0);
        if (shape_.leaves == LeafStyle::one_class) {
            value[below(shape_.classes)] = 1;
            return value;
        }
        std::uint64_t left = shape_.leaves == LeafStyle::quarters ? 4 : 10;
        for (std::uint32_t k = 0; k + 1 < shape_.classes; ++k) {
            const std::uint64_t taken = below(left + 1);
            value[k] = static_cast<double>(taken);
            left -= taken;
        }
        value.back() = static_cast<double>(left);
        return value;
    }

    std::uint32_t grow(unsigned depth) {
        const auto id = static_cast<std::uint32_t>(tree_.nodes.size());
        tree_.nodes.emplace_back();
        tree_.nodes[id].value = value();
        if (depth == 0 || below(6) == 0) return id;
        tree_.nodes[id].question = question();
        tree_.nodes[id].left = NodeId{grow(depth - 1)};
        const std::uint32_t right = grow(depth - 1);
        tree_.nodes[id].right = NodeId{right};
        return id;
    }

    RandomEnsembleShape shape_;
    CounterRandom random_;
    std::uint64_t next_ = 0;
    std::vector<model::Feature> features_;
    model::Tree tree_;
};

inline model::Ensemble random_ensemble(const RandomEnsembleShape& shape) { return RandomEnsemble(shape).make(); }

}  // namespace regrove::test
