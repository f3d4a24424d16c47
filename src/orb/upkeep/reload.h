// Reloading certificates and settings while an ORB runs.
#pragma once

#include <string>
#include <vector>

#include "config/options_table.h"
#include "orb/startup/read_settings.h"

namespace takt::orb {

class Runtime;

// One thread at a time. Does not throw: refused changes are reported, and the old values stay.
class Reload {
 public:
  // The runtime must outlive it. `as_read`: the settings with which it was made.
  Reload(Runtime& runtime, EffectiveSettings as_read) : runtime_(runtime), last_(std::move(as_read)) {}

  void certificates();
  // Reads the file of Config again, with the original command line and environment. Applies differences to
  // the last time like takt::Configuration. If an option cannot change, reports why.
  void settings();

 private:
  void change(const Option& option, const std::vector<std::string>& before,
              const std::vector<std::string>& now);
  void say(std::string_view text) const;

  Runtime& runtime_;
  EffectiveSettings last_;
};

}  // namespace takt::orb
