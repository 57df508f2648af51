# Every outside library, all from Debian 12 packages (scripts/packages.txt).
find_package(MPI REQUIRED COMPONENTS C)
find_package(HDF5 REQUIRED COMPONENTS C)
if(NOT HDF5_IS_PARALLEL)
  message(FATAL_ERROR "Regrove needs the parallel HDF5 (package libhdf5-openmpi-dev); found a serial one. "
                      "Delete the build folder after installing it: the choice is cached.")
endif()
find_package(Boost 1.74 REQUIRED COMPONENTS serialization)
find_package(TBB REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(ZLIB REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(PkgConfig REQUIRED)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(rsvg REQUIRED IMPORTED_TARGET librsvg-2.0)

find_program(REGROVE_CCACHE ccache)
if(REGROVE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${REGROVE_CCACHE})
endif()

add_library(regrove_warnings INTERFACE)
# gcc 12 warns of overlapping copies inside its own std::string (its bug 105651): -Wno-restrict.
target_compile_options(regrove_warnings INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
                                                  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
                                                  $<$<BOOL:${REGROVE_WERROR}>:-Werror>)

# The same bytes everywhere: no fused multiply-add behind the source's back, no reassociation (docs/determinism.md).
add_compile_options(-ffp-contract=off -fno-fast-math)
if(REGROVE_SANITIZE)
  add_compile_options(-fsanitize=${REGROVE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${REGROVE_SANITIZE})
endif()
