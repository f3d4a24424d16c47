// Runs one thread at a time, chosen by the seed, with a clock that only the simulation advances.
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

// A thread of the program. It is a real thread, so that it has its own thread_local objects, but runs only
// while it holds the baton.
struct SimThread {
  unsigned number = 0;
  unsigned host = 0;  // the host whose descriptors it uses; inherited from its starter
  std::string name;
  pthread_t handle{};
  int id = 0;  // the system's thread id
  bool ended = false;
  bool detached = false;
  std::atomic<std::uint32_t> turn{0};
  // Set while it waits: the reason and the deadline.
  const char* waits_for = nullptr;
  bool (*ready)(const void*) = nullptr;
  const void* ready_argument = nullptr;
  Time deadline = never;
  Time stalled_until{0};
  std::uint64_t rank = 0;
};

// Used only by the running thread. Time advances a little with each step, and further only when no thread can
// run. It is a finding if no thread can ever continue, or if a run takes too many steps or too long.
class Scheduler {
 public:
  Scheduler(std::uint64_t seed, const Faults& faults);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // The calling thread; null outside a simulation.
  static SimThread* current();
  // Makes the calling thread the first one.
  void adopt_caller();
  void release_caller();

  Time now() const { return now_; }
  // A point at which another thread may continue.
  void step(const char* what, std::uint64_t about = 0);
  // Waits until ready() returns true or the deadline; returns the last result of ready(). ready() may be
  // called often and by any thread, and must have no side effects.
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
  // Something becomes ready at that time although no thread has a deadline then.
  void expect(Time at) { expected_.push(at); }

  int create(pthread_t* handle, const pthread_attr_t* attributes, void* (*body)(void*), void* argument);
  int join(pthread_t handle, void** result);
  int detach(pthread_t handle);
  void name(pthread_t handle, const char* name);
  // Threads other than the caller: those that have not ended, and those that have not been joined.
  std::size_t running() const;
  std::size_t threads() const;
  std::string describe_threads() const;

  std::uint64_t steps() const { return steps_; }
  // A digest of all decisions: equal for equal runs.
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
  SimThread* dying_ = nullptr;  // has passed the baton on and is about to end
};

}  // namespace takt::sim
