// Member by member, so that trees are not copied on the way.
#include "regrove/model/frame.hpp"

namespace regrove::model {

Ensemble frame_without_features(const Ensemble& ensemble) {
    Ensemble frame;
    frame.task = ensemble.task;
    frame.label_name = ensemble.label_name;
    frame.classes = ensemble.classes;
    frame.features_by_position = ensemble.features_by_position;
    frame.combination = ensemble.combination;
    frame.link = ensemble.link;
    frame.initial_scores = ensemble.initial_scores;
    frame.provenance = ensemble.provenance;
    return frame;
}

Ensemble frame_of(const Ensemble& ensemble) {
    Ensemble frame = frame_without_features(ensemble);
    frame.features = ensemble.features;
    return frame;
}

}  // namespace regrove::model
