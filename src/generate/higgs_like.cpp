// A table shaped like the Higgs set of particle collisions: 21 measured features, 7 masses made of them, two classes.
//
// Each row is an event with six objects: a lepton, the missing momentum and four jets. The chance of class "1"
// depends on how near three masses come to their resonances and on products and differences of features that are not
// given as features of their own: a sum of many interactions, of which a booster finds one after the other, while one
// shallow tree has questions for few. No physical claim is made.
#include <array>
#include <cmath>

#include "regrove/core/portable_math.hpp"

#include "kinds.hpp"

namespace regrove::generate {

namespace {

constexpr double k_pi = 0x1.921fb54442d18p+1;
constexpr std::size_t k_features = 28;
constexpr std::size_t k_objects = 6;  // lepton, missing momentum, jets 2 to 5
constexpr std::size_t k_jets = 4;

// Slots of the random streams.
constexpr std::uint32_t k_label_slot = 0;
constexpr std::uint32_t k_momentum_slot = 1;
constexpr std::uint32_t k_direction_slot = k_momentum_slot + k_objects;
constexpr std::uint32_t k_angle_slot = k_direction_slot + k_objects;
constexpr std::uint32_t k_tag_slot = k_angle_slot + k_objects;

// The label: steepness of its chance in the score, and the score at which the chance is one half. They were chosen so
// that 53 % of the rows have class "1" and a booster of 100 trees of depth 8 reaches an AUC of about 0.86.
constexpr double k_steepness = 1.8;
constexpr double k_even_score = 0.723;

double cosine(double x) { return portable::sin(x + 0.5 * k_pi); }

struct Object {
    double log_momentum = 0;
    double momentum = 0;   ///< transverse
    double direction = 0;  ///< pseudorapidity
    double angle = 0;      ///< azimuth
};

struct Event {
    std::array<Object, k_objects> object;
    std::array<double, k_jets> tag{};
};

/// Squares of invariant masses; of the pair of lepton and missing momentum the transverse mass.
struct Masses {
    double jets_23 = 0, jets_24 = 0, jets_34 = 0, jets_35 = 0, jets_45 = 0;
    double lepton_missing = 0, lepton_jet_4 = 0;
};

/// (2 p q (cosh(difference of directions) - cos(difference of angles)), the square of the mass of two light objects.
double square_mass(const Object& a, const Object& b) {
    const double growth = portable::exp(a.direction - b.direction);
    const double cosh = 0.5 * (growth + 1.0 / growth);
    return 2.0 * a.momentum * b.momentum * (cosh - cosine(a.angle - b.angle));
}

double transverse_square_mass(const Object& a, const Object& b) {
    return 2.0 * a.momentum * b.momentum * (1.0 - cosine(a.angle - b.angle));
}

struct Streams {
    explicit Streams(const Draws& draws) : draws_(draws) {}

    Event event(RowIndex row) const {
        Event event;
        for (std::uint32_t k = 0; k < k_objects; ++k) {
            Object& object = event.object[k];
            object.log_momentum = 0.5 * draws_.slot(k_momentum_slot + k).normal(row);
            object.momentum = portable::exp(object.log_momentum);
            object.direction = draws_.slot(k_direction_slot + k).normal(row);
            object.angle = k_pi * (2.0 * draws_.slot(k_angle_slot + k).uniform(row) - 1.0);
        }
        for (std::uint32_t k = 0; k < k_jets; ++k) event.tag[k] = draws_.slot(k_tag_slot + k).normal(row);
        return event;
    }

    double label_draw(RowIndex row) const { return draws_.slot(k_label_slot).uniform(row); }

  private:
    Draws draws_;
};

Masses masses_of(const Event& event) {
    const auto& o = event.object;
    return {.jets_23 = square_mass(o[2], o[3]),
            .jets_24 = square_mass(o[2], o[4]),
            .jets_34 = square_mass(o[3], o[4]),
            .jets_35 = square_mass(o[3], o[5]),
            .jets_45 = square_mass(o[4], o[5]),
            .lepton_missing = transverse_square_mass(o[0], o[1]),
            .lepton_jet_4 = square_mass(o[0], o[4])};
}

std::array<double, k_features> features_of(const Event& event, const Masses& m) {
    std::array<double, k_features> f{};
    const Object& lepton = event.object[0];
    const Object& missing = event.object[1];
    f[0] = lepton.momentum;
    f[1] = lepton.direction;
    f[2] = lepton.angle;
    f[3] = missing.momentum;
    f[4] = missing.angle;
    for (std::size_t k = 0; k < k_jets; ++k) {
        const Object& jet = event.object[2 + k];
        f[5 + 4 * k] = jet.momentum;
        f[6 + 4 * k] = jet.direction;
        f[7 + 4 * k] = jet.angle;
        f[8 + 4 * k] = event.tag[k];
    }
    const double w_and_b = m.jets_23 + m.jets_45 + m.lepton_missing;
    f[21] = std::sqrt(m.jets_23);
    f[22] = std::sqrt(m.jets_23 + m.jets_24 + m.jets_34);
    f[23] = std::sqrt(m.lepton_missing);
    f[24] = std::sqrt(m.lepton_missing + m.lepton_jet_4);
    f[25] = std::sqrt(m.jets_45);
    f[26] = std::sqrt(w_and_b);
    f[27] = std::sqrt(w_and_b + m.jets_24 + m.jets_35);
    return f;
}

/// 1 at the resonance, 1/2 one width away from it.
double nearness(double mass, double resonance, double width) {
    const double distance = (mass - resonance) / width;
    return 1.0 / (1.0 + distance * distance);
}

double score_of(const Event& event, const std::array<double, k_features>& f) {
    const auto& o = event.object;
    return 1.1 * nearness(f[25], 1.3, 0.5) + 0.9 * nearness(f[21], 1.0, 0.4) + 0.7 * nearness(f[23], 1.0, 0.5) +
           0.55 * (event.tag[0] * event.tag[1] + event.tag[2] * event.tag[3]) - 0.15 * f[27] / (f[25] + 1.0) +
           0.5 * cosine(o[0].angle - o[1].angle) + 0.4 * o[0].direction * o[2].direction +
           0.5 * (o[2].log_momentum + o[3].log_momentum - o[4].log_momentum - o[5].log_momentum);
}

}  // namespace

data::Schema higgs_like_schema(std::uint32_t features) {
    data::Schema schema;
    for (std::uint32_t f = 0; f < features; ++f)
        schema.columns.push_back({"f" + std::to_string(f), data::ColumnType::float32, data::ColumnRole::feature, {}});
    schema.columns.push_back({"label", data::ColumnType::category, data::ColumnRole::label, {"0", "1"}});
    return schema;
}

void fill_higgs_like(const Draws& draws, data::TableShard& shard, std::size_t begin, std::size_t end) {
    std::array<float*, k_features> columns{};
    for (std::size_t f = 0; f < k_features; ++f) columns[f] = std::get<std::vector<float>>(shard.values[f]).data();
    auto& label = std::get<std::vector<data::CategoryCode>>(shard.values[k_features]);
    const Streams streams(draws);
    for (std::size_t i = begin; i < end; ++i) {
        const RowIndex row = shard.first_row + i;
        const Event event = streams.event(row);
        const auto features = features_of(event, masses_of(event));
        for (std::size_t f = 0; f < k_features; ++f) columns[f][i] = static_cast<float>(features[f]);
        const double chance = 1.0 / (1.0 + portable::exp(-k_steepness * (score_of(event, features) - k_even_score)));
        label[i] = streams.label_draw(row) < chance ? 1 : 0;
    }
}

}  // namespace regrove::generate
