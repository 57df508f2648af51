// Decompresses streams on the way: inflate members of gzip, frames of zstd, and says what is damaged.
#include "regrove/ingest/byte_source.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#define ZLIB_CONST  // zlib's input pointer is then to const bytes
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "regrove/core/error.hpp"

namespace regrove::ingest {
namespace {

constexpr std::size_t k_compressed_buffer_bytes = std::size_t{1} << 17U;
constexpr std::size_t k_magic_bytes = 4;

/// An open file descriptor that closes itself and turns errno into IoError.
class File {
  public:
    explicit File(std::string path)
        : path_(std::move(path)), descriptor_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC)) {
        if (descriptor_ < 0) throw io_error("open", path_, errno);
    }
    ~File() { ::close(descriptor_); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    const std::string& path() const { return path_; }

    std::size_t read(char* buffer, std::size_t size) {
        while (true) {
            const ssize_t got = ::read(descriptor_, buffer, size);
            if (got >= 0) return static_cast<std::size_t>(got);
            if (errno != EINTR) throw io_error("read", path_, errno);
        }
    }
    std::size_t read_at(char* buffer, std::size_t size, std::uint64_t offset) {
        while (true) {
            const ssize_t got = ::pread(descriptor_, buffer, size, static_cast<off_t>(offset));
            if (got >= 0) return static_cast<std::size_t>(got);
            if (errno != EINTR) throw io_error("read", path_, errno);
        }
    }
    /// Up to `size` bytes, fewer only at the end of the file.
    std::size_t read_fully(char* buffer, std::size_t size) {
        std::size_t total = 0;
        while (total < size) {
            const std::size_t got = read(buffer + total, size - total);
            if (got == 0) break;
            total += got;
        }
        return total;
    }

  private:
    std::string path_;
    int descriptor_;
};

/// A file whose first bytes were looked at already, so that pipes can be read as well.
class PeekedFile {
  public:
    explicit PeekedFile(const std::string& path) : file_(path) {
        peeked_size_ = file_.read_fully(peeked_.data(), peeked_.size());
    }
    const std::string& path() const { return file_.path(); }
    std::string_view head() const { return {peeked_.data(), peeked_size_}; }

    std::size_t read(char* buffer, std::size_t size) {
        if (peeked_used_ == peeked_size_) return file_.read(buffer, size);
        const std::size_t count = std::min(size, peeked_size_ - peeked_used_);
        std::copy_n(peeked_.data() + peeked_used_, count, buffer);
        peeked_used_ += count;
        return count;
    }

  private:
    File file_;
    std::array<char, k_magic_bytes> peeked_{};
    std::size_t peeked_size_ = 0;
    std::size_t peeked_used_ = 0;
};

Encoding encoding_of(std::string_view head) {
    const auto byte = [&](std::size_t i) { return i < head.size() ? static_cast<unsigned char>(head[i]) : 0U; };
    if (byte(0) == 0x1fU && byte(1) == 0x8bU) return Encoding::gzip;
    if (byte(0) == 0x28U && byte(1) == 0xb5U && byte(2) == 0x2fU && byte(3) == 0xfdU) return Encoding::zstd;
    // A zstd stream may begin with a skippable frame (RFC 8878, section 3.1.2).
    if ((byte(0) & 0xf0U) == 0x50U && byte(1) == 0x2aU && byte(2) == 0x4dU && byte(3) == 0x18U) return Encoding::zstd;
    return Encoding::plain;
}

class PlainSource final : public ByteSource {
  public:
    explicit PlainSource(std::unique_ptr<PeekedFile> file) : file_(std::move(file)) {}
    std::size_t read(char* buffer, std::size_t size) override { return file_->read(buffer, size); }

  private:
    std::unique_ptr<PeekedFile> file_;
};

class RangeSource final : public ByteSource {
  public:
    RangeSource(const std::string& path, std::uint64_t begin, std::uint64_t end)
        : file_(path), next_(begin), end_(std::max(begin, end)) {}
    std::size_t read(char* buffer, std::size_t size) override {
        const std::uint64_t wanted = std::min<std::uint64_t>(size, end_ - next_);
        if (wanted == 0) return 0;
        const std::size_t got = file_.read_at(buffer, static_cast<std::size_t>(wanted), next_);
        if (got == 0) {
            throw IoError("'" + file_.path() + "' ends at byte " + std::to_string(next_) + " of the " +
                          std::to_string(end_) + " that it had: it was shortened while being read");
        }
        next_ += got;
        return got;
    }

  private:
    File file_;
    std::uint64_t next_;
    std::uint64_t end_;
};

/// The compressed bytes between the file and a decoder.
class CompressedInput {
  public:
    explicit CompressedInput(std::unique_ptr<PeekedFile> file)
        : file_(std::move(file)), buffer_(k_compressed_buffer_bytes) {}

    const std::string& path() const { return file_->path(); }
    /// What is buffered and unused; reads more when nothing is. Empty at the end of the file.
    std::string_view available() {
        if (used_ == size_) {
            size_ = file_->read(buffer_.data(), buffer_.size());
            used_ = 0;
        }
        return {buffer_.data() + used_, size_ - used_};
    }
    void consume(std::size_t count) { used_ += count; }

    [[noreturn]] void fail(std::string_view encoding, const std::string& what) const {
        throw FormatError("'" + path() + "' is a damaged " + std::string(encoding) + " file: " + what +
                          "; copy or download it again");
    }

