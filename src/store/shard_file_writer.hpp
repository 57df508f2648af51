// One rank's HDF5 file of a generation, as it is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "regrove/core/temporary_file.hpp"

#include "checkpoint_manifest.hpp"
#include "matrix_dataset.hpp"
#include "shard_file_layout.hpp"
#include "space_reservation.hpp"

namespace regrove::store {

/// Records are buffered by dataset and written in whole blocks; the file appears under its name with finish(). Made
/// only when there is something to write. Throws IoError; after that only destruction is left.
class ShardFileWriter {
  public:
    explicit ShardFileWriter(std::string path);
    ~ShardFileWriter();
    ShardFileWriter(const ShardFileWriter&) = delete;
    ShardFileWriter& operator=(const ShardFileWriter&) = delete;

    void add(const DatasetFacts& like, ShardId shard, std::span<const std::byte> records);
    void add_text(std::string_view name, std::string_view bytes);
    /// Closes, syncs and renames; the facts without path. nullopt when nothing was written.
    std::optional<FileFacts> finish();

  private:
    struct Dataset {
        DatasetFacts facts;
        std::vector<std::byte> buffer;
        std::vector<shard_file::Extent> index;
        std::optional<MatrixDataset> stored;
    };

    void require_open();
    void reserve(std::uint64_t more_bytes);
    Dataset& dataset(const DatasetFacts& like);
    void flush(Dataset& dataset, bool last);
    void write_index(Dataset& dataset);
    void write_text(const std::string& name, std::string_view bytes);
    void close();
    /// Runs `work`; HDF5's failures become errors that name the file.
    template <class Work>
    void naming(const Work& work);

    std::string path_;
    std::optional<TemporaryFile> temporary_;
    std::optional<SpaceReservation> space_;
    std::uint64_t reserved_bytes_ = 0;
    Hdf5Handle file_;
    std::map<std::string, Dataset, std::less<>> datasets_;
    std::vector<std::string> texts_;
};

}  // namespace regrove::store
