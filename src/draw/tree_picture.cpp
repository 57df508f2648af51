// Turns an ensemble's tree into the words and figures of its picture.
#include "regrove/draw/tree_picture.hpp"

#include <algorithm>
#include <cmath>

#include "regrove/core/error.hpp"
#include "regrove/draw/clean_text.hpp"
#include "regrove/draw/figure_text.hpp"
#include "regrove/draw/node_details.hpp"
#include "regrove/draw/question_words.hpp"
#include "regrove/draw/tree_cut.hpp"

namespace regrove::draw {
namespace {

constexpr Font k_title_font{20, FontWeight::bold};
constexpr double k_max_label_width = 420;
constexpr Font k_legend_font{12};
constexpr double k_max_legend_width = 220;

// What every card of one picture is made from.
struct Source {
    const model::Ensemble& ensemble;
    const model::Tree& tree;
    std::vector<Color> colors;  // of classes
    double scale_low = 0;       // of means
    double scale_high = 0;
    bool weighted = false;
    bool has_rows = true;        // of training; a tree made from other trees has none
    bool counts_leaves = false;  // its weights are the leaves below each node
    bool shortened = false;      // some text of the picture is not complete

    const model::Node& root() const { return tree.nodes.front(); }
    double share(const model::Node& node) const { return root().weight > 0 ? node.weight / root().weight : 1; }
    std::string fit(const std::string& text, Font font, double width) {
        const std::string clean = clean_text(text);
        std::string fitted = draw::shortened(clean, font, width);
        shortened = shortened || fitted != clean;
        return fitted;
    }
};

Source make_source(const model::Ensemble& ensemble, const model::Tree& tree) {
    Source source{ensemble, tree, {}};
    source.has_rows = tree.nodes.front().rows > 0;
    source.counts_leaves = !source.has_rows && tree.nodes.front().weight == static_cast<double>(tree.leaf_count());
    source.weighted = source.has_rows && tree.nodes.front().weight != static_cast<double>(tree.nodes.front().rows);
    if (ensemble.has_class_weights()) {
        source.colors = class_colors(tree.nodes.front().value);
        return source;
    }
    source.scale_low = source.scale_high = tree.nodes.front().value.front();
    for (const model::Node& node : tree.nodes) {
        source.scale_low = std::min(source.scale_low, node.value.front());
        source.scale_high = std::max(source.scale_high, node.value.front());
    }
    return source;
}

double total(const std::vector<double>& weights) {
    double sum = 0;
    for (const double weight : weights) sum += weight;
    return sum;
}

std::string figures_text(const Source& source, const model::Node& node) {
    if (source.counts_leaves && !node.is_leaf())
        return count_text(static_cast<std::uint64_t>(node.weight), "leaf", "leaves");
    if (!source.has_rows) return "";
    return count_text(node.rows, "row", "rows") + " · " + percent_text(source.share(node)) +
           (source.weighted ? " of weight" : "");
}

void add_segments(Card& card, Source& source, const model::Node& node) {
    const double sum = total(node.value);
    for (std::size_t i = 0; i < node.value.size(); ++i) {
        if (!(node.value[i] > 0)) continue;
        const double share = node.value[i] / sum;
        card.segments.push_back(
            {share, source.colors[i], clean_text(source.ensemble.classes[i]), percent_text(share)});
    }
}

// The class of most weight, the first of equals, as prediction has it.
void add_class_answer(Card& card, Source& source, const model::Node& node) {
    const auto best = std::max_element(node.value.begin(), node.value.end());
    const auto c = static_cast<std::size_t>(best - node.value.begin());
    card.accent = source.colors[c];
    if (card.kind != CardKind::leaf) return;
    card.headline = {source.fit(source.ensemble.classes[c], k_headline_font, k_max_text_width * 0.6)};
    const auto equals = std::count(node.value.begin(), node.value.end(), *best);
    const double sum = total(node.value);
    card.answer_share = sum > 0 ? percent_text(*best / sum) : "no rows";
    if (source.counts_leaves) card.answer_share = "";
    if (equals > 1) card.answer_share += ", a draw";
}

double on_scale(const Source& source, double value) {
    const double width = source.scale_high - source.scale_low;
    return width > 0 ? std::clamp((value - source.scale_low) / width, 0.0, 1.0) : 0.5;
}

void add_mean_answer(Card& card, const Source& source, const model::Node& node) {
    const double mean = node.value.front();
    const bool sums = source.ensemble.combination == model::Combination::sum;
    const double deviation = sums ? 0 : std::sqrt(node.impurity);
    const bool flat = !(source.scale_high > source.scale_low);
    card.value = ValueMark{on_scale(source, mean), flat ? 0.5 : on_scale(source, mean - deviation),
                           flat ? 0.5 : on_scale(source, mean + deviation)};
    card.accent = scale_color(card.value->mean);
    if (card.kind == CardKind::leaf)
        card.headline = {value_text(mean)};
    else
        card.figures += (sums ? " · adds " : " · mean ") + value_text(mean);
}

std::string ties_text(const model::Node& node) {
    std::string text;
    if (node.ties_cutting_differently > 0) text = count_text(node.ties_cutting_differently, "tie", "ties");
    if (node.ties_cutting_alike > 0)
        text += (text.empty() ? "" : ", ") + count_text(node.ties_cutting_alike) + " alike";
    return text;
}

Card make_card(Source& source, const DrawnNode& drawn) {
    const model::Node& node = source.tree.node(drawn.id);
    Card card;
    card.kind = node.is_leaf() ? CardKind::leaf : drawn.has_children() ? CardKind::inner : CardKind::cut;
    card.left = drawn.left;
    card.right = drawn.right;
    card.node_name = node.is_leaf() ? "leaf " + count_text(drawn.leaf_number) : "#" + std::to_string(index(drawn.id));
    card.figures = figures_text(source, node);
    card.share = source.share(node);
    card.details = node_details(source.ensemble, source.tree, drawn.id, drawn.leaf_number);
    if (!node.is_leaf()) {
        const QuestionWords words = question_words(node, source.ensemble.features, k_headline_font, k_max_text_width);
        card.headline = words.lines;
        source.shortened = source.shortened || !words.complete;
        card.ties = ties_text(node);
    }
    if (card.kind == CardKind::cut)
        card.below = "… " + count_text(drawn.hidden_nodes) + " more nodes, " +
                     count_text(drawn.hidden_leaves, "leaf", "leaves");
    if (source.ensemble.has_class_weights()) {
        add_segments(card, source, node);
        add_class_answer(card, source, node);
    } else {
        add_mean_answer(card, source, node);
    }
    return card;
}

Branch make_branch(const model::Question& question, std::uint32_t parent, std::uint32_t child, model::Side side) {
    Branch branch{parent, child, side == model::Side::right, MissingMark::none, ""};
    branch.text = branch.yes ? "yes" : "no";
    if (question.missing_side != side) return branch;
    branch.missing = question.missing_seen ? MissingMark::goes_here : MissingMark::would_go_here;
    if (question.missing_seen) branch.text += ", missing";
    return branch;
}

void add_branches(TreePicture& picture, const Source& source, const TreeCut& cut) {
    for (std::uint32_t i = 0; i < cut.nodes.size(); ++i) {
        const DrawnNode& drawn = cut.nodes[i];
        if (!drawn.has_children()) continue;
        const model::Question& question = source.tree.node(drawn.id).question;
        picture.branches.push_back(make_branch(question, i, drawn.left, model::Side::left));
        picture.branches.push_back(make_branch(question, i, drawn.right, model::Side::right));
    }
    std::sort(picture.branches.begin(), picture.branches.end(),
              [](const Branch& a, const Branch& b) { return a.child < b.child; });
    for (const Branch& branch : picture.branches) {
        picture.explain_goes_here |= branch.missing == MissingMark::goes_here;
        picture.explain_would_go_here |= branch.missing == MissingMark::would_go_here;
    }
}

void add_heading(TreePicture& picture, Source& source, const TreeCut& cut, std::uint32_t tree) {
    const model::Ensemble& ensemble = source.ensemble;
    picture.title = ensemble.combination == model::Combination::sum ? "Boosted tree"
                    : ensemble.task == model::Task::classification  ? "Decision tree"
                                                                    : "Regression tree";
    if (!ensemble.label_name.empty())
        picture.title += " for " + source.fit(ensemble.label_name, k_title_font, k_max_label_width);
    if (ensemble.trees.size() > 1)
        picture.subtitle = "tree " + count_text(tree) + " of 0 to " + count_text(ensemble.trees.size() - 1) + " · ";
    if (source.has_rows) picture.subtitle += count_text(source.root().rows, "row", "rows") + " · ";
    if (source.weighted) picture.subtitle += "weight " + value_text(source.root().weight) + " · ";
    picture.subtitle += "depth " + count_text(cut.tree_depth) + " · " + count_text(cut.tree_leaves, "leaf", "leaves");
}

void add_class_legend(TreePicture& picture, Source& source) {
    const std::vector<double>& weights = source.root().value;
    const double sum = total(weights);
    std::uint64_t others = 0;
    double others_weight = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (source.colors[i] == k_other_classes) {
            ++others;
            others_weight += weights[i];
            continue;
        }
        const std::string share = sum > 0 ? " " + percent_text(weights[i] / sum) : "";
        picture.legend.push_back(
            {source.colors[i], source.fit(source.ensemble.classes[i], k_legend_font, k_max_legend_width) + share});
    }
    if (others > 0)
        picture.legend.push_back(
            {k_other_classes, count_text(others) + " classes of less weight " + percent_text(others_weight / sum)});
}

void add_value_scale(TreePicture& picture, Source& source) {
    picture.scale = ValueScale{source.fit(source.ensemble.label_name, k_legend_font, k_max_legend_width),
                               value_text(source.scale_low), value_text(source.scale_high)};
}

bool any_ties(const TreePicture& picture) {
    return std::any_of(picture.cards.begin(), picture.cards.end(),
                       [](const Card& card) { return !card.ties.empty(); });
}

void add_notes(TreePicture& picture, const Source& source, const TreeCut& cut) {
    if (!cut.complete())
        picture.notes.push_back("Drawn to depth " + count_text(cut.drawn_depth) + " of " +
                                count_text(cut.tree_depth) + ": " + count_text(cut.nodes.size()) + " of " +
                                count_text(cut.tree_nodes) + " nodes. Dashed boxes count the " +
                                count_text(cut.tree_nodes - cut.nodes.size()) + " below them.");
    if (picture.scale && source.ensemble.combination == model::Combination::sum)
        picture.notes.push_back("Bars: what a node adds to the score, on the scale above.");
    else if (picture.scale)
        picture.notes.push_back("Bars: the mean on the scale above, shaded one standard deviation to either side.");
    if (any_ties(picture))
        picture.notes.push_back(
            "Ties: other questions of exactly the same gain that cut the rows differently; alike: that cut them "
            "alike.");
    if (!picture.branches.empty() && (source.has_rows || source.counts_leaves))
        picture.notes.push_back(std::string("Lines are as thick as their share of the ") +
                                (source.counts_leaves ? "leaves."
                                 : source.weighted    ? "weight."
                                                      : "rows."));
    if (source.shortened) picture.notes.push_back("Names cut by “…” or “+ more” are complete in the tooltips.");
}

}  // namespace

TreePicture describe_tree(const model::Ensemble& ensemble, const TreeDrawingOptions& options) {
    if (options.tree >= ensemble.trees.size())
        throw ConfigError("tree: the model has no tree " + std::to_string(options.tree) + "; it has " +
                          count_text(ensemble.trees.size(), "tree", "trees") + ", counted from zero");
    const model::Tree& tree = ensemble.trees[options.tree];
    const std::uint32_t depth = options.max_depth_drawn == 0 ? readable_depth(tree) : options.max_depth_drawn;
    const TreeCut cut = cut_tree(tree, depth);
    Source source = make_source(ensemble, tree);
    TreePicture picture;
    for (const DrawnNode& drawn : cut.nodes) picture.cards.push_back(make_card(source, drawn));
    add_branches(picture, source, cut);
    add_heading(picture, source, cut, options.tree);
    if (ensemble.has_class_weights())
        add_class_legend(picture, source);
    else
        add_value_scale(picture, source);
    add_notes(picture, source, cut);
    return picture;
}

}  // namespace regrove::draw
