// A header that does not include what it uses: the headers test must refuse it.
#pragma once

inline std::vector<int> nothing() { return {}; }
