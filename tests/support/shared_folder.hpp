// One folder that all ranks of a test use.
#pragma once

#include <optional>
#include <string>

#include "support/mpi_world.hpp"
#include "support/scratch_folder.hpp"

namespace regrove::test {

class SharedFolder {
  public:
    SharedFolder() {
        if (world().is_root()) own_.emplace();
        path_ = own_ ? own_->path("") : "";
        world().broadcast(path_);
    }
    ~SharedFolder() { world().barrier(); }
    SharedFolder(const SharedFolder&) = delete;
    SharedFolder& operator=(const SharedFolder&) = delete;
    std::string path(const std::string& name) const { return path_ + name; }

  private:
    std::optional<ScratchFolder> own_;
    std::string path_;
};

}  // namespace regrove::test
