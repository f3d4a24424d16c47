#include "orb/startup/options_page.h"

#include "orb/config/option_names.h"
#include "orb/config/option_values.h"
#include "orb/config/options_table.h"
#include "orb/personality/personality.h"

namespace takt::orb {

namespace {

std::string personalities_page() {
  std::string page =
      "\n## Personalities\n\n`-ORBPersonality NAME` gives options other defaults, each for a reason; "
      "whatever is said of an option by itself goes before.\n";
  for (const Personality* one : personalities()) {
    page += "\n**" + std::string(one->name) + "**: " + std::string(one->meaning) + "\n";
    if (one->presets.empty()) continue;
    page += "\n| option | default | why |\n|---|---|---|\n";
    for (const Preset& preset : one->presets)
      page += "| `" + std::string(preset.option) + "` | `" + std::string(preset.value) + "` | " +
              std::string(preset.why) + " |\n";
  }
  return page;
}

std::string conflicts_page() {
  std::string page =
      "\n## What does not go together\n\nAn ORB with such a pair of options does not start.\n\n"
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
      "\n## What can change while an ORB runs\n\n`takt::Configuration` changes these; the others it refuses, "
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
      "An ORB takes its options from the command line, where `ORB_init` removes them from `argv`, from the "
      "environment,\nand from a [file](configuration.md), in this order of precedence. Durations have a unit "
      "(`ns`, `us`, `ms`, `s`, `min`, "
      "`h`), sizes may "
      "have one (`KiB`, `MiB`, `GiB`).\nAn option that does not exist, or a value out of its range, is "
      "BAD_PARAM with a "
      "text that says what would have been right.\n\n"
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
