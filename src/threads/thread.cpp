#include "threads/thread.h"

#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

#include "threads/scheduling/borrower.h"

namespace takt::os {
namespace {

constinit std::atomic<ThreadHook> present_hook = nullptr;

struct Start {
  std::string name;
  ThreadUse use;
  std::move_only_function<void()> body;
  bool has_run = false;
};

void run_body(void* argument) {
  Start& start = *static_cast<Start*>(argument);
  if (!std::exchange(start.has_run, true)) start.body();
}

void* run(void* argument) {
  std::unique_ptr<Start> start(static_cast<Start*>(argument));
  if (!start->name.empty()) ::pthread_setname_np(::pthread_self(), start->name.substr(0, 15).c_str());
  if (const ThreadHook hook = present_hook.load(std::memory_order_acquire))
    hook(start->use, &run_body, start.get());
  run_body(start.get());
  return nullptr;
}

// Blocks all signals but synchronous faults, for threads started meanwhile.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    ::sigfillset(&all);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGPROF})
      ::sigdelset(&all, fault);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

// By default the system gives a new thread what its creator runs at, and so would keep what is lent.
std::optional<Scheduling> initial_scheduling(const ThreadOptions& options) {
  if (options.scheduling || !Borrower::borrows()) return options.scheduling;
  return scheduling();
}

void set_initial(pthread_attr_t& attributes, const Scheduling& scheduling) {
  sched_param parameters{};
  parameters.sched_priority = scheduling.priority;
  ::pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
  ::pthread_attr_setschedpolicy(&attributes, to_system(scheduling.scheduling_class));
  ::pthread_attr_setschedparam(&attributes, &parameters);
}

}  // namespace

std::expected<Thread, int> Thread::start_one(const ThreadOptions& options,
                                             std::move_only_function<void()> body) {
  auto start = std::make_unique<Start>(Start{options.name, options.use, std::move(body)});
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  if (options.stack_bytes > 0) {
    const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t least = std::max(options.stack_bytes, static_cast<std::size_t>(PTHREAD_STACK_MIN));
    ::pthread_attr_setstacksize(&attributes, (least + page - 1) / page * page);
  }
  if (const auto initial = initial_scheduling(options)) set_initial(attributes, *initial);
  Thread thread;
  int error;
  {
    SignalsBlocked blocked;
    error = ::pthread_create(&thread.handle_, &attributes, run, start.get());
    if (error != 0 && error != EAGAIN) {
      ::pthread_attr_setinheritsched(&attributes, PTHREAD_INHERIT_SCHED);
      error = ::pthread_create(&thread.handle_, &attributes, run, start.get());
    }
  }
  ::pthread_attr_destroy(&attributes);
  if (error != 0) return std::unexpected(error);
  static_cast<void>(start.release());  // run() owns it now
  thread.running_ = true;
  return thread;
}

Thread::Thread(Thread&& from) noexcept
    : handle_(from.handle_), running_(std::exchange(from.running_, false)) {}

Thread& Thread::operator=(Thread&& from) noexcept {
  if (this != &from) {
    join();
    handle_ = from.handle_;
    running_ = std::exchange(from.running_, false);
  }
  return *this;
}

bool Thread::is_current() const { return running_ && ::pthread_equal(handle_, ::pthread_self()); }

void Thread::join() {
  if (!running_) return;
  if (is_current()) return detach();
  running_ = false;
  ::pthread_join(handle_, nullptr);
}

void Thread::detach() {
  if (std::exchange(running_, false)) ::pthread_detach(handle_);
}

std::uint32_t current_thread_number() { return static_cast<std::uint32_t>(::gettid()); }

std::uint32_t process_number() { return static_cast<std::uint32_t>(::getpid()); }

StackMemory current_thread_stack() {
  StackMemory stack;
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return stack;
  void* lowest = nullptr;
  if (::pthread_attr_getstack(&attributes, &lowest, &stack.bytes) == 0)
    stack.lowest = reinterpret_cast<std::uintptr_t>(lowest);
  else
    stack.bytes = 0;
  ::pthread_attr_destroy(&attributes);
  return stack;
}

bool may_use(const Scheduling& wanted) {
  bool may = false;
  auto thread = Thread::start({.name = "takt-may-use"}, [&] { may = set_scheduling(wanted) == 0; });
  if (thread) thread->join();
  return may;
}

unsigned usable_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return static_cast<unsigned>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
}

}  // namespace takt::os

void takt::set_thread_hook(ThreadHook hook) { os::present_hook.store(hook, std::memory_order_release); }
