# What is built. Everything lands in one directory, scale_x/lib, and finds its neighbours by $ORIGIN.
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
set(CMAKE_INSTALL_RPATH "$ORIGIN")
set(SX_LINK_OPTIONS -Wl,-z,defs -Wl,-Bsymbolic-functions -Wl,--exclude-libs,ALL -Wl,--gc-sections -Wl,--as-needed)
if(SCALE_X_SANITIZE)
  list(REMOVE_ITEM SX_LINK_OPTIONS -Wl,-z,defs)  # the sanitizer's runtime comes with the program
endif()

add_library(sx_headers INTERFACE)
target_include_directories(sx_headers INTERFACE
  ${CMAKE_SOURCE_DIR}/core/include ${CMAKE_SOURCE_DIR}/host/include ${CMAKE_SOURCE_DIR}/kernels/include ${SX_GEN}/rocm)

# A shared library whose file name is its soname: wheels hold no links.
function(sx_shared target soname)
  string(REGEX MATCH "^lib(.*)(\\.so\\..*)$" _ ${soname})
  set_target_properties(${target} PROPERTIES PREFIX lib OUTPUT_NAME ${CMAKE_MATCH_1} SUFFIX ${CMAKE_MATCH_2} NO_SONAME ON)
  target_link_options(${target} PRIVATE -Wl,-soname,${soname} ${SX_LINK_OPTIONS})
  install(TARGETS ${target} LIBRARY DESTINATION scale_x/lib COMPONENT scale_x)
endfunction()

