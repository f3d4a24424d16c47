#include "os/process/signal_wait.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <mutex>

#include "threads/locks/priority_mutex.h"

namespace takt::os {

namespace {

constexpr std::array signal_numbers = {SIGTERM, SIGINT, SIGHUP, SIGUSR1};

// The state of one SignalWait. Its descriptor is created once and kept, because a handler may still write to
// it.
struct Slot {
  std::atomic<int> descriptor{-1};
  std::atomic<pid_t> process{0};    // a forked child has the slot too, and shares the descriptor
  std::atomic<unsigned> wanted{0};  // bits, by index in signal_numbers
  std::atomic<unsigned> came{0};
  bool used = false;  // guarded by the mutex
};
std::array<Slot, SignalWait::most> slots;

struct Taken {
  unsigned by = 0;
  struct sigaction former = {};
};
// Guards the table below, and `used`.
PriorityMutex& mutex() {
  static PriorityMutex made;
  return made;
}
std::array<Taken, signal_numbers.size()> all_taken;

// Async-signal-safe. A child by fork() has no thread that waits: there the signal does what it did before it
// was taken.
void hand_over(int number) {
  const int error = errno;
  const auto place =
      static_cast<unsigned>(std::ranges::find(signal_numbers, number) - signal_numbers.begin());
  const pid_t process = ::getpid();
  bool is_inherited = false, is_own = false;
  for (Slot& slot : slots) {
    if ((slot.wanted.load() >> place & 1) == 0) continue;
    const bool waits_here = slot.process.load() == process;
    (waits_here ? is_own : is_inherited) = true;
    if (!waits_here) continue;
    slot.came.fetch_or(1U << place);
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(slot.descriptor.load(), &one, sizeof one);
  }
  if (is_inherited && !is_own) {
    ::sigaction(number, &all_taken[place].former, nullptr);
    ::raise(number);  // delivered when this handler returns
  }
  errno = error;
}

bool is_the_programs(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 ||
         (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN && action.sa_handler != hand_over);
}

// Precondition: the mutex is held. Returns false if the program has its own handler.
bool take_one(std::size_t place) {
  Taken& taken = all_taken[place];
  struct sigaction present = {};
  ::sigaction(signal_numbers[place], nullptr, &present);
  if (is_the_programs(present)) return false;
  if (taken.by == 0) taken.former = present;
  ++taken.by;
  struct sigaction mine = {};
  mine.sa_handler = hand_over;
  mine.sa_flags = SA_RESTART | (signal_numbers[place] == SIGINT ? static_cast<int>(SA_RESETHAND) : 0);
  ::sigemptyset(&mine.sa_mask);
  ::sigaction(signal_numbers[place], &mine, nullptr);
  return true;
}

void give_back(std::size_t place) {
  Taken& taken = all_taken[place];
  if (--taken.by != 0) return;
  struct sigaction present = {};
  ::sigaction(signal_numbers[place], nullptr, &present);
  if (!is_the_programs(present)) ::sigaction(signal_numbers[place], &taken.former, nullptr);
}

unsigned bits_of(SignalSet set) {
  return (set.terminate ? 1U : 0U) | (set.interrupt ? 2U : 0U) | (set.hang_up ? 4U : 0U) |
         (set.user ? 8U : 0U);
}

SignalSet set_of(unsigned bits) {
  return {.terminate = (bits & 1) != 0,
          .interrupt = (bits & 2) != 0,
          .hang_up = (bits & 4) != 0,
          .user = (bits & 8) != 0};
}

}  // namespace

std::expected<std::unique_ptr<SignalWait>, int> SignalWait::take(SignalSet wanted) {
  std::lock_guard lock(mutex());
  const auto free = std::ranges::find(slots, false, &Slot::used);
  if (free == slots.end()) return std::unexpected(EAGAIN);
  if (free->descriptor.load() < 0 || free->process.load() != ::getpid()) {
    const int made = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (made < 0) return std::unexpected(errno);
    const int inherited = free->descriptor.exchange(made);
    if (inherited >= 0) ::close(inherited);
    free->process = ::getpid();
  }
  unsigned taken = 0;
  free->came = 0;
  for (std::size_t place = 0; place < signal_numbers.size(); ++place) {
    if ((bits_of(wanted) >> place & 1) == 0) continue;
    free->wanted.fetch_or(1U << place);  // set before the handler is installed, so that no signal is lost
    if (take_one(place))
      taken |= 1U << place;
    else
      free->wanted.fetch_and(~(1U << place));
  }
  free->used = true;
  return std::unique_ptr<SignalWait>(new SignalWait(static_cast<int>(free - slots.begin()), taken));
}

SignalWait::~SignalWait() {
  std::lock_guard lock(mutex());
  Slot& slot = slots[static_cast<std::size_t>(slot_)];
  slot.wanted = 0;
  for (std::size_t place = 0; place < signal_numbers.size(); ++place)
    if ((taken_ >> place & 1) != 0) give_back(place);
  slot.used = false;
}

SignalSet SignalWait::taken() const { return set_of(taken_); }

SignalSet SignalWait::wait_until(TimePoint time) {
  Slot& slot = slots[static_cast<std::size_t>(slot_)];
  struct pollfd ready = {.fd = slot.descriptor.load(), .events = POLLIN, .revents = 0};
  constexpr std::chrono::milliseconds at_most(60'000);  // limits poll(); then checks the clock again
  while (true) {
    const auto left = std::clamp(std::chrono::ceil<std::chrono::milliseconds>(time - Clock::now()),
                                 std::chrono::milliseconds(0), at_most);
    const int found = ::poll(&ready, 1, static_cast<int>(left.count()));
    if (found > 0) {
      std::uint64_t count = 0;
      [[maybe_unused]] const auto taken = ::read(ready.fd, &count, sizeof count);
      return set_of(slot.came.exchange(0));
    }
    if (Clock::now() >= time) return {};
  }
}

void SignalWait::wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written =
      ::write(slots[static_cast<std::size_t>(slot_)].descriptor.load(), &one, sizeof one);
}

}  // namespace takt::os
