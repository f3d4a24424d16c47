// takt name watch: reports changes in a naming service.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "name/directory.h"
#include "name/liveness.h"

namespace takt::command {

// Compares the present bindings with the previous ones. Not thread-safe.
class Watch {
 public:
  using Time = std::chrono::system_clock::time_point;

  // A change of a binding, or of what answers.
  struct Event {
    std::string what;    // bound, unbound, rebound, silent, answers
    std::string name{};  // empty: the naming service is silent, or answers again
    Time when{};
    Time since{};       // `silent`, `answers`: when the object was first found silent
    std::string why{};  // `silent`: the reason
  };

  // `answers` has one element per entry, or none if the objects were not asked. The first call reports all
  // names as bound. Names in a context that could not be listed stay as they were.
  std::vector<Event> compared(const std::vector<Entry>& entries, const std::vector<Liveness>& answers,
                              Time now);

 private:
  struct Known {
    std::string reference;
    bool silent = false;
    Time since{};
    std::uint64_t seen = 0;
  };
  // Nothing new is known of the names in the context.
  void keep_below(const std::string& context);

  std::map<std::string, Known> known_;
  std::uint64_t round_ = 0;
};

// "2026-11-25T15:04:05Z"
std::string time_text(Watch::Time time);

}  // namespace takt::command
