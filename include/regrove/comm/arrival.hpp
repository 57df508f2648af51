// Whether all ranks have come to the same point, asked with a time limit: the way out when one rank failed alone.
#pragma once

#include <memory>

namespace regrove::comm {

/// Needs a running MpiSession; construction is collective. Uses a communicator of its own, so that a rank may ask
/// while the others are in the middle of other collectives.
class Arrival {
  public:
    Arrival();
    ~Arrival();
    Arrival(const Arrival&) = delete;
    Arrival& operator=(const Arrival&) = delete;
    /// True when every rank has called this within `timeout_seconds` of this call. After false only MpiSession::abort
    /// is left.
    bool all_arrive(double timeout_seconds);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace regrove::comm
