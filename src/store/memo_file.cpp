// Pieces of whole chunks, two datasets side by side, one hash over all.
#include "regrove/store/memo_file.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "regrove/core/check.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/hash.hpp"
#include "regrove/core/temporary_file.hpp"
#include "regrove/core/version.hpp"

#include "file_bytes.hpp"
#include "hdf5_attribute.hpp"
#include "matrix_dataset.hpp"
#include "space_reservation.hpp"

namespace regrove::store {

namespace {

constexpr const char* k_format = "format";
constexpr const char* k_format_name = "regrove-memo";
constexpr const char* k_version = "version";
constexpr std::int64_t k_format_version = 1;
constexpr const char* k_results = "results_version";
constexpr const char* k_rules = "rules";
constexpr const char* k_records = "records";
constexpr const char* k_hash = "xxh3_128";
constexpr const char* k_keys_path = "/keys";
constexpr const char* k_bounds_path = "/bounds";

/// Records of a chunk: one MiB of keys, half of one of bounds.
constexpr std::size_t k_chunk_records = std::size_t{1} << 16U;
/// Records that go to HDF5 or come from it at once.
constexpr std::size_t k_piece_records = 4 * k_chunk_records;
/// For object headers, attributes, the first blocks of indexes, and what HDF5 rounds up.
constexpr std::uint64_t k_metadata_bytes = std::uint64_t{256} << 10U;
/// An entry of each dataset's index of chunks with its share of blocks that are half full, and the checksums.
constexpr std::uint64_t k_bytes_per_chunk = 128;

/// The two datasets' rows of a piece.
struct Columns {
    std::vector<std::uint64_t> keys;
    std::vector<std::uint32_t> bounds;
    explicit Columns(std::size_t records) : keys(2 * records), bounds(2 * records) {}
};

}  // namespace

struct MemoFileReader::State {
    std::string path;
    Hdf5Handle file;
    std::optional<MatrixDataset> keys;
    std::optional<MatrixDataset> bounds;
    std::string expected_hash;
    Hasher hasher;
    std::uint64_t records = 0;
    std::uint64_t next = 0;
    MemoRecord last;

    template <class Work>
    void naming(const Work& work) const {
        try {
            work();
        } catch (const Hdf5Failure& failure) {
            if (failure.error_number != 0) throw io_error("read", path, failure.error_number);
            throw FormatError("'" + path +
                              "' cannot be read as a memo, delete it or name another file: " + failure.what());
        }
    }

    void open(std::int64_t rules) {
        file = open_for_reading(path);
        if (read_text_attribute(file.get(), k_format) != k_format_name) throw Hdf5Failure("it is no memo", 0);
        if (read_integer_attribute(file.get(), k_version) != k_format_version ||
            read_integer_attribute(file.get(), k_rules) != rules ||
            read_integer_attribute(file.get(), k_results) != k_results_version)
            throw Hdf5Failure("it was written by another version of Regrove", 0);
        keys = MatrixDataset::open(file.get(), k_keys_path, H5T_NATIVE_UINT64);
        bounds = MatrixDataset::open(file.get(), k_bounds_path, H5T_NATIVE_UINT32);
        records = keys->rows();
        expected_hash = read_text_attribute(file.get(), k_hash).value_or("");
        if (keys->columns() != 2 || bounds->columns() != 2 || bounds->rows() != records ||
            read_integer_attribute(file.get(), k_records) != static_cast<std::int64_t>(records))
            throw Hdf5Failure("its datasets have other shapes", 0);
    }

    std::vector<MemoRecord> read(std::size_t count) {
        Columns columns(count);
        keys->read(next, count, columns.keys.data());
        bounds->read(next, count, columns.bounds.data());
        std::vector<MemoRecord> piece(count);
        for (std::size_t i = 0; i < count; ++i) {
            MemoRecord& record = piece[i];
            record = {columns.keys[2 * i], columns.keys[2 * i + 1], columns.bounds[2 * i], columns.bounds[2 * i + 1]};
            if (record.lower > record.upper || (next + i > 0 && !before(last, record)))
                throw Hdf5Failure("its records are damaged", 0);
            last = record;
        }
        next += count;
        hasher.update(piece.data(), piece.size() * sizeof(MemoRecord));
        if (next == records && to_hex(hasher.digest()) != expected_hash)
            throw Hdf5Failure("its records are damaged", 0);
        return piece;
    }
};

MemoFileReader::MemoFileReader(std::string path, std::int64_t rules) : state_(std::make_unique<State>()) {
    state_->path = std::move(path);
    std::error_code ignored;
    if (std::filesystem::exists(state_->path, ignored) && !std::filesystem::is_regular_file(state_->path, ignored))
        throw IoError("cannot read '" + state_->path + "' as a memo: it is no file");
    state_->naming([&] { state_->open(rules); });
}

MemoFileReader::~MemoFileReader() = default;

std::uint64_t MemoFileReader::records() const { return state_->records; }

std::vector<MemoRecord> MemoFileReader::next() {
    std::vector<MemoRecord> piece;
    const auto count = std::min<std::uint64_t>(k_piece_records, state_->records - state_->next);
    if (count > 0) state_->naming([&] { piece = state_->read(count); });
    return piece;
}

struct MemoFileWriter::State {
    std::string path;
    TemporaryFile temporary;
    std::optional<SpaceReservation> space;
    std::uint64_t reserved_bytes = 0;
    Hdf5Handle file;
    std::optional<MatrixDataset> keys;
    std::optional<MatrixDataset> bounds;
    std::vector<MemoRecord> buffer;
    std::optional<MemoRecord> last;
    std::uint64_t records = 0;
    Hasher hasher;

