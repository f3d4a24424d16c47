// The current options of a running ORB.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "config/option_names.h"
#include "orb/startup/read_settings.h"

namespace takt::orb {

class Runtime;

// Any thread. Errors as in takt::Configuration.
class LiveOptions {
 public:
  explicit LiveOptions(EffectiveSettings effective) : effective_(std::move(effective)) {}

  std::vector<std::string> get(std::string_view option) const;
  std::string origin(std::string_view option) const;
  void set(Runtime& runtime, std::string_view option, std::string_view value);
  void add(Runtime& runtime, std::string_view option, std::string_view item);

 private:
  // take() applies settings that were validated; `option` has changed in them.
  void change(Runtime& runtime, std::string_view option, std::string_view text, bool adds);
  void take(Runtime& runtime, const Option& option, Settings changed);

  mutable std::mutex mutex_;  // held during a change
  EffectiveSettings effective_;
};

}  // namespace takt::orb
