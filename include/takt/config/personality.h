// Personalities: named sets of option defaults (-ORBPersonality). A plug-in can add one.
#pragma once

#include <span>
#include <string_view>

namespace takt {

// A default that differs from the option's own. `value` is written as a user would write it.
struct Preset {
  std::string_view option;  // as in "ConnectTimeout"
  std::string_view value;
  std::string_view why;  // for people
};

// The views of a plug-in's personality must stay valid until the process ends.
struct Personality {
  std::string_view name;     // the option's value: lower-case letters, digits and hyphens
  std::string_view meaning;  // intended use, and its limits
  std::span<const Preset> presets;
};

// Receives a plug-in's personalities. Valid only during takt_personalities(), in its thread.
class PersonalityRegistry {
 public:
  // Throws std::invalid_argument for a name that is taken or malformed, and for a preset that is repeated or
  // whose option does not exist. The options id, Config, Personality and Plugin are refused too, because they
  // are read earlier. The plug-in must let the exception pass.
  virtual void add_personality(const Personality& personality) = 0;
  // The text after the colon that follows the plug-in's file name.
  virtual std::string_view arguments() const = 0;

 protected:
  PersonalityRegistry() = default;
  ~PersonalityRegistry() = default;
  PersonalityRegistry(const PersonalityRegistry&) = delete;
  PersonalityRegistry& operator=(const PersonalityRegistry&) = delete;
};

}  // namespace takt