    explicit State(const std::string& name) : path(name), temporary(temporary_name(name)) {
        remove_stale_temporaries(name);
    }

    template <class Work>
    void naming(const Work& work) const {
        try {
            work();
        } catch (const Hdf5Failure& failure) {
            if (failure.error_number != 0) throw io_error("write", path, failure.error_number);
            throw IoError("cannot write '" + path + "': " + failure.what());
        }
    }

    /// A full disk must show before HDF5 meets it, so all that HDF5 will write is reserved ahead.
    void reserve(std::uint64_t more_bytes) {
        reserved_bytes += more_bytes;
        space->require(reserved_bytes);
    }

    void open(std::int64_t rules) {
        SpaceReservation(temporary.path(), 0).require(2 * k_metadata_bytes);
        naming([&] {
            const Hdf5Handle access = file_access();
            const Hdf5Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "creating properties");
            checked(H5Pset_obj_track_times(creation.get(), false), "switching time stamps off");
            file = {H5Fcreate(temporary.path().c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose,
                    "creating the file"};
            write_attribute(file.get(), k_format, k_format_name);
            write_attribute(file.get(), k_version, k_format_version);
            write_attribute(file.get(), k_results, std::int64_t{k_results_version});
            write_attribute(file.get(), k_rules, rules);
        });
        space.emplace(temporary.path(), k_metadata_bytes);  // again: creating the file has cut it to nothing
        reserve(k_metadata_bytes);
    }

    /// Chunks are as large as the whole when that is little.
    void flush() {
        const std::uint64_t chunk =
            keys ? k_chunk_records : std::clamp<std::uint64_t>(buffer.size(), 1, k_chunk_records);
        const std::uint64_t chunks = (buffer.size() + chunk - 1) / chunk;
        reserve(chunks * (chunk * sizeof(MemoRecord) + k_bytes_per_chunk));
        Columns columns(buffer.size());
        for (std::size_t i = 0; i < buffer.size(); ++i) {
            columns.keys[2 * i] = buffer[i].key_low;
            columns.keys[2 * i + 1] = buffer[i].key_high;
            columns.bounds[2 * i] = buffer[i].lower;
            columns.bounds[2 * i + 1] = buffer[i].upper;
        }
        naming([&] {
            if (!keys) {
                keys = MatrixDataset::create(file.get(), k_keys_path, H5T_NATIVE_UINT64, 2, chunk);
                bounds = MatrixDataset::create(file.get(), k_bounds_path, H5T_NATIVE_UINT32, 2, chunk);
            }
            keys->append(columns.keys.data(), buffer.size());
            bounds->append(columns.bounds.data(), buffer.size());
        });
        hasher.update(buffer.data(), buffer.size() * sizeof(MemoRecord));
        buffer.clear();
    }

    void close() {
        naming([&] {
            write_attribute(file.get(), k_records, static_cast<std::int64_t>(records));
            write_attribute(file.get(), k_hash, to_hex(hasher.digest()));
            keys->close();
            bounds->close();
            file.close("closing the file");
        });
        space->release();
    }
};

MemoFileWriter::MemoFileWriter(std::string path, std::int64_t rules) : state_(std::make_unique<State>(path)) {
    state_->open(rules);
}

MemoFileWriter::~MemoFileWriter() = default;

void MemoFileWriter::append(const MemoRecord& record) {
    REGROVE_CHECK(record.lower <= record.upper && (!state_->last || before(*state_->last, record)));
    state_->last = record;
    state_->buffer.push_back(record);
    ++state_->records;
    if (state_->buffer.size() == k_piece_records) state_->flush();
}

std::uint64_t MemoFileWriter::records() const { return state_->records; }

void MemoFileWriter::commit() {
    if (!state_->buffer.empty() || !state_->keys) state_->flush();
    state_->close();
    sync_file(state_->temporary.path());
    state_->temporary.rename_to(state_->path, true);
    sync_folder_of(state_->path);
}

}  // namespace regrove::store
