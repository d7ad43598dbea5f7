# Eigen's headers (sparse factorisations), found through the Python package cmeel-eigen.
execute_process(
  COMMAND ${Python3_EXECUTABLE} -c "import importlib.metadata as m; print(next(p for p in m.files('cmeel-eigen') if str(p).endswith('eigen3/Eigen/Core')).locate().resolve().parents[1])"
  OUTPUT_VARIABLE SX_EIGEN OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE SX_EIGEN_RESULT)
if(SX_EIGEN_RESULT)
  message(FATAL_ERROR "The Python package cmeel-eigen is needed to build: ${Python3_EXECUTABLE} -m pip install cmeel-eigen==3.4.1")
endif()
add_library(eigen INTERFACE)
target_include_directories(eigen SYSTEM INTERFACE ${SX_EIGEN})
target_compile_definitions(eigen INTERFACE EIGEN_MPL2_ONLY EIGEN_DONT_PARALLELIZE EIGEN_NO_DEBUG)
