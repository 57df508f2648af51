// The certificate of a born-again tree: what is claimed of which tree and which ensemble, in bytes that are the same
// for the same input, so that a stranger can check it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "regrove/bornagain/reborn.hpp"

namespace regrove::bornagain {

/// What an independent proof said about the tree.
enum class Verified : std::uint8_t {
    yes,
    undecided,  ///< a limit came first
    not_asked,
};

/// The words of options and certificates.
std::string_view to_text(Objective objective);
std::string_view to_text(Support support);
std::string_view to_text(cellspace::UnseenValues unseen);
std::string_view to_text(Ended ended);
std::string_view to_text(Verified verified);

/// Whether the bounds prove the tree the best. For depth_leaves its depth must be proven least too.
bool is_optimal(const RebornResult& result, Objective objective);

/// What the certificate says beside the search's own result.
struct CertificateFacts {
    std::string ensemble_text;  ///< the ensemble in regrove-json
    std::uint64_t ensemble_trees = 0;
    std::string tree_text;  ///< the born-again tree in regrove-json, as it is written; empty: none was found
    std::string data_hash;  ///< content hash of the table, for Support::rows and range
    std::uint64_t seed = 0;
    Verified verified = Verified::not_asked;
};

/// The certificate as JSON text, ending in a line feed. States, seconds and memory are no part of it. Without a tree
/// its size and hash are null, and the bounds are given for depth and leaves.
std::string certificate_text(const RebornResult& result, const RebornOptions& options, cellspace::UnseenValues unseen,
                             const CertificateFacts& facts);

/// Where it goes when nothing else is said: "T.json" gives "T.certificate.json", other names get ".certificate.json"
/// behind them.
std::string default_certificate_path(const std::string& output);

}  // namespace regrove::bornagain
