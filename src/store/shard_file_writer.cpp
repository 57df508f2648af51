// Buffers, then blocks of whole chunks, then the index of shards.
#include "shard_file_writer.hpp"

#include <algorithm>
#include <utility>

#include "regrove/core/check.hpp"
#include "regrove/core/error.hpp"

#include "file_bytes.hpp"
#include "hdf5_attribute.hpp"

namespace regrove::store {

namespace {

/// For object headers, the first blocks of indexes, and what HDF5 rounds up.
constexpr std::uint64_t k_metadata_bytes = std::uint64_t{256} << 10U;
/// An entry of HDF5's index of chunks with its share of blocks that are half full, and the checksum.
constexpr std::uint64_t k_bytes_per_chunk = 64;

std::uint64_t rows_per_chunk(std::uint64_t row_bytes) {
    return std::max<std::uint64_t>(1, shard_file::k_chunk_bytes / row_bytes);
}

std::uint64_t rows_per_block(std::uint64_t row_bytes) {
    const std::uint64_t chunk = rows_per_chunk(row_bytes);
    return chunk * std::max<std::uint64_t>(1, shard_file::k_block_bytes / (chunk * row_bytes));
}

void create_group(hid_t file, const std::string& name) {
    const Hdf5Handle group(H5Gcreate2(file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
                           "creating a group");
}

Hdf5Handle create_file(const std::string& path) {
    const Hdf5Handle access = file_access();
    Hdf5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose, "creating the file");
    write_attribute(file.get(), shard_file::k_format, shard_file::k_format_name);
    write_attribute(file.get(), shard_file::k_version, shard_file::k_format_version);
    create_group(file.get(), shard_file::k_datasets_group);
    create_group(file.get(), shard_file::k_texts_group);
    return file;
}

}  // namespace

template <class Work>
void ShardFileWriter::naming(const Work& work) {
    try {
        work();
    } catch (const Hdf5Failure& failure) {
        if (failure.error_number != 0) throw io_error("write", path_, failure.error_number);
        throw IoError("cannot write '" + path_ + "': " + failure.what());
    }
}

ShardFileWriter::ShardFileWriter(std::string path) : path_(std::move(path)) {}

ShardFileWriter::~ShardFileWriter() = default;

/// A full disk must show before HDF5 meets it, so all that HDF5 will write is reserved ahead.
void ShardFileWriter::reserve(std::uint64_t more_bytes) {
    reserved_bytes_ += more_bytes;
    space_->require(reserved_bytes_);
}

void ShardFileWriter::require_open() {
    if (file_) return;
    temporary_.emplace(temporary_name(path_));
    SpaceReservation(temporary_->path(), 0).require(2 * k_metadata_bytes);
    naming([&] { file_ = create_file(temporary_->path()); });
    space_.emplace(temporary_->path(), k_metadata_bytes);  // again: creating the file has cut it to nothing
    reserve(k_metadata_bytes);
}

ShardFileWriter::Dataset& ShardFileWriter::dataset(const DatasetFacts& like) {
    const auto found = datasets_.find(like.name);
    if (found != datasets_.end()) {
        const DatasetFacts& facts = found->second.facts;
        REGROVE_CHECK(facts.record_bytes == like.record_bytes && facts.appended == like.appended);
        return found->second;
    }
    Dataset made;
    made.facts = like;
    made.facts.records = 0;
    made.facts.shards = {k_shards, 0};
    return datasets_.emplace(like.name, std::move(made)).first->second;
}

void ShardFileWriter::add(const DatasetFacts& like, ShardId shard, std::span<const std::byte> records) {
    if (records.empty()) return;
    REGROVE_CHECK(shard < k_shards);
    Dataset& to = dataset(like);
    const std::uint64_t row_bytes = like.record_bytes;
    const std::uint64_t count = records.size() / row_bytes;
    if (!to.index.empty() && to.index.back().shard == shard)
        to.index.back().count += count;
    else
        to.index.push_back({shard, to.facts.records, count});
    to.facts.records += count;
    to.facts.shards = {std::min(to.facts.shards.begin, shard), std::max(to.facts.shards.end, shard + 1)};
    const std::size_t block = rows_per_block(row_bytes) * row_bytes;
    while (!records.empty()) {
        const std::size_t part = std::min(records.size(), block - to.buffer.size());
        to.buffer.insert(to.buffer.end(), records.begin(), records.begin() + static_cast<std::ptrdiff_t>(part));
        records = records.subspan(part);
        if (to.buffer.size() == block) flush(to, false);
    }
}

/// Chunks are as large as the whole when that is little.
void ShardFileWriter::flush(Dataset& dataset, bool last) {
    require_open();
    const std::uint64_t row_bytes = dataset.facts.record_bytes;
    const std::uint64_t count = dataset.buffer.size() / row_bytes;
    std::uint64_t chunk_rows = rows_per_chunk(row_bytes);
    if (last && !dataset.stored) chunk_rows = std::clamp<std::uint64_t>(count, 1, chunk_rows);
    const std::uint64_t chunks = (count + chunk_rows - 1) / chunk_rows;
    reserve(chunks * (chunk_rows * row_bytes + k_bytes_per_chunk));
    naming([&] {
        if (!dataset.stored) {
            create_group(file_.get(), std::string(shard_file::k_datasets_group) + "/" + dataset.facts.name);
            dataset.stored = MatrixDataset::create(file_.get(), shard_file::records_path(dataset.facts.name),
                                                   H5T_NATIVE_UINT8, row_bytes, chunk_rows);
        }
        dataset.stored->append(dataset.buffer.data(), count);
    });
    dataset.buffer.clear();
}

void ShardFileWriter::write_index(Dataset& dataset) {
    const std::uint64_t rows = dataset.index.size();
    const std::uint64_t chunk_rows = std::clamp<std::uint64_t>(rows, 1, rows_per_chunk(sizeof(shard_file::Extent)));
    reserve((rows / chunk_rows + 1) * (chunk_rows * sizeof(shard_file::Extent) + k_bytes_per_chunk));
    naming([&] {
        auto index = MatrixDataset::create(file_.get(), shard_file::index_path(dataset.facts.name), H5T_NATIVE_UINT64,
                                           shard_file::k_extent_words, chunk_rows);
        index.append(dataset.index.data(), rows);
        index.close();
    });
}

void ShardFileWriter::add_text(std::string_view name, std::string_view bytes) {
    require_open();
    const std::uint64_t chunk = std::clamp<std::uint64_t>(bytes.size(), 1, shard_file::k_chunk_bytes);
    reserve((bytes.size() / chunk + 1) * (chunk + k_bytes_per_chunk));
    naming([&] {
        auto text = MatrixDataset::create(file_.get(), shard_file::text_path(name), H5T_NATIVE_UINT8, 1, chunk);
        text.append(bytes.data(), bytes.size());
        text.close();
    });
    texts_.emplace_back(name);
}

std::optional<FileFacts> ShardFileWriter::finish() {
    FileFacts facts;
    for (auto& [name, dataset] : datasets_) {
        flush(dataset, true);
        write_index(dataset);
        naming([&] { dataset.stored->close(); });
        facts.datasets.push_back(dataset.facts);
    }
    if (!file_) return std::nullopt;
    facts.texts = texts_;
    naming([&] { file_.close("closing the file"); });
    space_->release();
    sync_file(temporary_->path());
    temporary_->rename_to(path_, true);
    return facts;
}

}  // namespace regrove::store