  private:
    std::unique_ptr<PeekedFile> file_;
    std::vector<char> buffer_;
    std::size_t size_ = 0;
    std::size_t used_ = 0;
};

/// RFC 1952: one or more members, each with its own checksum and length, perhaps zero bytes after the last one.
class GzipSource final : public ByteSource {
  public:
    explicit GzipSource(std::unique_ptr<PeekedFile> file) : input_(std::move(file)) {
        constexpr int gzip_only_window = 15 + 16;
        if (inflateInit2(&stream_, gzip_only_window) != Z_OK) throw InternalError("zlib does not start");
    }
    ~GzipSource() override { inflateEnd(&stream_); }
    GzipSource(const GzipSource&) = delete;
    GzipSource& operator=(const GzipSource&) = delete;

    std::size_t read(char* buffer, std::size_t size) override {
        const std::size_t limit = std::min<std::size_t>(size, std::numeric_limits<uInt>::max());
        stream_.next_out = reinterpret_cast<Bytef*>(buffer);
        stream_.avail_out = static_cast<uInt>(limit);
        while (limit > 0 && stream_.avail_out == limit) {
            const std::string_view bytes = input_.available();
            if (bytes.empty()) {
                if (inside_member_) input_.fail("gzip", "it ends in the middle of its data (truncated)");
                return 0;
            }
            if (inside_member_ || starts_member(bytes)) inflate_some(bytes);
        }
        return limit - stream_.avail_out;
    }

  private:
    /// Between members: whether another one begins here. Zero padding is skipped, anything else is damage.
    bool starts_member(std::string_view bytes) {
        const std::size_t padding = std::min(bytes.find_first_not_of('\0'), bytes.size());
        if (any_member_ && padding > 0) {
            padded_ = true;
            input_.consume(padding);
            return false;
        }
        if (padded_ || bytes.front() != '\x1f') input_.fail("gzip", "other bytes follow its end");
        return true;
    }

    void inflate_some(std::string_view bytes) {
        inside_member_ = true;
        any_member_ = true;
        stream_.next_in = reinterpret_cast<const Bytef*>(bytes.data());
        stream_.avail_in = static_cast<uInt>(bytes.size());
        const int status = inflate(&stream_, Z_NO_FLUSH);
        input_.consume(bytes.size() - stream_.avail_in);
        if (status == Z_STREAM_END) {
            inside_member_ = false;
            inflateReset(&stream_);
        } else if (status == Z_MEM_ERROR) {
            throw LimitError("not enough memory to decompress '" + input_.path() + "'");
        } else if (status != Z_OK && status != Z_BUF_ERROR) {
            input_.fail("gzip", stream_.msg != nullptr ? stream_.msg : "its data make no sense");
        }
    }

    CompressedInput input_;
    z_stream stream_{};
    bool inside_member_ = false;
    bool any_member_ = false;
    bool padded_ = false;
};

/// RFC 8878: one or more frames, skippable ones among them.
class ZstdSource final : public ByteSource {
  public:
    explicit ZstdSource(std::unique_ptr<PeekedFile> file)
        : input_(std::move(file)), stream_(ZSTD_createDStream(), &ZSTD_freeDStream) {
        if (!stream_) throw InternalError("zstd does not start");
    }

    std::size_t read(char* buffer, std::size_t size) override {
        ZSTD_outBuffer out{buffer, size, 0};
        while (size > 0 && out.pos == 0) {
            const std::string_view bytes = input_.available();
            if (bytes.empty()) {
                // The decoder may still hold output of the input it has taken.
                if (!inside_frame_) return 0;
                const std::size_t before = out.pos;
                decompress({}, out);
                if (inside_frame_ && out.pos == before) {
                    input_.fail("zstd", "it ends in the middle of its data (truncated)");
                }
                continue;
            }
            decompress(bytes, out);
        }
        return out.pos;
    }

  private:
    void decompress(std::string_view bytes, ZSTD_outBuffer& out) {
        ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
        const std::size_t left = ZSTD_decompressStream(stream_.get(), &out, &in);
        if (ZSTD_isError(left) != 0) input_.fail("zstd", ZSTD_getErrorName(left));
        inside_frame_ = left != 0;
        input_.consume(in.pos);
    }

    CompressedInput input_;
    std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream_;
    bool inside_frame_ = false;
};

}  // namespace

Encoding detect_encoding(const std::string& path) { return encoding_of(PeekedFile(path).head()); }

std::unique_ptr<ByteSource> open_bytes(const std::string& path) {
    auto file = std::make_unique<PeekedFile>(path);
    switch (encoding_of(file->head())) {
        case Encoding::gzip:
            return std::make_unique<GzipSource>(std::move(file));
        case Encoding::zstd:
            return std::make_unique<ZstdSource>(std::move(file));
        case Encoding::plain:
            break;
    }
    return std::make_unique<PlainSource>(std::move(file));
}

std::unique_ptr<ByteSource> open_byte_range(const std::string& path, std::uint64_t begin, std::uint64_t end) {
    return std::make_unique<RangeSource>(path, begin, end);
}

std::uint64_t file_size_bytes(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) throw io_error("read", path, errno);
    if (S_ISDIR(status.st_mode)) throw io_error("read", path, EISDIR);
    return static_cast<std::uint64_t>(status.st_size);
}

}  // namespace regrove::ingest
