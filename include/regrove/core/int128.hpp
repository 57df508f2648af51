// The 128-bit integers behind exact sums.
#pragma once

namespace regrove {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

}  // namespace regrove
