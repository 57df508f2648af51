// The index tells where a shard's records are; neighbouring ones are read together.
#include "shard_file_reader.hpp"

#include <algorithm>
#include <utility>

#include "regrove/core/error.hpp"

#include "hdf5_attribute.hpp"
#include "matrix_dataset.hpp"
#include "shard_file_layout.hpp"

namespace regrove::store {

namespace {

using shard_file::Extent;

std::vector<Extent> read_index(hid_t file, const DatasetFacts& dataset) {
    const auto stored = MatrixDataset::open(file, shard_file::index_path(dataset.name), H5T_NATIVE_UINT64);
    if (stored.columns() != shard_file::k_extent_words) throw Hdf5Failure("the index has another shape", 0);
    std::vector<Extent> index(stored.rows());
    stored.read(0, stored.rows(), index.data());
    std::uint64_t next = 0;
    for (const Extent& extent : index) {
        if (extent.shard >= k_shards || extent.first != next || extent.count > dataset.records - next)
            throw Hdf5Failure("the index of dataset '" + dataset.name + "' is inconsistent", 0);
        next += extent.count;
    }
    return index;
}

MatrixDataset open_records(hid_t file, const DatasetFacts& dataset) {
    auto records = MatrixDataset::open(file, shard_file::records_path(dataset.name), H5T_NATIVE_UINT8);
    if (records.columns() != dataset.record_bytes || records.rows() != dataset.records)
        throw Hdf5Failure("dataset '" + dataset.name + "' is not as the manifest says", 0);
    return records;
}

/// Reads extents that follow each other in the file as one, a block at a time.
class ExtentReader {
  public:
    ExtentReader(const MatrixDataset& records, const ShardFileReader::Take& take)
        : records_(records),
          take_(take),
          row_bytes_(records.columns()),
          block_rows_(std::max<std::uint64_t>(1, shard_file::k_block_bytes / row_bytes_)) {}

    void add(Extent extent) {
        while (extent.count > 0) {
            if (rows_ > 0 && (first_ + rows_ != extent.first || rows_ == block_rows_)) flush();
            if (rows_ == 0) first_ = extent.first;
            const Extent part{extent.shard, extent.first, std::min(extent.count, block_rows_ - rows_)};
            parts_.push_back(part);
            rows_ += part.count;
            extent.first += part.count;
            extent.count -= part.count;
        }
    }

    void flush() {
        buffer_.resize(rows_ * row_bytes_);
        records_.read(first_, rows_, buffer_.data());
        for (const Extent& part : parts_) {
            const std::size_t begin = (part.first - first_) * row_bytes_;
            take_(static_cast<ShardId>(part.shard), std::span(buffer_).subspan(begin, part.count * row_bytes_));
        }
        parts_.clear();
        rows_ = 0;
    }

  private:
    const MatrixDataset& records_;
    const ShardFileReader::Take& take_;
    std::uint64_t row_bytes_;
    std::uint64_t block_rows_;
    std::uint64_t first_ = 0;
    std::uint64_t rows_ = 0;
    std::vector<Extent> parts_;
    std::vector<std::byte> buffer_;
};

}  // namespace

template <class Work>
auto ShardFileReader::naming(const Work& work) const {
    try {
        return work();
    } catch (const Hdf5Failure& failure) {
        if (failure.error_number != 0) throw io_error("read", path_, failure.error_number);
        throw FormatError("'" + path_ + "' cannot be read as a checkpoint: " + failure.what());
    }
}

ShardFileReader::ShardFileReader(std::string path) : path_(std::move(path)) {
    naming([&] {
        file_ = open_for_reading(path_);
        if (read_text_attribute(file_.get(), shard_file::k_format) != shard_file::k_format_name ||
            read_integer_attribute(file_.get(), shard_file::k_version) != shard_file::k_format_version)
            throw Hdf5Failure("it has another format or version", 0);
    });
}

void ShardFileReader::read(const DatasetFacts& dataset, ShardRange shards, const Take& take) const {
    naming([&] {
        const auto records = open_records(file_.get(), dataset);
        ExtentReader reader(records, take);
        for (const Extent& extent : read_index(file_.get(), dataset)) {
            if (shards.contains(static_cast<ShardId>(extent.shard))) reader.add(extent);
        }
        reader.flush();
    });
}

std::string ShardFileReader::text(std::string_view name) const {
    return naming([&] {
        const auto stored = MatrixDataset::open(file_.get(), shard_file::text_path(name), H5T_NATIVE_UINT8);
        if (stored.columns() != 1) throw Hdf5Failure("the text has another shape", 0);
        std::string bytes(stored.rows(), '\0');
        stored.read(0, stored.rows(), bytes.data());
        return bytes;
    });
}

void ShardFileReader::require(const FileFacts& facts) const {
    naming([&] {
        for (const auto& dataset : facts.datasets) {
            open_records(file_.get(), dataset);
            read_index(file_.get(), dataset);
        }
        for (const auto& name : facts.texts)
            MatrixDataset::open(file_.get(), shard_file::text_path(name), H5T_NATIVE_UINT8);
    });
}

}  // namespace regrove::store
