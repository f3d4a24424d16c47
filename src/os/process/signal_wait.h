// Lets a thread wait for signals of the process.
#pragma once

#include <chrono>
#include <expected>
#include <memory>

#include <takt/os/clock.h>

namespace takt::os {

struct SignalSet {
  bool terminate = false;  // SIGTERM
  bool interrupt = false;  // SIGINT; a second one ends the process
  bool hang_up = false;    // SIGHUP
  bool user = false;       // SIGUSR1
  bool operator==(const SignalSet&) const = default;
};

// While such an object exists, the signals that it has taken end its waits instead of the process. All
// objects that have taken a signal receive it. Destroying the last one restores a signal's previous action.
// One thread at a time may call wait_until(); any thread may call the other functions. A child by fork() has
// the previous actions again from the first signal on, which has that effect too.
class SignalWait {
 public:
  // Skips signals for which the program has its own handler; taken() gives the others. Fails with an errno
  // value: EAGAIN if `most` objects exist already.
  static constexpr int most = 64;
  static std::expected<std::unique_ptr<SignalWait>, int> take(SignalSet wanted);
  ~SignalWait();
  SignalWait(const SignalWait&) = delete;
  SignalWait& operator=(const SignalWait&) = delete;

  SignalSet taken() const;
  // Blocks until a signal has come, wake() was called, or the time has come. Returns the signals that have
  // come since the last call.
  SignalSet wait_until(TimePoint time);
  void wake();

 private:
  SignalWait(int slot, unsigned taken) : slot_(slot), taken_(taken) {}

  const int slot_;
  const unsigned taken_;
};

}  // namespace takt::os
