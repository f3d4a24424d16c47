// Settings of another ORB (its options, variables and files), translated into Takt's.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "foreign/other_orb.h"

namespace takt::orb {

// A value of one of Takt's options, and where the other ORB's setting stood.
struct TranslatedValue {
  std::string option;  // "RoundTripTimeout"
  std::string text;    // one item if the option is a list
  std::string origin;  // "-ORBclientCallTimeOutPeriod", "ORBclientCallTimeOutPeriod" or "/etc/omniORB.cfg:3"
};

struct Translation {
  std::vector<TranslatedValue> values;       // in ascending precedence
  std::vector<std::string> notes;            // settings without an effect
  std::vector<std::string> warnings;         // settings that no table has
  std::vector<std::string> problems;         // for which the ORB must not start
  std::optional<bool> transient_on_timeout;  // for throw_transient_on_timeout()
};

using Variables = std::map<std::string, std::string>;

class Translator : public OtherOrb {
 public:
  // Those variables of the process that may be its own.
  virtual Variables variables() const = 0;
  // Reads the ORB's files. Blocks.
  virtual Translation translate(std::span<const ForeignArgument> arguments,
                                std::span<const SettingOfProgram> of_program,
                                const Variables& variables) const = 0;

  std::shared_ptr<const Remarks> translate(std::span<const ForeignArgument> arguments,
                                           std::span<const SettingOfProgram> of_program,
                                           SettingSink& into) const final;

 protected:
  Translator() = default;
  ~Translator() = default;
};

}  // namespace takt::orb