# ---- core: the one home of mutable state --------------------------------------------------------------------------------
file(GLOB SX_CORE_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/core/src/*.cpp)
add_library(scalex_core SHARED ${SX_CORE_SOURCES} ${SX_GEN}/kernels/sources.cpp)
target_include_directories(scalex_core PRIVATE ${SX_GEN})
target_link_libraries(scalex_core PRIVATE sx_headers Threads::Threads ${CMAKE_DL_LIBS})
target_compile_options(scalex_core PRIVATE -ftls-model=initial-exec)
# a build-time RPATH is padded with empty entries, which mean the current directory to core's dlopen
set_target_properties(scalex_core PROPERTIES BUILD_WITH_INSTALL_RPATH ON)
sx_shared(scalex_core libscalex_core.so.0)
target_link_options(scalex_core PRIVATE -Wl,-z,nodelete -Wl,--version-script,${CMAKE_SOURCE_DIR}/core/core.map)

# ---- host: ROCm's C ABI on the CPU ---------------------------------------------------------------------------------------
file(GLOB_RECURSE SX_HOST_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/host/*.cpp)
list(FILTER SX_HOST_SOURCES EXCLUDE REGEX "/forwarders/")
# The FFT kernels per instruction set go last: of inline functions that several objects define the linker takes the first.
set(SX_FFT_BASELINE ${CMAKE_SOURCE_DIR}/host/hipfft/kernels_baseline.cpp)
set(SX_FFT_V3 ${CMAKE_SOURCE_DIR}/host/hipfft/kernels_v3_float.cpp ${CMAKE_SOURCE_DIR}/host/hipfft/kernels_v3_double.cpp)
list(REMOVE_ITEM SX_HOST_SOURCES ${SX_FFT_V3})
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64")
  set_source_files_properties(${SX_FFT_V3} ${CMAKE_SOURCE_DIR}/host/hip/kernels_v3.cpp PROPERTIES COMPILE_OPTIONS -march=x86-64-v3)
  set_source_files_properties(${SX_FFT_BASELINE} PROPERTIES COMPILE_OPTIONS -O2)  # for old processors only
endif()
set_property(SOURCE ${SX_FFT_BASELINE} ${SX_FFT_V3} APPEND PROPERTY COMPILE_OPTIONS -fcx-limited-range)
if(SCALE_X_SANITIZE)  # the transforms are another project's templates; instrumented, they compile for an hour
  set_property(SOURCE ${SX_FFT_BASELINE} ${SX_FFT_V3} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=all)
endif()
add_library(scalex_host SHARED ${SX_HOST_SOURCES} ${SX_GEN}/host/registry.cpp ${SX_GEN}/kernels/sources.cpp ${SX_FFT_V3})
target_include_directories(scalex_host PRIVATE ${CMAKE_SOURCE_DIR}/host ${CMAKE_SOURCE_DIR}/host/hipfft ${SX_GEN})
target_link_libraries(scalex_host PRIVATE sx_headers scipy_openblas64 ducc0 Threads::Threads ${CMAKE_DL_LIBS})
if(SCALE_X_SANITIZE)
  target_compile_options(scalex_host PRIVATE -O1)
else()
  target_compile_options(scalex_host PRIVATE -O3)
endif()
sx_shared(scalex_host libscalex_host.so.0)
target_link_options(scalex_host PRIVATE -Wl,-z,nodelete -Wl,--version-script,${CMAKE_SOURCE_DIR}/host/exports.map)
set_target_properties(scalex_host PROPERTIES INSTALL_RPATH "$ORIGIN;$ORIGIN/../../scipy_openblas64/lib")

# ---- the CUDA-X libraries: wrappers compiled once, linked once per soname -------------------------------------------------
file(GLOB SX_ABI_SOURCES ${SX_GEN}/src/abi/*.cpp)
set(SX_CUDAX_TARGETS "")
set(SX_FOLDER_cublas cublas)
set(SX_FOLDER_nvblas cublas)
set(SX_FOLDER_cublaslt cublaslt)
set(SX_FOLDER_cusolver cusolver)
set(SX_FOLDER_cusolvermg cusolver)
set(SX_FOLDER_cufft cufft)
set(SX_FOLDER_cufftw cufft)
set(SX_FOLDER_cudart cudart)
foreach(library cublas nvblas cublaslt cusolver cusolvermg cufft cufftw cudart)
  file(GLOB sources ${SX_GEN}/src/${library}/*.cpp)
  if(library STREQUAL SX_FOLDER_${library})
    file(GLOB natives CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${library}/native/*.cpp)
  else()
    file(GLOB natives CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${SX_FOLDER_${library}}/native/${library}/*.cpp)
  endif()
  add_library(${library}_objects OBJECT ${sources} ${natives})
  target_link_libraries(${library}_objects PRIVATE sx_headers)
  target_include_directories(${library}_objects PRIVATE ${SX_GEN}/include/all ${SX_GEN}/src ${SX_GEN}/src/${library}
    ${CMAKE_SOURCE_DIR}/${SX_FOLDER_${library}}/native)
  target_compile_options(${library}_objects PRIVATE -ffunction-sections -fdata-sections)
  if(SCALE_X_SANITIZE)
    target_compile_options(${library}_objects PRIVATE -O1)
  endif()
endforeach()
foreach(abi ${SX_ABI_SOURCES})
  get_filename_component(soname ${abi} NAME)
  string(REGEX REPLACE "\\.cpp$" "" soname ${soname})
  string(REGEX MATCH "^lib([A-Za-z]+)\\.so" _ ${soname})
  string(TOLOWER ${CMAKE_MATCH_1} library)
  set(target ${soname})
  set(objects $<TARGET_OBJECTS:${library}_objects>)
  if(library STREQUAL nvblas)  # stands on cublasXt: see wrappers_gen/emit/own.py
    list(APPEND objects $<TARGET_OBJECTS:cublas_objects>)
  elseif(library STREQUAL cusolvermg)  # stands on cusolverDn
    list(APPEND objects $<TARGET_OBJECTS:cusolver_objects>)
  endif()
  add_library(${target} SHARED ${abi} ${objects})
  target_link_libraries(${target} PRIVATE sx_headers scalex_core ${CMAKE_DL_LIBS})
  sx_shared(${target} ${soname})
  target_link_options(${target} PRIVATE -Wl,--version-script,${SX_GEN}/maps/${soname}.map)
  set_target_properties(${target} PROPERTIES LINK_DEPENDS ${SX_GEN}/maps/${soname}.map)
  list(APPEND SX_CUDAX_TARGETS ${target})
endforeach()

# ---- the Python module ----------------------------------------------------------------------------------------------------
file(GLOB SX_BINDING_SOURCES ${SX_GEN}/bindings/*.c)
if(SX_BINDING_SOURCES)
  Python3_add_library(_native MODULE WITH_SOABI ${SX_BINDING_SOURCES})
  target_link_libraries(_native PRIVATE ${CMAKE_DL_LIBS})
  target_include_directories(_native PRIVATE ${SX_GEN}/bindings)
  # No run path at all: python -m scale_x.bindings.build may have put its own module here, which has none to rewrite.
  set_target_properties(_native PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${SX_GEN}/scale_x/bindings
    SKIP_BUILD_RPATH ON INSTALL_RPATH "")
  install(TARGETS _native LIBRARY DESTINATION scale_x/bindings COMPONENT scale_x)
endif()

# ---- what else the wheel holds ----------------------------------------------------------------------------------------------
install(DIRECTORY ${SX_GEN}/include/11 ${SX_GEN}/include/12 ${SX_GEN}/include/13 DESTINATION scale_x/include COMPONENT scale_x)
install(DIRECTORY ${SX_GEN}/scale_x/ DESTINATION scale_x COMPONENT scale_x FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed")
install(FILES ${SX_GEN}/docs/coverage.json DESTINATION scale_x/data COMPONENT scale_x)
