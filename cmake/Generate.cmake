# Runs the generator at configure time. Every spec, rows page and generator source is a configure dependency, folders
# included, so a page that is added, changed or deleted makes the next build emit again; unchanged files keep their dates.
set(SX_GEN ${CMAKE_BINARY_DIR}/gen)

file(GLOB SX_GEN_INPUTS CONFIGURE_DEPENDS
     ${CMAKE_SOURCE_DIR}/*/spec/* ${CMAKE_SOURCE_DIR}/*/rows/*.py ${CMAKE_SOURCE_DIR}/*/native/*
     ${CMAKE_SOURCE_DIR}/kernels/*.cpp ${CMAKE_SOURCE_DIR}/kernels/include/scalex/*.h
     ${CMAKE_SOURCE_DIR}/core/src/*.cpp ${CMAKE_SOURCE_DIR}/conformance/demand.json)
file(GLOB_RECURSE SX_GENERATOR CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/wrappers_gen/*.py)
list(FILTER SX_GEN_INPUTS EXCLUDE REGEX "/__pycache__$")
list(APPEND SX_GEN_INPUTS ${SX_GENERATOR})
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${SX_GEN_INPUTS})

execute_process(
  COMMAND ${Python3_EXECUTABLE} -S -m wrappers_gen emit --out ${SX_GEN}
  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
  RESULT_VARIABLE SX_EMIT_RESULT)
if(SX_EMIT_RESULT)
  message(FATAL_ERROR "wrappers_gen emit failed")
endif()
