// Another ORB, whose settings the ORBs of this process take. Small, because every program has it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <takt/config/other_orbs.h>
#include <takt/config/personality.h>

#include "base/event_log.h"

namespace takt::orb {

struct ForeignArgument {
  std::string name;                  // without -ORB
  std::optional<std::string> value;  // nullopt if it is missing
};

// Receives what the settings of another ORB become.
class SettingSink {
 public:
  // A value of one of Takt's options, one item if that is a list; and the place of the setting.
  virtual void give(std::string_view option, const std::string& text, const std::string& origin) = 0;
  // The ORB must not start.
  virtual void problem(const std::string& text) = 0;

 protected:
  SettingSink() = default;
  ~SettingSink() = default;
  SettingSink(const SettingSink&) = delete;
  SettingSink& operator=(const SettingSink&) = delete;
};

// Remarks on the settings of another ORB, for the log.
class Remarks {
 public:
  virtual ~Remarks() = default;
  // Logs the settings that have no effect.
  virtual void log_to(EventLog& log) const = 0;

 protected:
  Remarks() = default;
  Remarks(const Remarks&) = delete;
  Remarks& operator=(const Remarks&) = delete;
};

// Any thread.
class OtherOrb {
 public:
  virtual std::string_view name() const = 0;  // "omniORB"
  // The defaults of options for which they differ from Takt's.
  virtual std::span<const Preset> presets() const = 0;
  // Whether the option takes a value. nullopt: the ORB has no such option. `name` is without -ORB.
  virtual std::optional<bool> takes_value(std::string_view name) const = 0;
  // Throws the exception of a program whose ORB does not start, because settings are wrong.
  [[noreturn]] virtual void throw_wrong_settings(const std::string& text) const;
  // The settings that the program has in its variables now. Only during ORB_init(): later the program may
  // change them.
  virtual std::vector<SettingOfProgram> settings_of_program() const { return {}; }
  // The password that keep_password() has given this name, or null.
  virtual std::shared_ptr<const std::string> kept_password(std::string_view /*name*/) const {
    return nullptr;
  }
  // Translates these, its options in the arguments, and its variables and files. Gives values in ascending
  // precedence. Blocks to read files.
  virtual std::shared_ptr<const Remarks> translate(std::span<const ForeignArgument> arguments,
                                                   std::span<const SettingOfProgram> of_program,
                                                   SettingSink& into) const = 0;

 protected:
  OtherOrb() = default;
  ~OtherOrb() = default;
  OtherOrb(const OtherOrb&) = delete;
  OtherOrb& operator=(const OtherOrb&) = delete;
};

// The ORB whose settings ORBs of this process take; null: none.
const OtherOrb* other_orb();
void set_other_orb(const OtherOrb* other);

}  // namespace takt::orb
