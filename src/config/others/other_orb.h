// Settings of another ORB (its options, variables and files), translated into Takt's.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <takt/config/personality.h>

namespace takt::orb {

// A value of one of Takt's options, and where the other ORB's setting stood.
struct TranslatedValue {
  std::string option;  // "RoundTripTimeout"
  std::string text;    // one item if the option is a list
  std::string origin;  // "-ORBclientCallTimeOutPeriod", "ORBclientCallTimeOutPeriod" or "/etc/omniORB.cfg:3"
};

struct Translation {
  std::vector<TranslatedValue> values;  // in ascending precedence
  std::vector<std::string> notes;       // settings without an effect
  std::vector<std::string> warnings;    // settings that no table has
  std::vector<std::string> problems;    // for which the ORB must not start
};

struct ForeignArgument {
  std::string name;                  // without -ORB
  std::optional<std::string> value;  // nullopt if the command line ended before it
};

using Variables = std::map<std::string, std::string>;

// Has no state. Any thread.
class OtherOrb {
 public:
  virtual std::string_view name() const = 0;  // "omniORB"
  // The defaults of options for which they differ from Takt's.
  virtual std::span<const Preset> presets() const = 0;
  // Whether the option takes a value. nullopt: the ORB has no such option. `name` is without -ORB.
  virtual std::optional<bool> takes_value(std::string_view name) const = 0;
  // Those variables of the process that may be its own.
  virtual Variables variables() const = 0;
  // Reads the ORB's files. Blocks.
  virtual Translation translate(std::span<const ForeignArgument> arguments,
                                const Variables& variables) const = 0;

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
