// Reading certificates and settings anew while an ORB runs.
#pragma once

#include <string>
#include <vector>

#include "orb/config/options_table.h"
#include "orb/startup/read_settings.h"

namespace takt::orb {

class Runtime;

// One thread at a time. Nothing is thrown: what is refused is said, and stays as it was.
class Reload {
 public:
  // The runtime outlives it; `as_read` is what it was made with.
  Reload(Runtime& runtime, EffectiveSettings as_read) : runtime_(runtime), last_(std::move(as_read)) {}

  void certificates();
  // Reads the file of Config again, with the command line and the environment as they were. What differs from
  // the last time is changed as takt::Configuration does it; of what cannot be changed it is said why.
  void settings();

 private:
  void change(const Option& option, const std::vector<std::string>& before,
              const std::vector<std::string>& now);
  void say(std::string_view text) const;

  Runtime& runtime_;
  EffectiveSettings last_;
};

}  // namespace takt::orb
