#include "machine/scheduler.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "machine/finding.h"
#include "machine/machine.h"
#include "machine/system_calls.h"

namespace takt::sim {

namespace {

using namespace std::chrono_literals;

constexpr Time time_of_a_step = 500ns;
constexpr Time longest_run = 12h;
constexpr std::uint64_t most_steps = 2'000'000;
constexpr int last_round = 4;  // PTHREAD_DESTRUCTOR_ITERATIONS

thread_local SimThread* mine = nullptr;

using RealCreate = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

int really_join(pthread_t handle) {
  static auto* const join = real<int(pthread_t, void**)>("pthread_join");
  return join(handle, nullptr);
}

pthread_key_t key_of_the_end(void (*destructor)(void*)) {
  static const pthread_key_t key = [&] {
    pthread_key_t made;
    ::pthread_key_create(&made, destructor);
    return made;
  }();
  return key;
}

}  // namespace

struct Scheduler::Body {
  SimThread* self;
  void* (*body)(void*);
  void* argument;
};

Scheduler::Scheduler(std::uint64_t seed, const Faults& faults)
    : faults_(faults), random_(seed, Random::Stream::schedule) {}

Scheduler::~Scheduler() = default;

SimThread* Scheduler::current() { return mine; }

void Scheduler::adopt_caller() {
  auto thread = std::make_unique<SimThread>();
  thread->number = next_number_++;
  thread->name = "main";
  thread->handle = ::pthread_self();
  thread->id = real_thread_id();
  thread->rank = random_.next();
  mine = thread.get();
  threads_.push_back(std::move(thread));
}

void Scheduler::release_caller() {
  bury();
  mine = nullptr;
}

void Scheduler::note(const char* what, std::uint64_t about) {
  ++steps_;
  const auto mix = [this](std::uint64_t value) { digest_ = (digest_ ^ value) * 0x100000001b3u; };
  mix(mine->number);
  for (const char* at = what; *at; ++at) mix(static_cast<std::uint8_t>(*at));
  mix(about);
  mix(static_cast<std::uint64_t>(now_.count()));
  if (tracing().on) trace(what, about);
}

void Scheduler::step(const char* what, std::uint64_t about) {
  note(what, about);
  if (random_.one_in(faults_.stall_one_in))
    mine->stalled_until = now_ + random_.between(Time(0), faults_.longest_stall);
  pass_baton();
}

void Scheduler::collect() {
  candidates_.clear();
  for (const auto& thread : threads_) {
    if (thread->ended || thread->stalled_until > now_) continue;
    if (!thread->ready || thread->deadline <= now_ || thread->ready(thread->ready_argument))
      candidates_.push_back(thread.get());
  }
}

void Scheduler::move_clock() {
  Time next = never;
  while (!expected_.empty() && expected_.top() <= now_) expected_.pop();
  if (!expected_.empty()) next = expected_.top();
  for (const auto& thread : threads_) {
    if (thread->ended) continue;
    if (thread->stalled_until > now_) next = std::min(next, thread->stalled_until);
    if (thread->ready && thread->deadline > now_) next = std::min(next, thread->deadline);
  }
  if (next == never) report_finding("deadlock: no thread can go on, and nobody waits for a time");
  if (next > longest_run)
    report_finding("the run does not end: it is over " + std::to_string(longest_run / 1h) + " h");
  now_ = next;
}

SimThread& Scheduler::among(SimThread* self) {
  const bool can_go_on = self && std::ranges::find(candidates_, self) != candidates_.end();
  switch (faults_.fairness) {
    case Faults::Fairness::uniform:
      break;
    case Faults::Fairness::sticky:
      if (can_go_on && !random_.one_in(16)) return *self;
      break;
    case Faults::Fairness::ranked:
      if (can_go_on && random_.one_in(64)) self->rank = random_.next();
      return **std::ranges::max_element(candidates_, {}, &SimThread::rank);
  }
  return *candidates_[random_.below(candidates_.size())];
}

SimThread& Scheduler::choose(SimThread* self) {
  now_ += time_of_a_step;
  if (steps_ > most_steps)
    report_finding("the run does not end: it has taken " + std::to_string(steps_) + " steps");
  for (collect(); candidates_.empty(); collect()) move_clock();
  return among(self);
}

void Scheduler::pass_baton() {
  const int before = errno;
  SimThread& self = *mine;
  SimThread& next = choose(&self);
  if (&next != &self) {
    hand_to(next);
    take_baton(self);
  }
  errno = before;
}

void Scheduler::hand_to(SimThread& next) {
  next.turn.store(1, std::memory_order_release);
  real_futex_wake(&next.turn);
}

void Scheduler::take_baton(SimThread& self) {
  while (self.turn.load(std::memory_order_acquire) == 0) real_futex_wait(&self.turn, 0);
  self.turn.store(0, std::memory_order_relaxed);
  bury();
}

// Joins ended threads. Until the system has ended a thread, it may still free memory, which would make
// addresses random.
void Scheduler::bury() {
  SimThread* const dead = std::exchange(dying_, nullptr);
  if (!dead) return;
  if (!dead->detached) {  // the program will join it, and its handle must stay valid until then
    while (real_thread_exists(dead->id)) real_pause();
    return;
  }
  really_join(dead->handle);
  erase(*dead);
}

void Scheduler::erase(const SimThread& thread) {
  std::erase_if(threads_, [&](const auto& one) { return one.get() == &thread; });
}

void* Scheduler::run(void* body) {
  const std::unique_ptr<Body> given(static_cast<Body*>(body));
  mine = given->self;
  mine->id = real_thread_id();
  machine().scheduler.take_baton(*mine);
  ::pthread_setspecific(key_of_the_end(end_thread), reinterpret_cast<void*>(1));
  return given->body(given->argument);
}

// Runs after the destructors of the thread's thread_local objects; in the last round, also after those of
// other keys.
void Scheduler::end_thread(void* round) {
  const auto number = reinterpret_cast<std::intptr_t>(round);
  if (number < last_round) {
    ::pthread_setspecific(key_of_the_end(end_thread), reinterpret_cast<void*>(number + 1));
    return;
  }
  Scheduler& scheduler = machine().scheduler;
  scheduler.note("thread ends", 0);
  SimThread& self = *std::exchange(mine, nullptr);
  self.ended = true;
  SimThread& next = scheduler.choose(nullptr);
  scheduler.dying_ = &self;
  scheduler.hand_to(next);
}

int Scheduler::create(pthread_t* handle, const pthread_attr_t* attributes, void* (*body)(void*),
                      void* argument) {
  static auto* const really_create = real<RealCreate>("pthread_create");
  key_of_the_end(end_thread);
  auto thread = std::make_unique<SimThread>();
  thread->number = next_number_++;
  thread->host = mine->host;
  thread->rank = random_.next();
  auto given = std::make_unique<Body>(Body{thread.get(), body, argument});
  if (const int error = really_create(&thread->handle, attributes, run, given.get())) return error;
  static_cast<void>(given.release());
  *handle = thread->handle;
  const unsigned number = thread->number;
  threads_.push_back(std::move(thread));
  step("starts thread", number);
  return 0;
}

SimThread* Scheduler::find(pthread_t handle) {
  for (const auto& thread : threads_)
    if (!thread->detached && ::pthread_equal(thread->handle, handle)) return thread.get();
  return nullptr;
}

int Scheduler::join(pthread_t handle, void** result) {
  SimThread* const thread = find(handle);
  if (!thread) report_finding("pthread_join of a thread that was joined or detached before");
  step("joins thread", thread->number);
  wait("a thread's end", [&] { return thread->ended; });
  if (result) *result = nullptr;
  really_join(thread->handle);
  erase(*thread);
  return 0;
}

int Scheduler::detach(pthread_t handle) {
  SimThread* const thread = find(handle);
  if (!thread) report_finding("pthread_detach of a thread that was joined or detached before");
  thread->detached = true;
  if (thread->ended) {
    really_join(thread->handle);
    erase(*thread);
  }
  return 0;
}

void Scheduler::name(pthread_t handle, const char* text) {
  if (SimThread* const thread = find(handle)) thread->name = text;
}

std::size_t Scheduler::running() const {
  return static_cast<std::size_t>(
             std::ranges::count(threads_, false, [](const auto& one) { return one->ended; })) -
         1;
}

std::size_t Scheduler::threads() const { return threads_.size() - 1; }

std::string Scheduler::describe_threads() const {
  std::string text;
  for (const auto& thread : threads_) {
    text += "  thread " + std::to_string(thread->number) + " " + thread->name + ": ";
    text += thread->ended   ? "ended"
            : thread->ready ? std::string("waits for ") + thread->waits_for
                            : "could go on";
    if (thread->ready && thread->deadline != never)
      text += " until " + std::to_string(thread->deadline.count()) + " ns";
    text += "\n";
  }
  return text;
}

}  // namespace takt::sim
