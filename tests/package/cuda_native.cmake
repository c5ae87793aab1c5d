# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The kernels alone, from the installed package, where there is no Kokkos; where there is an nvcc, the example of
# docs/cuda_native.md is compiled and linked with them.
include(${CMAKE_CURRENT_LIST_DIR}/tools.cmake)
set(REASON without_kokkos)
refuse_kokkos()
take_example(${library_source}/docs/cuda_native.md ${work}/cuda_native_example.cu)
set(build ${work}/cuda_native)
configure(
  ${tests_source}/cuda_native ${build} ${arguments} -DKokkosScan_DIR=${package_folder} -DNVCC=${nvcc}
  -DEXAMPLE=${work}/cuda_native_example.cu
)
run(${CMAKE_COMMAND} --build ${build})
