// Files that are damaged, foreign or against the format are refused with a message that says what and where.
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/store/hdf5_handle.hpp"
#include "regrove/store/table_file.hpp"

#include "support/sample_table.hpp"
#include "support/scratch_folder.hpp"

namespace regrove::store {
namespace {

using test::sample_rows;
using test::sample_schema;
using testing::AllOf;
using testing::HasSubstr;

constexpr std::uint64_t k_rows = 1000;

class TableDamage : public testing::Test {
  protected:
    void write(Compression compression) {
        TableWriter writer(*comm_, path_, sample_schema(), k_rows, compression);
        writer.write(sample_rows(0, k_rows, k_rows));
        writer.finish();
    }
    std::string bytes() {
        std::ifstream file(path_, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    /// Changes the open file with HDF5 itself.
    void edit(const std::function<void(hid_t)>& change) {
        const Hdf5Handle access = file_access();
        const Hdf5Handle file(H5Fopen(path_.c_str(), H5F_ACC_RDWR, access.get()), H5Fclose, "opening");
        change(file.get());
    }
    /// Overwrites the cells [row, row + 1) of a column.
    template <class Cell>
    void set_cell(const std::string& dataset_name, hsize_t row, hid_t type, Cell value) {
        edit([&](hid_t file) {
            const Hdf5Handle dataset = open_dataset(file, dataset_name);
            const LineSelection cell(dataset.get(), row, 1);
            checked(H5Dwrite(dataset.get(), type, cell.memory.get(), cell.file.get(), H5P_DEFAULT, &value),
                    "writing");
        });
    }
    template <class Thrown>
    std::string reading_fails(const ReadOptions& options = {}) {
        try {
            read_table(*comm_, path_, {}, options);
        } catch (const Thrown& error) {
            return error.what();
        }
        ADD_FAILURE() << "nothing was thrown";
        return "";
    }

    test::ScratchFolder folder_;
    std::string path_ = folder_.path("t.h5");
    std::unique_ptr<comm::Communicator> comm_ = comm::make_self_communicator();
};

void delete_attribute(hid_t object, const char* name) { checked(H5Adelete(object, name), "deleting"); }

void set_text(hid_t object, const char* name, const char* text) {
    if (H5Aexists(object, name) > 0) delete_attribute(object, name);
    const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose, "space");
    const Hdf5Handle type = text_type(std::strlen(text));
    const Hdf5Handle attribute(H5Acreate2(object, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                               "creating");
    checked(H5Awrite(attribute.get(), type.get(), text), "writing");
}

void set_integer(hid_t object, const char* name, std::int64_t value) {
    delete_attribute(object, name);
    const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose, "space");
    const Hdf5Handle attribute(H5Acreate2(object, name, H5T_NATIVE_INT64, space.get(), H5P_DEFAULT, H5P_DEFAULT),
                               H5Aclose, "creating");
    checked(H5Awrite(attribute.get(), H5T_NATIVE_INT64, &value), "writing");
}

/// Flips one bit of each byte in turn, in steps; every damage must end in an Error or in the same cells.
TEST_F(TableDamage, NoFlippedByteReadsBackAsOtherCells) {
    for (const auto compression : {Compression::none, Compression::fast}) {
        write(compression);
        const std::string sound = bytes();
        int noticed = 0;
        int tried = 0;
        for (std::size_t at = 5; at < sound.size(); at += sound.size() / 200) {
            std::string damaged = sound;
            damaged[at] = static_cast<char>(damaged[at] ^ 0x04);
            folder_.write("t.h5", damaged);
            ++tried;
            try {
                EXPECT_TRUE(test::same_cells(read_table(*comm_, path_), sample_rows(0, k_rows, k_rows))) << at;
            } catch (const Error&) {
                ++noticed;
            }
        }
        EXPECT_GT(noticed, tried / 2);
    }
}

TEST_F(TableDamage, DamagedCellsNameTheColumn) {
    write(Compression::fast);
    std::string damaged = bytes();
    hsize_t row = 0;
    haddr_t address = 0;
    edit([&](hid_t file) {
        const Hdf5Handle dataset = open_dataset(file, "columns/1");
        hsize_t size = 0;
        unsigned filters = 0;
        checked(H5Dget_chunk_info_by_coord(dataset.get(), &row, &filters, &address, &size), "asking");
    });
    damaged[address + 100] = static_cast<char>(damaged[address + 100] ^ 1);
    folder_.write("t.h5", damaged);
    EXPECT_THAT(reading_fails<FormatError>({.verify = false}),
                AllOf(HasSubstr("t.h5"), HasSubstr("column 'height'")));

    write(Compression::none);
    set_cell("columns/1", 7, H5T_NATIVE_DOUBLE, 0.25);
    EXPECT_THAT(reading_fails<FormatError>(), AllOf(HasSubstr("column 'height' have the hash"), HasSubstr("t.h5")));
    EXPECT_EQ(read_table(*comm_, path_, {"height"}, {.verify = false}).rows, k_rows);
    EXPECT_EQ(read_table(*comm_, path_, {"count"}).rows, k_rows) << "the other columns are sound";
}

TEST_F(TableDamage, ContentHashIsComparedWithoutColumnHashes) {
    write(Compression::none);
    set_cell("columns/1", 7, H5T_NATIVE_DOUBLE, 0.25);
    edit([&](hid_t file) {
        for (std::size_t c = 0; c < sample_schema().columns.size(); ++c) {
            delete_attribute(open_dataset(file, "columns/" + std::to_string(c)).get(), "hash");
        }
    });
    EXPECT_THAT(reading_fails<FormatError>(), HasSubstr("the cells have the content hash"));
    edit([](hid_t file) { delete_attribute(file, "content_hash"); });
    EXPECT_EQ(read_table(*comm_, path_).rows, k_rows) << "a table without hashes is a table";
}

TEST_F(TableDamage, TruncatedFiles) {
    for (const auto compression : {Compression::none, Compression::fast}) {
        write(compression);
        const std::string sound = bytes();
        for (const std::size_t length : {sound.size() - 1, sound.size() / 2, std::size_t{600}, std::size_t{9}}) {
            folder_.write("t.h5", std::string_view(sound).substr(0, length));
            EXPECT_THAT(reading_fails<FormatError>(), AllOf(HasSubstr("t.h5"), HasSubstr("damaged or truncated")));
        }
    }
}

TEST_F(TableDamage, ForeignFiles) {
    folder_.write("t.h5", "a,b\n1,2\n");
    EXPECT_FALSE(is_hdf5_file(path_));
    EXPECT_THAT(reading_fails<FormatError>(), HasSubstr("no HDF5 file"));
    folder_.write("t.h5", "");
    EXPECT_THAT(reading_fails<FormatError>(), HasSubstr("no HDF5 file"));
    {
        const Hdf5Handle file(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose,
                              "creating");
    }
    EXPECT_THAT(reading_fails<FormatError>(), HasSubstr("no Regrove table: it has no text attribute 'format'"));
    edit([](hid_t file) { set_text(file, "format", "pandas"); });
    EXPECT_THAT(reading_fails<FormatError>(), HasSubstr("'pandas', not 'regrove-table'"));
    std::filesystem::remove(path_);
    EXPECT_FALSE(is_hdf5_file(path_));
    EXPECT_THAT(reading_fails<IoError>(), HasSubstr("No such file"));
}

/// An edit of a sound file, and what the refusal must say.
struct Breach {
    const char* says;
    std::function<void(hid_t)> change;
};

TEST_F(TableDamage, BreachesOfTheFormatAreNamed) {
    const auto column = [](hid_t file, int c) { return open_dataset(file, "columns/" + std::to_string(c)); };
    const std::vector<Breach> breaches{
        {"format version 7; this Regrove reads version 1", [](hid_t f) { set_integer(f, "version", 7); }},
        {"no integer attribute 'version'", [](hid_t f) { delete_attribute(f, "version"); }},
        {"no integer attribute 'rows'", [](hid_t f) { delete_attribute(f, "rows"); }},
        {"no integer attribute 'columns'", [](hid_t f) { delete_attribute(f, "columns"); }},
        {"negative attribute 'rows'", [](hid_t f) { set_integer(f, "rows", -1); }},
        {"no dataset 'columns/7'", [](hid_t f) { set_integer(f, "columns", 8); }},
        {"column 'price/kg \"x\"' (dataset 'columns/0') that is not one-dimensional with the table's 5 rows",
         [](hid_t f) { set_integer(f, "rows", 5); }},
        {"no text attribute 'name' of dataset 'columns/1'",
         [&](hid_t f) { delete_attribute(column(f, 1).get(), "name"); }},
        {"no text attribute 'type' of column 'height'",
         [&](hid_t f) { delete_attribute(column(f, 1).get(), "type"); }},
        {"no text attribute 'role' of column 'height'",
         [&](hid_t f) { delete_attribute(column(f, 1).get(), "role"); }},
        {"column 'height' (dataset 'columns/1') of the unknown type 'decimal'",
         [&](hid_t f) { set_text(column(f, 1).get(), "type", "decimal"); }},
        {"unknown role 'target'", [&](hid_t f) { set_text(column(f, 1).get(), "role", "target"); }},
        {"stored cells do not fit its type 'float32'",
         [&](hid_t f) { set_text(column(f, 1).get(), "type", "float32"); }},
        {"stored cells do not fit its type 'int64'", [&](hid_t f) { set_text(column(f, 1).get(), "type", "int64"); }},
        {"no dataset 'dictionaries/4', the dictionary of column 'colour'",
         [](hid_t f) { checked(H5Ldelete(f, "dictionaries/4", H5P_DEFAULT), "unlinking"); }},
        {"is no text of 32 hexadecimal digits", [&](hid_t f) { set_text(column(f, 1).get(), "hash", "12"); }},
    };
    write(Compression::none);
    const std::string sound = bytes();
    for (const auto& breach : breaches) {
        folder_.write("t.h5", sound);
        edit(breach.change);
        EXPECT_THAT(reading_fails<FormatError>(), AllOf(HasSubstr("t.h5"), HasSubstr(breach.says)));
    }
}

TEST_F(TableDamage, DuplicateNamesAndRolesAreRefused) {
    write(Compression::none);
    edit([](hid_t file) { set_text(open_dataset(file, "columns/1").get(), "name", "count"); });
    EXPECT_THAT(reading_fails<InputError>(), HasSubstr("count"));
}

TEST_F(TableDamage, BadCellsNameColumnAndRow) {
    write(Compression::fast);
    set_cell("columns/4", 321, H5T_NATIVE_INT32, std::int32_t{4});
    EXPECT_THAT(reading_fails<InputError>(),
                AllOf(HasSubstr("column 'colour', row 321 "), HasSubstr("category code 4"), HasSubstr("of 4 ")));
    write(Compression::fast);
    set_cell("columns/4", 17, H5T_NATIVE_INT32, std::int32_t{-2});
    EXPECT_THAT(reading_fails<InputError>(), HasSubstr("row 17 "));
    write(Compression::none);
    set_cell("columns/0", 999, H5T_NATIVE_FLOAT, -std::numeric_limits<float>::infinity());
    EXPECT_THAT(reading_fails<InputError>(),
                AllOf(HasSubstr("price/kg"), HasSubstr("row 999 "), HasSubstr("infinite")));
    write(Compression::none);
    set_cell("columns/1", 0, H5T_NATIVE_DOUBLE, std::numeric_limits<double>::infinity());
    EXPECT_THAT(reading_fails<InputError>(), AllOf(HasSubstr("column 'height', row 0 "), HasSubstr("infinite")));
}

}  // namespace
}  // namespace regrove::store
