# ROCm's libraries by their own names, as jumps into the host engine: for foreign programs such as AMD's tests, so they are
# built only when asked for (cmake --build build --target forwarders) and never installed.
add_custom_target(forwarders)
file(GLOB SX_FORWARDERS ${SX_GEN}/forwarders/*/*.c)
foreach(source ${SX_FORWARDERS})
  cmake_path(GET source PARENT_PATH folder)
  cmake_path(GET folder FILENAME release)
  get_filename_component(soname ${source} NAME)
  string(REGEX REPLACE "\\.c$" "" soname ${soname})
  set(target forward-${release}-${soname})
  add_library(${target} SHARED EXCLUDE_FROM_ALL ${source})
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/host/forwarders)
  target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
  target_link_options(${target} PRIVATE -Wl,-soname,${soname} -Wl,-z,defs
    -Wl,--version-script,${SX_GEN}/forwarders/${release}/${soname}.map)
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME ${soname} SUFFIX "" NO_SONAME ON
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/rocm/${release})
  add_dependencies(forwarders ${target})
endforeach()
