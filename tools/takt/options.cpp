// takt options: shows the ORB's options. docs/user/options.md comes from the same table.
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include "common/command.h"
#include "common/orb.h"
#include "common/output.h"
#include "config/option_names.h"
#include "config/option_values.h"
#include "octets/hex.h"
#include "orb/startup/read_settings.h"

namespace takt::command {
namespace {

struct OptionsSettings {
  std::string name;
  // Show the effective values with these, instead of the list of options.
  std::optional<std::string> config, personality;
  bool as_json = false;
  std::vector<std::string> orb_options;  // the same
};

Json json_of_option(const orb::Option& option) {
  const std::string fallback = orb::default_of(option);
  return {{"option", "-ORB" + std::string(option.name)},
          {"environment", orb::environment_name(option.name)},
          {"value", orb::documented_range_of(option)},
          {"default", fallback.empty() ? "none" : fallback},
          {"meaning", std::string(option.meaning)}};
}

// Quotes text for TOML.
std::string toml_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      octets::append_hex(quoted += "\\u00", {&c, 1});
    else
      quoted += c;
  }
  return quoted + '"';
}

std::string toml_value(const orb::Option& option, const std::vector<std::string>& texts) {
  const bool is_number =
      texts.size() == 1 && texts.front().find_first_not_of("0123456789") == std::string::npos;
  if (std::holds_alternative<orb::Count>(option.kind) && is_number) return texts.front();
  if (!orb::is_list(option)) return toml_text(texts.front());
  std::string list;
  for (const std::string& text : texts) list.append(list.empty() ? "" : ", ") += toml_text(text);
  return "[" + list + "]";
}

std::string lower(std::string_view text) {
  std::string low(text);
  std::ranges::transform(low, low.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return low;
}

// Whether the name is the option's, with or without -ORB and in any case, or its environment variable.
bool is_called(const orb::Option& option, const std::string& name) {
  const std::string wanted = lower(name);
  return wanted == lower(option.name) || wanted == lower("-ORB" + std::string(option.name)) ||
         wanted == lower(orb::environment_name(option.name));
}

bool is_like(const orb::Option& option, const std::string& name) {
  return lower(option.name).find(lower(name)) != std::string::npos;
}

// The option with the name, or all options whose names contain it.
std::vector<const orb::Option*> chosen(const std::string& name) {
  std::vector<const orb::Option*> found;
  const auto take = [&](auto&& wanted) {
    for (const orb::Option& option : orb::options())
      if (wanted(option)) found.push_back(&option);
  };
  take([&](const orb::Option& option) { return name.empty() || is_called(option, name); });
  if (found.empty()) take([&](const orb::Option& option) { return is_like(option, name); });
  if (!found.empty()) return found;
  fail("no option's name is or contains '" + name + "'; " + orb::advice_on_option(name, ""));
}

void show_table(const std::vector<const orb::Option*>& chosen, bool as_json) {
  std::vector<Json> found;
  found.reserve(chosen.size());
  for (const orb::Option* option : chosen) found.push_back(json_of_option(*option));
  if (as_json) {
    std::cout << text_of(Json(found));
    return;
  }
  for (const Json& each : found) std::cout << page_of(each) << (&each == &found.back() ? "" : "\n");
}

// The settings of an ORB started in this environment with the given options.
orb::EffectiveSettings effective(const OptionsSettings& settings) {
  std::vector<std::string> words;
  if (settings.config) words.insert(words.end(), {"-ORBConfig", *settings.config});
  if (settings.personality) words.insert(words.end(), {"-ORBPersonality", *settings.personality});
  words.insert(words.end(), settings.orb_options.begin(), settings.orb_options.end());
  return effective_settings(words);
}

void show_effective(const std::vector<const orb::Option*>& chosen, const OptionsSettings& settings) {
  const orb::EffectiveSettings all = effective(settings);
  std::vector<Json> found;
  for (const orb::Option* option : chosen) {
    const std::string& origin = all.origin_of(*option);
    const auto texts = orb::texts_of(*option, all.settings);
    const bool is_list = orb::is_list(*option);
    if (settings.as_json)
      found.push_back({{"option", std::string(option->name)},
                       {"value", is_list ? Json(texts) : Json(texts.front())},
                       {"from", origin}});
    else
      std::cout << option->name << " = " << toml_value(*option, texts) << "  # " << origin << '\n';
  }
  if (settings.as_json) std::cout << text_of(Json(found));
}

void run(const OptionsSettings& settings) {
  const auto options = chosen(settings.name);
  settings.config || settings.personality || !settings.orb_options.empty()
      ? show_effective(options, settings)
      : show_table(options, settings.as_json);
}

}  // namespace

void add_options(const Command& program) {
  const auto settings = std::make_shared<OptionsSettings>();
  const Command options =
      program.add_command("options", "Shows the ORB's options: meanings, ranges and defaults.");
  options.add("name", settings->name, "an option, such as ConnectTimeout, or a part of names");
  options.add(
      "--config", settings->config,
      "show the values that an ORB would use with this file and this environment, and each value's source");
  options.add("--personality", settings->personality, "the same with this personality, such as avionics");
  options.add_flag("--json", settings->as_json, "print JSON");
  take_orb_options(options, settings->orb_options, "-ORBConnectTimeout 1s",
                   "With them it shows the values that an ORB would use; one without a value is a name.");
  options.on_chosen([settings] {
    if (settings->name.empty() && settings->orb_options.size() == 1)
      std::swap(settings->name, settings->orb_options.front()), settings->orb_options.clear();
    run(*settings);
  });
}

}  // namespace takt::command
