// What a machine's settings mean for real-time threads.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace takt::command {

enum class Health {
  good,
  note,     // worth knowing; deadlines in the range of milliseconds do not suffer
  bad,      // real-time threads can be held up for milliseconds
  unknown,  // the system does not say
};
const char* to_text(Health health);

// One fact about the machine. `advice` says what to do; empty where there is nothing to do.
struct Finding {
  std::string check;
  Health health = Health::unknown;
  std::string found;
  std::string advice = {};
};

// Reads /proc and /sys below `root`, which is "/" for this machine. Changes nothing.
std::vector<Finding> settings_of(const std::filesystem::path& root);

// What this process may do: real-time priorities, reservations, locked memory. Each is tried in a thread that
// ends then, or on a page that is freed.
std::vector<Finding> privileges();

}  // namespace takt::command
