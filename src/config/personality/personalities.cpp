#include <algorithm>

#include "config/option_names.h"
#include "config/option_values.h"
#include "config/personality/personality.h"

namespace takt::orb {

namespace {

// Options that are read before the personality is known.
constexpr std::string_view read_earlier[] = {"id", "Config", "Personality", "Plugin"};

std::string fault_of(const Personality& personality) {
  const auto fault = [&](std::string_view of, const std::string& why) {
    return "its personality '" + std::string(personality.name.substr(0, 100)) + "' " + std::string(of) + why;
  };
  if (!is_strategy_name(personality.name))
    return fault("has a name ", "which is not of lower-case letters, digits and hyphens");
  const auto& presets = personality.presets;
  for (const Preset& preset : presets) {
    const std::string quoted = "'" + std::string(preset.option.substr(0, 100)) + "'";
    if (!find_option(preset.option))
      return fault("presets ", quoted + ", which is no option: " + advice_on_option(preset.option, ""));
    if (std::ranges::find(read_earlier, preset.option) != std::end(read_earlier))
      return fault("presets ", quoted + ", which is read before a personality is known");
    if (std::ranges::count(presets, preset.option, &Preset::option) != 1)
      return fault("presets ", quoted + " more than once");
  }
  return {};
}

}  // namespace

Personalities::Personalities()
    : all_{standard_personality, realtime_personality, avionics_personality,
           imaging_personality,  minimal_personality,  tao_personality} {}

const Personality* Personalities::find(std::string_view name) const {
  const auto found = std::ranges::find(all_, name, &Personality::name);
  return found == all_.end() ? nullptr : &*found;
}

std::string Personalities::add(const Personality& personality) {
  if (std::string fault = fault_of(personality); !fault.empty()) return fault;
  if (find(personality.name)) return "there is a personality '" + std::string(personality.name) + "' already";
  all_.push_back(personality);
  return {};
}

}  // namespace takt::orb
