// What a checkpoint belongs to, and whether a run takes it up.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace regrove::store {

/// A checkpoint is taken up only by a run with an equal identity; else the run is refused, and told what differs.
struct CheckpointIdentity {
    using Facts = std::vector<std::pair<std::string, std::string>>;

    std::string job;  ///< "reborn"
    int format = 1;   ///< the job's own: raised when its records change their meaning
    Facts options;    ///< name and text of each option that the result depends on
    Facts inputs;     ///< name and content hash of each input: {"model", "0123..."}

    /// Leaves an option out: the records serve any value of it.
    void forget_option(std::string_view name) {
        std::erase_if(options, [&](const auto& fact) { return fact.first == name; });
    }
    friend bool operator==(const CheckpointIdentity&, const CheckpointIdentity&) = default;
};

/// One line on the first difference ("option max_depth is 4, in the checkpoint 3"); empty when they are equal.
struct IdentityDifference {
    std::string text;
    bool of_inputs = false;  ///< the options agree, the data do not
};
IdentityDifference difference(const CheckpointIdentity& wanted, const CheckpointIdentity& found);

enum class ResumeMode : std::uint8_t {
    automatic,  ///< go on from a checkpoint when there is one
    require,    ///< there must be one
    never,      ///< there must be none, or `overwrite` drops it
};

}  // namespace regrove::store
