// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_messages.hpp"

#include <cuda_runtime.h>
#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace {

using Bytes = std::vector<std::byte>;

struct Incoming {
  void* to;
  Bytes bytes;
};
std::map<MPI_Request, Incoming> incoming;
std::deque<Bytes> outgoing;  // until the program ends: some requests of messages that are gone are all the same
int count = 0;

bool is_on_device(void const* address) {
  cudaPointerAttributes attributes{};
  return cudaPointerGetAttributes(&attributes, address) == cudaSuccess && attributes.type == cudaMemoryTypeDevice;
}
Bytes bytes_of(int elements, MPI_Datatype type) {
  int size = 0;
  MPI_Type_size(type, &size);
  return Bytes(static_cast<std::size_t>(elements) * static_cast<std::size_t>(size));
}
int copy(void* to, void const* from, std::size_t bytes) {
  if (cudaMemcpy(to, from, bytes, cudaMemcpyDefault) == cudaSuccess) return MPI_SUCCESS;
  std::printf("a message to or from memory of a device cannot be copied\n");
  return MPI_ERR_BUFFER;
}
/// What came in for those of the requests that are null now.
int finish(std::vector<MPI_Request> const& before, MPI_Request const* after, int status) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    auto const found = incoming.find(before[i]);
    if (found == incoming.end() || after[i] != MPI_REQUEST_NULL) continue;
    ++count;
    if (int const copied = copy(found->second.to, found->second.bytes.data(), found->second.bytes.size()))
      return copied;
    incoming.erase(found);
  }
  return status;
}

}  // namespace

int test::messages_to_devices() { return count; }

extern "C" {

int MPI_Isend(void const* from, int elements, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
              MPI_Request* request) {
  if (!is_on_device(from)) return PMPI_Isend(from, elements, type, rank, tag, comm, request);
  outgoing.push_back(bytes_of(elements, type));
  if (int const status = copy(outgoing.back().data(), from, outgoing.back().size())) return status;
  return PMPI_Isend(outgoing.back().data(), elements, type, rank, tag, comm, request);
}

int MPI_Irecv(void* to, int elements, MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Request* request) {
  if (!is_on_device(to)) return PMPI_Irecv(to, elements, type, rank, tag, comm, request);
  Incoming message{to, bytes_of(elements, type)};
  int const status = PMPI_Irecv(message.bytes.data(), elements, type, rank, tag, comm, request);
  incoming.emplace(*request, std::move(message));
  return status;
}

int MPI_Waitall(int requests, MPI_Request* all, MPI_Status* statuses) {
  std::vector<MPI_Request> const before(all, all + requests);
  int const status = PMPI_Waitall(requests, all, statuses);
  return finish(before, all, status);
}

int MPI_Testall(int requests, MPI_Request* all, int* done, MPI_Status* statuses) {
  std::vector<MPI_Request> const before(all, all + requests);
  int const status = PMPI_Testall(requests, all, done, statuses);
  return finish(before, all, status);
}
}
