# hostmath: LAPACK and sparse solvers on the CPU, for every provider; core loads it at first use.
file(GLOB SX_HOSTMATH_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/hostmath/*.cpp)
add_library(scalex_hostmath SHARED ${SX_HOSTMATH_SOURCES})
target_link_libraries(scalex_hostmath PRIVATE sx_headers scipy_openblas64 eigen)
target_compile_options(scalex_hostmath PRIVATE -O3)
sx_shared(scalex_hostmath libscalex_hostmath.so.0)
target_link_options(scalex_hostmath PRIVATE -Wl,-z,nodelete -Wl,--version-script,${CMAKE_SOURCE_DIR}/hostmath/exports.map)
set_target_properties(scalex_hostmath PROPERTIES INSTALL_RPATH "$ORIGIN;$ORIGIN/../../scipy_openblas64/lib")
