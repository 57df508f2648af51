# The rooms of the house and their doors. One line a module: regrove_module(NAME DOORS the modules whose headers it
# may include ... LIBRARIES outside libraries ...). tests/layering reads these very lines and fails on an include
# without a door, so this file is the single source of the architecture.
set(regrove_module_targets "")

function(regrove_module name)
  cmake_parse_arguments(arg "" "" "DOORS;LIBRARIES" ${ARGN})
  set(target regrove_${name})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE regrove_warnings)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(Regrove::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  list(TRANSFORM arg_DOORS PREPEND regrove_ OUTPUT_VARIABLE doors)
  target_link_libraries(${target} ${scope} ${doors} ${arg_LIBRARIES})
  set(regrove_module_targets ${regrove_module_targets} ${target} PARENT_SCOPE)
endfunction()

# level 0
regrove_module(core LIBRARIES fmt::fmt spdlog::spdlog TBB::tbb PkgConfig::xxhash OpenSSL::Crypto)
# Vectors that the exponential is computed in are handed on by inlined functions only.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/core/portable_exp.cpp PROPERTIES COMPILE_OPTIONS -Wno-psabi)
# level 1
regrove_module(comm DOORS core LIBRARIES MPI::MPI_C)
target_compile_definitions(regrove_comm PUBLIC OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
regrove_module(data DOORS core)
regrove_module(model DOORS core)
regrove_module(objective DOORS core data model)
regrove_module(metric DOORS core)
# level 2
regrove_module(ingest DOORS core data LIBRARIES ZLIB::ZLIB PkgConfig::zstd)
regrove_module(generate DOORS core data)
regrove_module(binning DOORS core data)
regrove_module(infer DOORS core data model)
# The walkers' loops, once for each kind of processor: the widest that it runs is chosen at run time.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/infer/score_kernels_plain.cpp PROPERTIES
  COMPILE_OPTIONS "-O3;-Wno-psabi")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_definitions(regrove_infer PRIVATE REGROVE_X86_KERNELS)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/infer/score_kernels_avx2.cpp PROPERTIES
    COMPILE_OPTIONS "-O3;-mavx2;-mbmi;-mbmi2;-Wno-psabi")
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/infer/score_kernels_avx512.cpp PROPERTIES COMPILE_OPTIONS
    "-O3;-mavx2;-mbmi;-mbmi2;-mavx512f;-mavx512bw;-mavx512dq;-mavx512vl;-mprefer-vector-width=512;-Wno-psabi")
endif()
regrove_module(formats DOORS core model)
regrove_module(algebra DOORS core data model infer)
regrove_module(draw DOORS core model LIBRARIES PkgConfig::rsvg)
regrove_module(cellspace DOORS core model)
# level 3
regrove_module(store DOORS core comm data model binning LIBRARIES hdf5::hdf5 MPI::MPI_C Boost::serialization ZLIB::ZLIB)
regrove_module(train DOORS core data model objective binning)
regrove_module(prune DOORS core data model metric infer algebra)
regrove_module(prove DOORS core model cellspace)
regrove_module(bornagain DOORS core model cellspace)
# The searches' kernels, once for any processor and once for those with AVX2: the faster is chosen at run time.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/bornagain/tensor_kernels_plain.cpp PROPERTIES COMPILE_OPTIONS -O3)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_definitions(regrove_bornagain PRIVATE REGROVE_X86_KERNELS)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/bornagain/tensor_kernels_avx2.cpp PROPERTIES
    COMPILE_OPTIONS "-O3;-mavx2;-mbmi2;-mpopcnt;-mlzcnt;-mbmi")
endif()
# level 4
regrove_module(dist DOORS core comm data model objective metric ingest generate binning infer formats algebra draw store train prune cellspace prove bornagain)
# level 5
regrove_module(pipeline DOORS core comm data model objective metric ingest generate binning infer formats algebra draw store train prune cellspace prove bornagain dist)

# What a program that only predicts links: neither MPI nor HDF5.
add_library(regrove_predict INTERFACE)
add_library(Regrove::predict ALIAS regrove_predict)
set_target_properties(regrove_predict PROPERTIES EXPORT_NAME predict)
target_link_libraries(regrove_predict INTERFACE regrove_core regrove_data regrove_model regrove_formats regrove_infer)
