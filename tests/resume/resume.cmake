# resume: a job that counts is killed, stopped, starved of disk space and robbed of its folder, and goes on.
add_executable(counting_job ${CMAKE_CURRENT_LIST_DIR}/counting_job.cpp)
target_include_directories(counting_job PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(counting_job PRIVATE ${regrove_module_targets} regrove_warnings)

file(GLOB resume_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*_test.cpp)
foreach(source ${resume_sources})
  get_filename_component(name ${source} NAME_WE)
  regrove_test_executable(resume_${name} SOURCES ${source} LINK regrove_core GTest::gtest_main)
  target_compile_definitions(resume_${name} PRIVATE REGROVE_COUNTING_JOB="$<TARGET_FILE:counting_job>")
  add_dependencies(resume_${name} counting_job)
  add_test(NAME resume.${name} COMMAND resume_${name})
  # killed ranks would leave shared-memory files of btl vader behind
  set_tests_properties(resume.${name} PROPERTIES LABELS resume PROCESSORS 2 TIMEOUT 300
                       ENVIRONMENT "${regrove_mpi_environment};OMPI_MCA_btl=self,tcp")
endforeach()
