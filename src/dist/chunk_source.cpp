#include "regrove/dist/chunk_source.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/store/table_stream.hpp"

namespace regrove::dist {

namespace {

class StreamChunks final : public ChunkSource {
  public:
    StreamChunks(comm::Communicator& comm, std::string path, std::uint64_t chunk_rows, data::Schema schema)
        : comm_(comm), path_(std::move(path)), chunk_rows_(chunk_rows), schema_(std::move(schema)) {
        rewind();
    }
    const data::Schema& schema() const override { return schema_; }
    std::uint64_t global_rows() const override { return stream_->info().rows; }
    std::string known_hash() const override {
        const Hash128& hash = stream_->info().content_hash;
        return hash == Hash128{} ? std::string() : to_hex(hash);
    }
    void rewind() override {
        const store::ReadOptions options{!verified_};
        stream_.reset();
        stream_.emplace(comm_, path_, chunk_rows_, std::vector<std::string>{}, options);
    }
    bool next(data::TableShard& chunk) override {
        const bool more = stream_->next(chunk);
        if (!more) verified_ = true;
        chunk.schema = schema_;
        return more;
    }

  private:
    comm::Communicator& comm_;
    std::string path_;
    std::uint64_t chunk_rows_;
    data::Schema schema_;
    bool verified_ = false;
    std::optional<store::TableStream> stream_;
};

class ShardChunks final : public ChunkSource {
  public:
    ShardChunks(comm::Communicator& comm, data::TableShard shard, std::uint64_t chunk_rows)
        : shard_(std::move(shard)), chunk_rows_(chunk_rows) {
        const std::uint64_t most = comm.max(shard_.rows);
        chunks_ = most / chunk_rows_ + (most % chunk_rows_ != 0 ? 1 : 0);
    }
    const data::Schema& schema() const override { return shard_.schema; }
    std::uint64_t global_rows() const override { return shard_.global_rows; }
    std::string known_hash() const override { return {}; }
    void rewind() override { next_ = 0; }
    bool next(data::TableShard& chunk) override {
        const std::uint64_t begin = std::min(shard_.rows, next_ * chunk_rows_);
        const std::uint64_t end = next_ < chunks_ ? std::min(shard_.rows, begin + chunk_rows_) : begin;
        chunk = data::slice(shard_, begin, end);
        chunk.global_rows = shard_.global_rows;
        return next_++ < chunks_;
    }

  private:
    data::TableShard shard_;
    std::uint64_t chunk_rows_;
    std::uint64_t chunks_ = 0;
    std::uint64_t next_ = 0;
};

}  // namespace

std::unique_ptr<ChunkSource> stream_chunks(comm::Communicator& comm, std::string path, std::uint64_t chunk_rows,
                                           data::Schema schema) {
    return std::make_unique<StreamChunks>(comm, std::move(path), chunk_rows, std::move(schema));
}

std::unique_ptr<ChunkSource> shard_chunks(comm::Communicator& comm, data::TableShard shard,
                                          std::uint64_t chunk_rows) {
    return std::make_unique<ShardChunks>(comm, std::move(shard), chunk_rows);
}

}  // namespace regrove::dist
