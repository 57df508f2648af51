# Tests of the house itself: its doors, its headers, its format, its files, and the installed package.

# layering: includes keep to the doors of cmake/RegroveModules.cmake; no forbidden text or large file
file(GLOB layering_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/layering/*.cpp)
regrove_test_executable(layering SOURCES ${layering_sources} LINK GTest::gtest_main)
add_test(NAME layering COMMAND layering)
set_tests_properties(layering PROPERTIES LABELS layering TIMEOUT 120)

# headers: every public header compiles alone, twice in one source, with no more than its own module's libraries.
# The test builds them, so that a bad header fails a test and not the build.
function(regrove_headers_alone target link)
  set(sources "")
  foreach(header ${ARGN})
    string(MAKE_C_IDENTIFIER ${header} name)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/${target}/${name}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
    list(APPEND sources ${source})
  endforeach()
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(${target} PRIVATE ${link} regrove_warnings)
  target_compile_options(${target} PRIVATE -O0 -g0)
endfunction()

set(header_targets "")
foreach(module_target ${regrove_module_targets})
  string(REGEX REPLACE "^regrove_" "" module ${module_target})
  file(GLOB headers RELATIVE ${PROJECT_SOURCE_DIR}/include CONFIGURE_DEPENDS
       ${PROJECT_SOURCE_DIR}/include/regrove/${module}/*.hpp)
  if(headers)
    regrove_headers_alone(headers_${module} ${module_target} ${headers})
    list(APPEND header_targets headers_${module})
  endif()
endforeach()
add_custom_target(headers_alone DEPENDS ${header_targets})
add_test(NAME headers COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target headers_alone)

regrove_headers_alone(headers_bad regrove_core bad/leans_on_its_includer.hpp)
target_include_directories(headers_bad PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/headers)
add_test(NAME headers.catches_a_bad_one COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target headers_bad)
set_tests_properties(headers.catches_a_bad_one PROPERTIES PASS_REGULAR_EXPRESSION
                     "leans_on_its_includer.hpp:[0-9:]* error.*vector")
set_tests_properties(headers headers.catches_a_bad_one PROPERTIES LABELS headers TIMEOUT 1200 PROCESSORS 2
                     RESOURCE_LOCK build_folder)

# kernels: what is compiled for processors with AVX2 leaves no function to the rest of the program
if(CMAKE_NM AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND CMAKE_BUILD_TYPE MATCHES "Release|RelWithDebInfo")
  add_test(NAME kernels.share_no_symbols
           COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} "-DOBJECTS=$<TARGET_OBJECTS:regrove_bornagain>"
                   -DNAMESPACE=::kernels_avx2:: -DKIND=avx2
                   -P ${CMAKE_CURRENT_SOURCE_DIR}/structure/check_kernel_symbols.cmake)
  set_tests_properties(kernels.share_no_symbols PROPERTIES LABELS layering TIMEOUT 60)
endif()

# format: clang-format changes nothing; other major versions than 14 (Debian 12) lay out differently
find_program(REGROVE_CLANG_FORMAT NAMES clang-format-14 clang-format)
if(REGROVE_CLANG_FORMAT)
  set(check_format ${CMAKE_COMMAND} -DCLANG_FORMAT=${REGROVE_CLANG_FORMAT}
                   -DSTYLE=${PROJECT_SOURCE_DIR}/.clang-format)
  add_test(NAME format COMMAND ${check_format} -DROOT=${PROJECT_SOURCE_DIR}
           -P ${CMAKE_CURRENT_SOURCE_DIR}/format/check_format.cmake)
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/badly_formatted/src/crooked.cpp CONTENT "int   f( ){return 1 ;}\n")
  add_test(NAME format.catches_a_bad_one COMMAND ${check_format} -DROOT=${CMAKE_CURRENT_BINARY_DIR}/badly_formatted
           -P ${CMAKE_CURRENT_SOURCE_DIR}/format/check_format.cmake)
  set_tests_properties(format.catches_a_bad_one PROPERTIES PASS_REGULAR_EXPRESSION "src/crooked.cpp is not formatted")
  set_tests_properties(format format.catches_a_bad_one PROPERTIES LABELS format TIMEOUT 300)
endif()

include(${CMAKE_CURRENT_LIST_DIR}/resume/resume.cmake)

# package: install, then build and run small projects that find_package(Regrove)
function(regrove_package_test consumer)
  cmake_parse_arguments(arg "" "" "EXPECT;FORBID" ${ARGN})
  add_test(NAME package.${consumer} COMMAND ${CMAKE_COMMAND} -DBUILD_FOLDER=${PROJECT_BINARY_DIR}
           -DSCRATCH=${CMAKE_CURRENT_BINARY_DIR}/package_${consumer} -DCXX_COMPILER=${CMAKE_CXX_COMPILER}
           -DC_COMPILER=${CMAKE_C_COMPILER} "-DCXX_FLAGS=$<$<BOOL:${REGROVE_SANITIZE}>:-fsanitize=${REGROVE_SANITIZE}>"
           -DCONSUMER=${CMAKE_CURRENT_SOURCE_DIR}/package/${consumer} -DDATA=${REGROVE_TEST_DATA}
           "-DEXPECT_LIBRARIES=${arg_EXPECT}" "-DFORBID_LIBRARIES=${arg_FORBID}"
           -P ${CMAKE_CURRENT_SOURCE_DIR}/package/install_and_consume.cmake)
  set_tests_properties(package.${consumer} PROPERTIES LABELS e2e TIMEOUT 600 PROCESSORS 2 RESOURCE_LOCK build_folder
                       ENVIRONMENT "${regrove_mpi_environment}")
endfunction()
regrove_package_test(predict EXPECT libxxhash FORBID libmpi libhdf5 libopen-rte libboost_serialization librsvg)
regrove_package_test(cluster EXPECT libmpi libhdf5)

# scripts: shellcheck has nothing to say; the quickstart works and ends where it says
find_program(REGROVE_SHELLCHECK shellcheck)
if(REGROVE_SHELLCHECK)
  file(GLOB scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scripts/*.sh ${PROJECT_SOURCE_DIR}/cluster/*.sbatch)
  add_test(NAME format.scripts COMMAND ${REGROVE_SHELLCHECK} -x ${scripts} .ci/run
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(format.scripts PROPERTIES LABELS format TIMEOUT 120)
endif()
get_filename_component(preset ${PROJECT_BINARY_DIR} NAME)
if(preset MATCHES "^(release|ci|dev)$" AND PROJECT_BINARY_DIR STREQUAL "${PROJECT_SOURCE_DIR}/build/${preset}")
  add_test(NAME scripts.quickstart COMMAND ${CMAKE_COMMAND} -E env ${PROJECT_SOURCE_DIR}/scripts/quickstart.sh
           --preset ${preset} --dir ${CMAKE_CURRENT_BINARY_DIR}/quickstart.run)
  set_tests_properties(scripts.quickstart PROPERTIES LABELS e2e TIMEOUT 600 PROCESSORS 2 RESOURCE_LOCK build_folder)
endif()
