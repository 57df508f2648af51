# Install rules and the package files behind find_package(Regrove).
#
# Each module is a component, and so is `predict`: find_package(Regrove COMPONENTS predict) looks for the outside
# libraries of that component's modules only, so a program that predicts needs neither MPI nor HDF5 installed.
include(CMakePackageConfigHelpers)

# The outside libraries that linking `target` brings in, through all its doors.
function(regrove_outside_libraries target result)
  set(outside "")
  get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
  foreach(link ${links})
    if(link MATCHES "^regrove_")
      regrove_outside_libraries(${link} inner)
      list(APPEND outside ${inner})
    elseif(link MATCHES "::")
      list(APPEND outside ${link})
    endif()
  endforeach()
  list(FILTER outside EXCLUDE REGEX "^\\$<LINK_ONLY:")
  list(REMOVE_DUPLICATES outside)
  set(${result} ${outside} PARENT_SCOPE)
endfunction()

file(READ cmake/RegroveConfig.cmake.in regrove_config_template)
set(REGROVE_COMPONENTS "")
set(REGROVE_COMPONENT_LIBRARIES "")
foreach(target ${regrove_module_targets} regrove_predict)
  string(REGEX REPLACE "^regrove_" "" component ${target})
  regrove_outside_libraries(${target} libraries)
  foreach(library ${libraries})
    string(FIND "${regrove_config_template}" "STREQUAL \"${library}\"" known)
    if(known EQUAL -1)
      message(FATAL_ERROR "cmake/RegroveConfig.cmake.in does not say how to find ${library}, which ${target} links")
    endif()
  endforeach()
  list(APPEND REGROVE_COMPONENTS ${component})
  string(APPEND REGROVE_COMPONENT_LIBRARIES "set(_regrove_${component}_libraries ${libraries})\n")
endforeach()

install(TARGETS regrove_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
set_target_properties(regrove_warnings PROPERTIES EXPORT_NAME warnings)
install(TARGETS ${regrove_module_targets} regrove_predict regrove_warnings EXPORT RegroveTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/regrove DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(EXPORT RegroveTargets NAMESPACE Regrove:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Regrove)
configure_package_config_file(cmake/RegroveConfig.cmake.in ${PROJECT_BINARY_DIR}/RegroveConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Regrove)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/RegroveConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/RegroveConfig.cmake ${PROJECT_BINARY_DIR}/RegroveConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Regrove)
