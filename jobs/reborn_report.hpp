// What a search for a born-again tree has found, for people and for the summary.
#pragma once

#include <string>

#include "regrove/bornagain/certificate.hpp"
#include "regrove/pipeline/summary.hpp"

#include "reborn_search.hpp"

namespace regrove::jobs {

/// Where a tree of this support is faithful: "everywhere".
std::string faithful_words(bornagain::Support support);

void report_reborn(pipeline::Summary& summary, const SearchOutcome& outcome, const bornagain::RebornOptions& options,
                   bornagain::Verified verified);

}  // namespace regrove::jobs
