// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>

#include <thread>
#include <vector>

#include "require.hpp"

// What has been started and is not done yet. Ranks may wait for such operations in different orders, as for those of
// MPI; so each of them goes on whenever the library waits for messages, of whichever operation.
namespace KokkosScan::ranks {

class UnderWay {
 public:
  UnderWay(UnderWay const&)            = delete;
  UnderWay& operator=(UnderWay const&) = delete;

  static bool any() { return !all().empty(); }
  static void all_go_on() {
    for (UnderWay* one : all()) one->go_on();
  }

 protected:
  UnderWay() { all().push_back(this); }
  ~UnderWay() { leave(); }

  /// From now on it goes on by itself.
  void leave() { std::erase(all(), this); }

 private:
  /// Goes as far as is possible without waiting.
  virtual void go_on() noexcept = 0;

  /// Those of the thread that calls MPI. Never destroyed: an operation of static lifetime may go after everything else.
  static std::vector<UnderWay*>& all() {
    static auto& those = *new std::vector<UnderWay*>;
    return those;
  }
};

/// Waits until done(), which begins nothing that would have to be waited for.
template <class Done>
void wait_until(Done const& done) {
  while (!done()) {
    UnderWay::all_go_on();
    std::this_thread::yield();
  }
}

inline bool are_done(MPI_Request* requests, int count) {
  int done = 0;
  require(MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE), "MPI_Testall");
  return done != 0;
}
inline void wait_for(MPI_Request* requests, int count) {
  if (UnderWay::any())
    wait_until([&] { return are_done(requests, count); });
  else
    require(MPI_Waitall(count, requests, MPI_STATUSES_IGNORE), "MPI_Waitall");
}

/// An operation that a caller has started.
class Operation : public UnderWay {
 public:
  virtual ~Operation() = default;

  /// Goes on, and says whether it is done. What failed is thrown by wait().
  virtual bool test() noexcept = 0;
  virtual void wait()          = 0;
  /// Sees to it that others do not wait for this rank, and no more.
  virtual void give_up() noexcept = 0;
};

}  // namespace KokkosScan::ranks
