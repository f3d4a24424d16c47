#include "config/page/options_page.h"

#include "config/option_names.h"
#include "config/option_values.h"
#include "config/options_table.h"
#include "config/personality/personality.h"

namespace takt::orb {

namespace {

std::string personalities_page() {
  std::string page =
      "\n## Personalities\n\n`-ORBPersonality NAME` gives options other defaults, each with a reason. An "
      "option that is set explicitly takes precedence.\n";
  const Personalities personalities;
  for (const Personality& one : personalities.all()) {
    page += "\n**" + std::string(one.name) + "**: " + std::string(one.meaning) + "\n";
    if (one.presets.empty()) continue;
    page += "\n| option | default | why |\n|---|---|---|\n";
    for (const Preset& preset : one.presets)
      page += "| `" + std::string(preset.option) + "` | `" + std::string(preset.value) + "` | " +
              std::string(preset.why) + " |\n";
  }
  return page;
}

std::string conflicts_page() {
  std::string page =
      "\n## Conflicts\n\nAn ORB with one of these pairs of options does not start.\n\n"
      "| options | values | why | instead |\n|---|---|---|---|\n";
  for (const Option& option : options())
    for (const Conflict& conflict : option.conflicts)
      page += "| `" + std::string(option.name) + "`, `" + std::string(conflict.other) + "` | " +
              std::string(conflict.when) + " | " + std::string(conflict.why) + " | " +
              std::string(conflict.instead) + " |\n";
  return page;
}

std::string changes_page() {
  std::string page =
      "\n## Changes while an ORB runs\n\n`takt::Configuration` changes these options. It refuses all others, "
      "with the reason.\n\n| option | by | takes effect |\n|---|---|---|\n";
  for (const Option& option : options())
    if (option.live.how != Live::How::fixed)
      page += "| `" + std::string(option.name) + "` | `" +
              (option.live.how == Live::How::add ? "add" : "set") + "` | " + std::string(option.live.text) +
              " |\n";
  return page;
}

}  // namespace

std::string options_as_markdown() {
  std::string page =
      "# Options\n\n"
      "An ORB takes its options from the command line, from the environment and from a "
      "[file](configuration.md), "
      "in this order of precedence.\n`ORB_init` removes them from `argv`. Durations have a unit (`ns`, `us`, "
      "`ms`, `s`, "
      "`min`, `h`). Sizes may have one (`KiB`, `MiB`, `GiB`).\nAn option that does not exist, or a value out "
      "of "
      "range, is BAD_PARAM with a text that names what is valid.\n\n"
      "| option | environment | value | default | meaning |\n|---|---|---|---|---|\n";
  for (const Option& option : options()) {
    std::string fallback = default_of(option);
    if (!fallback.empty()) fallback.insert(0, 1, '`').push_back('`');
    page += "| `-ORB" + std::string(option.name) + "` | `" + environment_name(option.name) + "` | " +
            documented_range_of(option) + " | " + fallback + " | " + std::string(option.meaning) + " |\n";
  }
  return page + personalities_page() + conflicts_page() + changes_page();
}

}  // namespace takt::orb
