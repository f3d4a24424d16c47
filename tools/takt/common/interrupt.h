// Ctrl-C for subcommands that do something again and again.
#pragma once

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

namespace takt::command {

// Set by the first Ctrl-C after end_at_interrupt().
inline volatile std::sig_atomic_t interrupted = 0;

// The first Ctrl-C sets `interrupted`, and a second one ends the process.
inline void end_at_interrupt() {
  std::signal(SIGINT, [](int signal) {
    interrupted = 1;
    std::signal(signal, SIG_DFL);
  });
}

// Returns earlier if interrupted.
inline void wait_until(std::chrono::steady_clock::time_point moment) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds look(20);
  while (!interrupted && Clock::now() < moment)
    std::this_thread::sleep_for(std::min<Clock::duration>(look, moment - Clock::now()));
}

}  // namespace takt::command
