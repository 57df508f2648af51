// Down for the products, up for what lies below.
#include "path_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "regrove/infer/route.hpp"

namespace regrove::algebra {

namespace {

/// The questions about one feature along a path, so far: the chance that a walk meets them all.
struct OwnChance {
    bool is_first = true;
    double before = 1;
    double after = 1;
};

/// A feature that is known with probability t and met: t + (1 - t) * chance.
double met(const GaussPoint& point, double chance) { return point.place + point.complement * chance; }

/// d/dt of the logarithm of met(), times the point's weight.
double met_share(const GaussPoint& point, double chance) { return point.weight * (1 - chance) / met(point, chance); }

/// The same of (1 - t) * chance, which a feature that is not met comes to.
double missed_share(const GaussPoint& point) { return -point.weight / point.complement; }

/// What the way to one child does when the row takes it, takes the other, or is off the path.
struct ChildFactors {
    double taken, other, off;
    double taken_share, other_share;
};

ChildFactors child_factors(const GaussPoint& point, const OwnChance& chance, double step) {
    const double former = chance.is_first ? 1 : met(point, chance.before);
    const double former_share = chance.is_first ? 0 : met_share(point, chance.before);
    ChildFactors factors;
    factors.taken = met(point, chance.after) / former;
    factors.other = point.complement * chance.after / former;
    factors.off = step;
    factors.taken_share = met_share(point, chance.after) - former_share;
    factors.other_share = missed_share(point) - former_share;
    return factors;
}

void store(PathFactors& into, std::size_t lane, std::size_t child, const ChildFactors& factors) {
    into.product[child][child][lane] = factors.taken;
    into.product[1 - child][child][lane] = factors.other;
    into.product[2][child][lane] = factors.off;
    into.share[child][child][lane] = factors.taken_share;
    into.share[1 - child][child][lane] = factors.other_share;
}

// By value, so that nothing can alias and the four lanes become vectors.
inline Lanes times(const Lanes& a, const Lanes& b) {
    Lanes product;
    for (std::size_t i = 0; i < k_lanes; ++i) product[i] = a[i] * b[i];
    return product;
}

inline Lanes times(const Lanes& a, double b) {
    Lanes product;
    for (std::size_t i = 0; i < k_lanes; ++i) product[i] = a[i] * b;
    return product;
}

inline Lanes plus(const Lanes& a, const Lanes& b) {
    Lanes sum;
    for (std::size_t i = 0; i < k_lanes; ++i) sum[i] = a[i] + b[i];
    return sum;
}

/// The down pass, for every question in pre-order.
void multiply_down(const std::vector<PathQuestion>& questions, const std::vector<PathFactors>& factors,
                   PathScratch& scratch) {
    for (std::size_t q = 0; q < questions.size(); ++q) {
        const PathQuestion& question = questions[q];
        const auto& product = factors[q].product[static_cast<std::size_t>(scratch.states[q])];
        const Lanes above = scratch.products[question.slot];
        scratch.products[question.left] = times(above, product[0]);
        scratch.products[question.right] = times(above, product[1]);
    }
}

/// The up pass from the leaves' values times their products.
void share_up(const std::vector<PathQuestion>& questions, const std::vector<PathFactors>& factors,
              PathScratch& scratch, Lanes* sums) {
    for (std::size_t q = questions.size(); q-- > 0;) {
        const PathQuestion& question = questions[q];
        const Lanes left = scratch.below[question.left];
        const Lanes right = scratch.below[question.right];
        scratch.below[question.slot] = plus(left, right);
        if (scratch.states[q] == PathState::off) continue;
        const auto& share = factors[q].share[static_cast<std::size_t>(scratch.states[q])];
        Lanes& sum = sums[question.place];
        sum = plus(sum, plus(times(left, share[0]), times(right, share[1])));
    }
}

}  // namespace

PathTree::PathTree(const model::Tree& tree, const TreeScores& scores, const std::vector<double>& cover,
                   const AskedFeatures& asked)
    : tree_(&tree), scores_(&scores) {
    const std::size_t most_features = set_questions(asked);
    const auto chances = chances_of(cover);
    reach_.assign(tree.nodes.size(), 1);
    for (std::size_t q = 0; q < questions_.size(); ++q) {
        reach_[questions_[q].left] = reach_[questions_[q].slot] * chances[q][0];
        reach_[questions_[q].right] = reach_[questions_[q].slot] * chances[q][1];
    }
    set_factors(chances, most_features);
}

/// Questions, leaves, and the largest number of features along a path.
std::size_t PathTree::set_questions(const AskedFeatures& asked) {
    struct Open {
        std::uint32_t slot;
        std::vector<std::pair<std::uint32_t, std::pair<std::int32_t, PathState>>> last;  ///< by feature
    };
    std::size_t most = 0;
    std::vector<Open> open{{0, {}}};
    while (!open.empty()) {
        Open at = std::move(open.back());
        open.pop_back();
        const model::Node& node = tree_->nodes[at.slot];
        if (node.is_leaf()) {
            leaves_.push_back(at.slot);
            most = std::max(most, at.last.size());
            continue;
        }
        PathQuestion question;
        question.slot = at.slot;
        question.left = index(node.left);
        question.right = index(node.right);
        question.feature = index(node.question.feature);
        question.place = asked.places[question.feature];
        question.threshold = node.question.kind == model::QuestionKind::threshold
                                 ? node.question.threshold
                                 : std::numeric_limits<double>::quiet_NaN();
        auto own = std::ranges::find(at.last, question.feature, [](const auto& entry) { return entry.first; });
        if (own == at.last.end()) own = at.last.insert(own, {question.feature, {-1, PathState::left}});
        question.above = own->second.first;
        question.way = own->second.second;
        own->second.first = static_cast<std::int32_t>(questions_.size());
        questions_.push_back(question);
        own->second.second = PathState::right;
        open.push_back({question.right, at.last});
        own->second.second = PathState::left;
        open.push_back({question.left, std::move(at.last)});
    }
    return most;
}

std::vector<std::array<double, 2>> PathTree::chances_of(const std::vector<double>& cover) const {
    std::vector<std::array<double, 2>> chances;
    for (const PathQuestion& question : questions_) {
        const double left = cover[question.left];
        const double right = cover[question.right];
        const double both = left + right;
        if (both > 0)
            chances.push_back({left / both, right / both});
        else
            chances.push_back({0.5, 0.5});
    }
    return chances;
}

void PathTree::set_factors(const std::vector<std::array<double, 2>>& chances, std::size_t most_features) {
    std::vector<GaussPoint> points = gauss_points(std::max<std::size_t>(1, (most_features + 1) / 2));
    points.resize((points.size() + k_lanes - 1) / k_lanes * k_lanes, GaussPoint{0.5, 0.5, 0});
    // For each question the chance of its feature's questions down to each child.
    std::vector<std::array<double, 2>> own(questions_.size());
    factors_.assign(points.size() / k_lanes, std::vector<PathFactors>(questions_.size()));
    for (std::size_t q = 0; q < questions_.size(); ++q) {
        const PathQuestion& question = questions_[q];
        OwnChance chance;
        chance.is_first = question.above < 0;
        if (!chance.is_first)
            chance.before = own[static_cast<std::size_t>(question.above)][static_cast<std::size_t>(question.way)];
        for (std::size_t child = 0; child < 2; ++child) {
            const double step = chances[q][child];
            own[q][child] = chance.after = chance.before * step;
            for (std::size_t p = 0; p < points.size(); ++p)
                store(factors_[p / k_lanes][q], p % k_lanes, child, child_factors(points[p], chance, step));
        }
    }
}

std::vector<double> PathTree::mean() const {
    std::vector<double> sums(scores_->length);
    for (const std::uint32_t leaf : leaves_)
        for (std::size_t k = 0; k < sums.size(); ++k)
            sums[k] += reach_[leaf] * scores_->values[leaf * scores_->length + k];
    return sums;
}

bool PathTree::set_states(std::span<const double> cells, PathScratch& scratch) const {
    for (std::size_t q = 0; q < questions_.size(); ++q) {
        const PathQuestion& question = questions_[q];
        if (question.above >= 0 && scratch.states[static_cast<std::size_t>(question.above)] != question.way) {
            scratch.states[q] = PathState::off;
            continue;
        }
        const double cell = cells[question.feature];
        bool right = cell > question.threshold;
        if (!right && !(cell <= question.threshold)) {
            const model::Question& asked = tree_->nodes[question.slot].question;
            if (std::isnan(cell) && !asked.surrogates.empty()) return false;
            infer::PathFlags ignored;
            right = infer::answer(asked, cells, ignored) == model::Side::right;
        }
        scratch.states[q] = right ? PathState::right : PathState::left;
    }
    return true;
}

void PathTree::add(PathScratch& scratch, std::span<Lanes> sums, std::size_t features) const {
    const std::size_t length = scores_->length;
    for (const std::vector<PathFactors>& factors : factors_) {
        scratch.products[0].fill(1);
        multiply_down(questions_, factors, scratch);
        for (std::size_t k = 0; k < length; ++k) {
            for (const std::uint32_t leaf : leaves_) {
                const double value = scores_->values[leaf * length + k];
                for (std::size_t i = 0; i < k_lanes; ++i) scratch.below[leaf][i] = scratch.products[leaf][i] * value;
            }
            share_up(questions_, factors, scratch, sums.data() + (scores_->first + k) * features);
        }
    }
}

}  // namespace regrove::algebra
