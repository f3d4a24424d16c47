// takt name watch: what changes in a naming service while one looks.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "name/directory.h"
#include "name/liveness.h"

namespace takt::command {

// Compares what is bound now with what was bound before. One thread.
class Watch {
 public:
  using Time = std::chrono::system_clock::time_point;

  // What happened to a name.
  struct Event {
    std::string what;  // bound, unbound, rebound, silent, answers
    std::string name{};
    Time when{};
    Time since{};       // of `silent` and `answers`: when it was found not to answer first
    std::string why{};  // of `silent`
  };

  // `answers`: of the entries, in their order; empty where nobody was asked. At first all is bound.
  std::vector<Event> compared(const std::vector<Entry>& entries, const std::vector<Liveness>& answers,
                              Time now);

 private:
  struct Known {
    std::string reference;
    bool silent = false;
    Time since{};
    std::uint64_t seen = 0;
  };
  std::map<std::string, Known> known_;
  std::uint64_t round_ = 0;
};

// "2026-11-25T15:04:05Z"
std::string time_text(Watch::Time time);

}  // namespace takt::command
