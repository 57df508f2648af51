# Installs BUILD_FOLDER under SCRATCH, then configures, builds and runs the project CONSUMER against it, and holds the
# libraries that its program loads against EXPECT_LIBRARIES and FORBID_LIBRARIES (patterns).
function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "failed (${code}): ${ARGN}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
run(${CMAKE_COMMAND} --install ${BUILD_FOLDER} --prefix ${SCRATCH}/prefix)
run(${CMAKE_COMMAND} -G Ninja -S ${CONSUMER} -B ${SCRATCH}/build -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix
    -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_CXX_FLAGS=${CXX_FLAGS})
run(${CMAKE_COMMAND} --build ${SCRATCH}/build)
run(${SCRATCH}/build/consumer ${DATA})
message(STATUS "the consumer says: ${output}")

# ldd: what is loaded in the end; readelf -d would only show the direct needs
run(ldd ${SCRATCH}/build/consumer)
foreach(pattern ${EXPECT_LIBRARIES})
  if(NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "the consumer does not load ${pattern}:\n${output}")
  endif()
endforeach()
foreach(pattern ${FORBID_LIBRARIES})
  if(output MATCHES "${pattern}")
    message(FATAL_ERROR "the consumer loads ${pattern}, which it should do without:\n${output}")
  endif()
endforeach()
run(${SCRATCH}/prefix/bin/regrove --version)
message(STATUS "the installed binary says: ${output}")
