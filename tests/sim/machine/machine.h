// The complete simulated system that a run's program uses.
#pragma once

#include <cstdint>
#include <memory>

#include "machine/datagrams.h"
#include "machine/descriptors.h"
#include "machine/faults.h"
#include "machine/locks.h"
#include "machine/network.h"
#include "machine/poller.h"
#include "machine/scheduler.h"

namespace takt::sim {

// At most one exists at a time; the thread that makes it is the run's first thread.
class Machine {
 public:
  Machine(std::uint64_t seed, const Faults& wanted);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // A new descriptor of the calling thread's host, or -EMFILE.
  long open(std::shared_ptr<File> file);
  long close(int fd);
  // An unknown descriptor is a finding, because a correct program never uses one.
  std::shared_ptr<File> file(int fd);
  std::shared_ptr<Socket> socket(int fd);

  long epoll_control(int epoll_fd, int operation, int fd, const epoll_event* event);
  long epoll_wait(int epoll_fd, epoll_event* events, int most, Time timeout);
  // Polls one descriptor, as poll(2): sets `ready` to the events, or to 0 at the deadline.
  long poll(int fd, std::uint32_t events, Time timeout, std::uint32_t& ready);
  void sleep(Time time);
  std::uint64_t unguessable_number() { return numbers_.next(); }
  // Whether the system allows another thread.
  bool may_start_thread() { return !random_.one_in(faults.no_thread_one_in); }

  const Faults faults;
  Scheduler scheduler;
  Locks locks;
  Network network;
  Datagrams datagrams;
  Descriptors descriptors;

 private:
  bool interrupted() { return random_.one_in(faults.signal_one_in); }
  Time until(Time timeout) const { return timeout == never ? never : scheduler.now() + timeout; }
  Random random_;
  Random numbers_;
};

Machine& machine();
// Whether the calling thread is in a simulation.
inline bool simulated() { return Scheduler::current() != nullptr; }

}  // namespace takt::sim
