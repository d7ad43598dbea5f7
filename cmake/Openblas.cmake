# scipy-openblas64 (BLAS and LAPACK with 64-bit integers), found through its Python package.
execute_process(
  COMMAND ${Python3_EXECUTABLE} -c "import scipy_openblas64 as o; print(o.get_include_dir(), o.get_lib_dir(), sep=';')"
  OUTPUT_VARIABLE SX_OPENBLAS OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE SX_OPENBLAS_RESULT)
if(SX_OPENBLAS_RESULT)
  message(FATAL_ERROR "The Python package scipy-openblas64 is needed to build: ${Python3_EXECUTABLE} -m pip install scipy-openblas64")
endif()
list(GET SX_OPENBLAS 0 SX_OPENBLAS_INCLUDE)
list(GET SX_OPENBLAS 1 SX_OPENBLAS_LIB)
add_library(scipy_openblas64 SHARED IMPORTED)
set_target_properties(scipy_openblas64 PROPERTIES
  IMPORTED_LOCATION ${SX_OPENBLAS_LIB}/libscipy_openblas64_.so
  IMPORTED_NO_SONAME OFF)
target_include_directories(scipy_openblas64 SYSTEM INTERFACE ${SX_OPENBLAS_INCLUDE})
