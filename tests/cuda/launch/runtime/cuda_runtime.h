// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <vector>

// As much of the CUDA runtime as launches call, for a test of what they make of its answers. Each call succeeds but the
// one that is told to fail; that one becomes the last error, as it would with CUDA, until somebody asks for it.
enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidValue = 1 };
enum cudaDeviceAttr {
  cudaDevAttrMultiProcessorCount          = 16,
  cudaDevAttrComputeCapabilityMajor       = 75,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
using cudaStream_t = struct StreamOfTheTest*;

struct cudaFuncAttributes {
  int ptxVersion;
};
enum cudaLaunchAttributeID { cudaLaunchAttributeProgrammaticStreamSerialization = 6 };
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  struct {
    int programmaticStreamSerializationAllowed;
  } val;
};
struct cudaLaunchConfig_t {
  unsigned gridDim, blockDim;
  std::size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned numAttrs;
};

namespace runtime {

inline std::string to_fail;
inline cudaError_t last = cudaSuccess;
inline std::vector<cudaLaunchConfig_t> launches;
inline std::vector<std::vector<cudaLaunchAttribute>> attributes;  // of each
inline int device = 0, asked = 0;           // which is current; how often a kernel was asked after
inline std::vector<int> architectures{90};  // of each device, for which all is compiled

inline cudaError_t answer(char const* call) {
  if (call != to_fail) return cudaSuccess;
  return last = cudaErrorInvalidValue;
}

}  // namespace runtime

inline cudaError_t cudaGetLastError() {
  cudaError_t const error = runtime::last;
  runtime::last           = cudaSuccess;
  return error;
}
inline char const* cudaGetErrorName(cudaError_t) { return "cudaErrorInvalidValue"; }
inline char const* cudaGetErrorString(cudaError_t) { return "invalid argument"; }

inline cudaError_t cudaGetDevice(int* device) {
  *device = runtime::device;
  return runtime::answer("cudaGetDevice");
}
inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  *value = attribute == cudaDevAttrComputeCapabilityMajor ? 9 : 132;
  return runtime::answer("cudaDeviceGetAttribute");
}
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void const*) {
  ++runtime::asked;
  attributes->ptxVersion = runtime::architectures[static_cast<std::size_t>(runtime::device)];
  return runtime::answer("cudaFuncGetAttributes");
}
inline cudaError_t cudaFuncSetAttribute(void const*, cudaFuncAttribute, int) {
  return runtime::answer("cudaFuncSetAttribute");
}
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(cudaLaunchConfig_t const* config, void (*)(Parameters...), Arguments&&...) {
  runtime::launches.push_back(*config);
  runtime::attributes.emplace_back(config->attrs, config->attrs + config->numAttrs);
  return runtime::answer("cudaLaunchKernelEx");
}
