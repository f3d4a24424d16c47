// Signals of the process, for a thread that waits for them.
#pragma once

#include <chrono>
#include <expected>
#include <memory>

#include <takt/os/clock.h>

namespace takt::os {

struct SignalSet {
  bool terminate = false;  // SIGTERM
  bool interrupt = false;  // SIGINT; the second one ends the process
  bool hang_up = false;    // SIGHUP
  bool operator==(const SignalSet&) const = default;
};

// As long as one of these lives, the signals that it has taken do not end the process: they end its waits.
// All that have taken a signal get it. What a signal did before is given back with the last one. wait_until()
// is for one thread at a time, the rest for any.
class SignalWait {
 public:
  // A signal for which the program has a handler of its own is left to it; taken() says which are not. An
  // errno value: EAGAIN where `most` wait already.
  static constexpr int most = 64;
  static std::expected<std::unique_ptr<SignalWait>, int> take(SignalSet wanted);
  ~SignalWait();
  SignalWait(const SignalWait&) = delete;
  SignalWait& operator=(const SignalWait&) = delete;

  SignalSet taken() const;
  // Blocks until a signal has come, wake() was called, or the time has come; which signals have since the
  // last time.
  SignalSet wait_until(TimePoint time);
  void wake();

 private:
  SignalWait(int slot, unsigned taken) : slot_(slot), taken_(taken) {}

  const int slot_;
  const unsigned taken_;
};

}  // namespace takt::os
