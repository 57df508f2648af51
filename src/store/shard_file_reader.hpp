// One rank's HDF5 file of a generation, as it is read by whatever ranks there are now.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "regrove/store/checkpoint_shard.hpp"
#include "regrove/store/hdf5_handle.hpp"

#include "checkpoint_manifest.hpp"

namespace regrove::store {

/// Throws FormatError that names the file when it is not as the manifest says.
class ShardFileReader {
  public:
    explicit ShardFileReader(std::string path);

    using Take = std::function<void(ShardId, std::span<const std::byte>)>;
    /// Passes the records of `shards`, in the order in which they were written, a piece of one shard at a time.
    void read(const DatasetFacts& dataset, ShardRange shards, const Take& take) const;
    std::string text(std::string_view name) const;
    /// Whether all that `facts` lists is there, by shape.
    void require(const FileFacts& facts) const;

  private:
    template <class Work>
    auto naming(const Work& work) const;

    std::string path_;
    Hdf5Handle file_;
};

}  // namespace regrove::store
