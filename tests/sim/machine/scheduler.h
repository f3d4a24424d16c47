// One thread at a time, chosen by the seed, under a clock that only the simulation moves.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <queue>
#include <string>
#include <vector>

#include "machine/faults.h"
#include "machine/random.h"

namespace takt::sim {

// A thread of the program: a real one, so that what is thread_local is its own, which runs only while it has
// the baton.
struct SimThread {
  unsigned number = 0;
  unsigned host = 0;  // whose descriptors it uses; its starter's
  std::string name;
  pthread_t handle{};
  int id = 0;  // the system's
  bool ended = false;
  bool detached = false;
  std::atomic<std::uint32_t> turn{0};
  // While it waits: until what, and how long.
  const char* waits_for = nullptr;
  bool (*ready)(const void*) = nullptr;
  const void* ready_argument = nullptr;
  Time deadline = never;
  Time stalled_until{0};
  std::uint64_t rank = 0;
};

// The running thread's alone, always. Time moves a little with each step, and otherwise only when nobody can
// go on. A run that no thread can continue, or that takes too many steps or too long, is a finding.
class Scheduler {
 public:
  Scheduler(std::uint64_t seed, const Faults& faults);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // The calling thread's, null outside of a simulation.
  static SimThread* current();
  // The calling thread becomes the first.
  void adopt_caller();
  void release_caller();

  Time now() const { return now_; }
  // Another thread may go on here.
  void step(const char* what, std::uint64_t about = 0);
  // Until ready() or the deadline; what ready() says then. It is asked often, by any thread, and changes
  // nothing.
  template <class Ready>
  bool wait(const char* what, const Ready& ready, Time deadline = never) {
    SimThread& self = *current();
    self.waits_for = what;
    self.ready = [](const void* argument) {
      return static_cast<bool>((*static_cast<const Ready*>(argument))());
    };
    self.ready_argument = &ready;
    self.deadline = deadline;
    note(what, 0);
    pass_baton();
    self.ready = nullptr;
    self.waits_for = nullptr;
    self.deadline = never;
    return ready();
  }
  // Something becomes ready then that nobody's deadline tells of.
  void expect(Time at) { expected_.push(at); }

  int create(pthread_t* handle, const pthread_attr_t* attributes, void* (*body)(void*), void* argument);
  int join(pthread_t handle, void** result);
  int detach(pthread_t handle);
  void name(pthread_t handle, const char* name);
  // Other than the caller: those that have not ended, and those of which something is left.
  std::size_t running() const;
  std::size_t threads() const;
  std::string describe_threads() const;

  std::uint64_t steps() const { return steps_; }
  // Of all that was decided: equal for equal runs.
  std::uint64_t digest() const { return digest_; }

 private:
  struct Body;
  static void* run(void* body);
  static void end_thread(void* round);
  SimThread* find(pthread_t handle);
  SimThread& choose(SimThread* self);
  SimThread& among(SimThread* self);
  void collect();
  void move_clock();
  void pass_baton();
  void hand_to(SimThread& next);
  void take_baton(SimThread& self);
  void bury();
  void note(const char* what, std::uint64_t about);
  void erase(const SimThread& thread);

  const Faults& faults_;
  Random random_;
  Time now_{0};
  std::uint64_t steps_ = 0;
  std::uint64_t digest_ = 0xcbf29ce484222325u;
  unsigned next_number_ = 0;
  std::vector<std::unique_ptr<SimThread>> threads_;
  std::vector<SimThread*> candidates_;
  std::priority_queue<Time, std::vector<Time>, std::greater<>> expected_;
  SimThread* dying_ = nullptr;  // has handed on the baton, and is about to end
};

}  // namespace takt::sim
