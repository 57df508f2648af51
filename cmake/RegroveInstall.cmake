# Install rules and the package files behind find_package(Regrove).
include(CMakePackageConfigHelpers)
install(TARGETS regrove_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS ${regrove_module_targets} regrove_predict regrove_warnings EXPORT RegroveTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/regrove DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT RegroveTargets NAMESPACE Regrove:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Regrove)
configure_package_config_file(cmake/RegroveConfig.cmake.in ${PROJECT_BINARY_DIR}/RegroveConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Regrove)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/RegroveConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/RegroveConfig.cmake ${PROJECT_BINARY_DIR}/RegroveConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Regrove)
