# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(CMakePackageConfigHelpers)

install(DIRECTORY include src cuda_native DESTINATION ${header_root} FILES_MATCHING PATTERN "*.hpp")
install(TARGETS KokkosScan EXPORT KokkosScanTargets)
install(TARGETS KokkosScan_cuda_native EXPORT KokkosScanCudaNative)
install(TARGETS KokkosScan_mpi EXPORT KokkosScanMpi)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/KokkosScan)
foreach(targets KokkosScanTargets KokkosScanCudaNative KokkosScanMpi)
  install(EXPORT ${targets} NAMESPACE KokkosScan:: DESTINATION ${package_folder})
endforeach()
configure_package_config_file(
  cmake/KokkosScanConfig.cmake.in ${PROJECT_BINARY_DIR}/KokkosScanConfig.cmake INSTALL_DESTINATION ${package_folder}
)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/KokkosScanConfigVersion.cmake COMPATIBILITY SameMinorVersion
)
install(FILES ${PROJECT_BINARY_DIR}/KokkosScanConfig.cmake ${PROJECT_BINARY_DIR}/KokkosScanConfigVersion.cmake
              cmake/KokkosScanFindKokkos.cmake DESTINATION ${package_folder}
)
