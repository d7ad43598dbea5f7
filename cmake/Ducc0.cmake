# ducc0's FFT sources, by hash (tools/fetch_ducc0.py).
execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tools/fetch_ducc0.py RESULT_VARIABLE SX_DUCC0_RESULT)
if(SX_DUCC0_RESULT)
  message(FATAL_ERROR "ducc0 is not there")
endif()
add_library(ducc0 INTERFACE)
target_include_directories(ducc0 SYSTEM INTERFACE ${CMAKE_SOURCE_DIR}/third_party/ducc0/src)
