// The options of an ORB that runs, as they are now.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "orb/config/option_names.h"
#include "orb/startup/read_settings.h"

namespace takt::orb {

class Runtime;

// Any thread. Errors as takt::Configuration has them.
class LiveOptions {
 public:
  explicit LiveOptions(EffectiveSettings effective) : effective_(std::move(effective)) {}

  std::vector<std::string> get(std::string_view option) const;
  std::string origin(std::string_view option) const;
  void set(Runtime& runtime, std::string_view option, std::string_view value);
  void add(Runtime& runtime, std::string_view option, std::string_view item);

 private:
  // Once `changed`, of which `option` is new, is known to be right.
  void change(Runtime& runtime, std::string_view option, std::string_view text, bool adds);
  void take(Runtime& runtime, const Option& option, Settings changed);

  mutable std::mutex mutex_;  // held while a change is made
  EffectiveSettings effective_;
};

}  // namespace takt::orb
