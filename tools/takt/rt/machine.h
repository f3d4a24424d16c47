// The effects of a machine's settings on real-time threads.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace takt::command {

enum class Health {
  good,
  note,     // worth knowing; deadlines of milliseconds are not affected
  bad,      // can delay real-time threads by milliseconds
  unknown,  // the system does not report it
};
const char* to_text(Health health);

// A fact about the machine. `advice` says what to do; empty if nothing.
struct Finding {
  std::string check;
  Health health = Health::unknown;
  std::string found;
  std::string advice = {};
  struct WakeUps {
    std::chrono::nanoseconds latest{};
    int priority = 0;  // SCHED_FIFO; 0: an ordinary thread
  };
  std::optional<WakeUps> wake_ups = std::nullopt;  // if it is about them
};

// Reads /proc and /sys below `root`, which is "/" for this machine. Changes nothing.
std::vector<Finding> settings_of(const std::filesystem::path& root);

// The privileges of this process: real-time priorities, reservations, locked memory. Tries each in a
// temporary thread or on a temporary page.
std::vector<Finding> privileges();

}  // namespace takt::command
