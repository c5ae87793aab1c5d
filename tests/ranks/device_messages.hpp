// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// An MPI that reads and writes memory of devices, made of any: it stands before some of its functions, and copies what
// is there by way of the host.
namespace test {

/// How many messages have come in there.
int messages_to_devices();

}  // namespace test
