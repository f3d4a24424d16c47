// Measures the duration of a context switch on this machine, with the metrics of [Levine 2000],
// section 3.1.2. Linux cannot suspend and resume a single thread, so the first metric is missing here, as in
// the paper. All threads run on core 0 with SCHED_FIFO.
//
//   yield:        two threads of one priority hand the processor to each other; minus the cost of a yield
//   synchronized: a thread of higher priority waits for a mutex that one of lower priority holds: from before
//                 its release until the other thread has it, minus the cost of locking and unlocking without
//                 contention. A semaphore lets the other thread try again; its time does not count.
//   synchronized, inheriting: the same with a mutex whose holder inherits the priority of a waiting thread
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/resource.h>

#include <thread>
#include <utility>

#include "common/priorities.h"
#include "common/record.h"
#include "common/serve.h"

namespace {

constexpr int rounds = 20, steps = 5000;

void pin_at(int priority) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(0, &cpus);
  bench::check(::pthread_setaffinity_np(::pthread_self(), sizeof cpus, &cpus) == 0, "core 0 is not ours");
  bench::run_thread_at(priority);
}

long switches() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nvcsw + usage.ru_nivcsw;
}

double ns_of(bench::Clock::duration time) { return bench::seconds_of(time) * 1e9; }

template <class Body>
bench::Clock::duration time_of(Body body) {
  const auto begin = bench::Clock::now();
  for (int i = 0; i < steps; ++i) body();
  return bench::Clock::now() - begin;
}

void yield() { ::sched_yield(); }

bench::Clock::duration yield_in_turn() {
  bench::Clock::duration whole{};
  std::jthread other;
  pin_at(30);  // keeps either thread from starting before both exist
  other = std::jthread([] {
    pin_at(20);
    time_of(yield);
  });
  bench::run_thread_at(20);
  whole = time_of(yield);
  bench::run_thread_at(10);
  return whole;
}

class Mutex {
 public:
  explicit Mutex(int protocol) {
    pthread_mutexattr_t attributes;
    ::pthread_mutexattr_init(&attributes);
    bench::check(::pthread_mutexattr_setprotocol(&attributes, protocol) == 0, "no such mutex");
    ::pthread_mutex_init(&mutex_, &attributes);
    ::pthread_mutexattr_destroy(&attributes);
  }
  ~Mutex() { ::pthread_mutex_destroy(&mutex_); }
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() { ::pthread_mutex_lock(&mutex_); }
  void unlock() { ::pthread_mutex_unlock(&mutex_); }

 private:
  pthread_mutex_t mutex_;
};

// Returns the sum of all steps.
bench::Clock::duration hand_over(int protocol) {
  Mutex mutex(protocol);
  sem_t go;
  ::sem_init(&go, 0, 0);
  bench::Clock::time_point let_go;
  bench::Clock::duration whole{};
  std::jthread urgent([&] {
    pin_at(30);
    for (int i = 0; i < steps; ++i) {
      ::sem_wait(&go);
      mutex.lock();
      whole += bench::Clock::now() - let_go;
      mutex.unlock();
    }
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  for (int i = 0; i < steps; ++i) {
    mutex.lock();
    ::sem_post(&go);  // the other thread runs now, until it has to wait
    let_go = bench::Clock::now();
    mutex.unlock();
  }
  urgent.join();
  ::sem_destroy(&go);
  return whole;
}

bench::Clock::duration lock_alone(int protocol) {
  Mutex mutex(protocol);
  return time_of([&] {
    mutex.lock();
    mutex.unlock();
  });
}

// `with`: the total time with `per_step` switches per step; `without`: the same without a switch.
template <class With, class Without>
void measure(const char* metric, double per_step, With with, Without without) {
  bench::Samples samples(rounds);
  const long before = switches();
  double count = 0;
  for (int i = 0; i < rounds; ++i) {
    const double each = (ns_of(with()) - ns_of(without())) / (steps * per_step);
    samples.add(std::chrono::nanoseconds(static_cast<std::int64_t>(each)));
  }
  count = static_cast<double>(switches() - before) / (rounds * steps);
  bench::Record("machine", "none", "context-switch")
      .text("metric", metric)
      .latency(samples)
      .number("switches_per_step", count)
      .print();
}

}  // namespace

int main() {
  return bench::run_main("bench_context_switches", [] {
    pin_at(10);
    // Each yield of the two threads is a switch, and they alternate: a yield of one thread takes the time of
    // two switches.
    measure("yield", 2, yield_in_turn, [] {
      const auto once = time_of(yield);
      return 2 * once;
    });
    for (auto [metric, protocol] :
         {std::pair{"synchronized", PTHREAD_PRIO_NONE}, {"synchronized, inheriting", PTHREAD_PRIO_INHERIT}})
      measure(metric, 1, [&] { return hand_over(protocol); }, [&] { return lock_alone(protocol); });
  });
}
