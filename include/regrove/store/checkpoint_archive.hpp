// Small objects as bytes for CheckpointWriter::put_text, and back.
//
// A type of one's own has a member `template <class Archive> void serialize(Archive& archive, unsigned version)` that
// names its fields: archive & a & b. Standard vectors, maps, sets, strings, pairs and pointers that own are known.
#pragma once

#include <sstream>
#include <string>

#include <boost/archive/archive_exception.hpp>
#include <boost/archive/text_iarchive.hpp>
#include <boost/archive/text_oarchive.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/set.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/unique_ptr.hpp>
#include <boost/serialization/utility.hpp>
#include <boost/serialization/vector.hpp>

#include "regrove/core/error.hpp"

namespace regrove::store {

/// Text that any machine reads; floating-point numbers come back to the same bits, but not infinities and NaN.
template <class T>
std::string to_archive(const T& object) {
    std::ostringstream stream;
    boost::archive::text_oarchive archive(stream);
    archive << object;
    return stream.str();
}

/// Throws FormatError when the bytes are no archive of a T, or one of a newer version of Boost.
template <class T>
T from_archive(const std::string& bytes) {
    try {
        std::istringstream stream(bytes);
        boost::archive::text_iarchive archive(stream);
        T object;
        archive >> object;
        return object;
    } catch (const boost::archive::archive_exception& error) {
        throw FormatError(std::string("the state in the checkpoint cannot be read: ") + error.what());
    }
}

}  // namespace regrove::store
