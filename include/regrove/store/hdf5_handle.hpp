// HDF5 identifiers that close themselves, and the check that turns a failed HDF5 call into an exception.
//
// HDF5 is not thread-safe: all calls are made from one thread. Files are opened by one process at a time for writing
// and by any number for reading; no call here is collective.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <hdf5.h>

namespace regrove::store {

/// A failed HDF5 call: what was tried, and HDF5's own account of why not. The table's reader and writer rethrow it as
/// FormatError or IoError with the file's and the column's name.
struct Hdf5Failure : std::runtime_error {
    Hdf5Failure(const std::string& message, int system_error_number)
        : std::runtime_error(message), error_number(system_error_number) {}
    int error_number;  ///< errno of the system call behind it; zero when there was none
};

/// Throws Hdf5Failure with the text of HDF5's error stack.
[[noreturn]] void throw_hdf5_failure(std::string_view tried);

/// Passes `result` on unless it is negative, HDF5's mark of failure.
template <class T>
T checked(T result, std::string_view tried) {
    if (result < 0) throw_hdf5_failure(tried);
    return result;
}

/// Owns one identifier. Moves, does not copy.
class Hdf5Handle {
  public:
    using Closer = herr_t (*)(hid_t);

    Hdf5Handle() = default;
    /// Takes `id`; throws Hdf5Failure when it is negative.
    Hdf5Handle(hid_t id, Closer closer, std::string_view tried) : id_(checked(id, tried)), closer_(closer) {}
    Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, k_none)), closer_(other.closer_) {}
    Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(closer_, other.closer_);
        return *this;
    }
    Hdf5Handle(const Hdf5Handle&) = delete;
    Hdf5Handle& operator=(const Hdf5Handle&) = delete;
    ~Hdf5Handle() {
        if (id_ >= 0) closer_(id_);
    }

    hid_t get() const { return id_; }
    explicit operator bool() const { return id_ >= 0; }
    /// Closes now; for files this is where buffered data are written. Throws Hdf5Failure.
    void close(std::string_view tried) {
        if (id_ >= 0) checked(closer_(std::exchange(id_, k_none)), tried);
    }

  private:
    static constexpr hid_t k_none = -1;
    hid_t id_ = k_none;
    Closer closer_ = nullptr;
};

/// Access properties of every file: checksummed metadata (format of HDF5 1.10), locks ignored where the file system
/// has none. Also switches HDF5's own error printing off.
Hdf5Handle file_access();
Hdf5Handle open_for_reading(const std::string& path);

Hdf5Handle open_dataset(hid_t file, const std::string& name);
bool link_exists(hid_t file, const std::string& name);
/// A one-dimensional space of `size` elements.
Hdf5Handle line_space(hsize_t size);

/// The elements [begin, begin + count) of a one-dimensional dataset, and as many in memory. Throws Hdf5Failure when
/// they are not all there.
struct LineSelection {
    Hdf5Handle file;
    Hdf5Handle memory;
    LineSelection(hid_t dataset, hsize_t begin, hsize_t count);
};

/// UTF-8 text in a field of fixed length (at least one byte), filled with NUL bytes. Text of variable length is read
/// but not written: HDF5 keeps it without checksums, and damage there can crash the HDF5 library.
Hdf5Handle text_type(std::size_t field_bytes);

}  // namespace regrove::store
