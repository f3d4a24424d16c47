// takt options: the ORB's options, from the table that docs/user/options.md is made of.
#include <algorithm>
#include <iostream>
#include <memory>

#include "command.h"
#include "ior/json.h"
#include "orb/config/option_values.h"
#include "orb/config/read_settings.h"

namespace takt::command {
namespace {

struct Settings {
  std::string name;
  bool as_json = false;
};

Json json_of(const orb::Option& option) {
  return {{"option", "-ORB" + std::string(option.name)},
          {"environment", orb::environment_name(option.name)},
          {"value", orb::range_of(option)},
          {"default", option.fallback.empty() ? Json("none") : Json(std::string(option.fallback))},
          {"meaning", std::string(option.meaning)}};
}

std::string lower(std::string_view text) {
  std::string low(text);
  std::ranges::transform(low, low.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return low;
}

// With or without -ORB, in either case; the environment's name too.
bool is_called(const orb::Option& option, const std::string& name) {
  const std::string wanted = lower(name);
  return wanted == lower(option.name) || wanted == lower("-ORB" + std::string(option.name)) ||
         wanted == lower(orb::environment_name(option.name));
}

bool is_like(const orb::Option& option, const std::string& name) {
  return lower(option.name).find(lower(name)) != std::string::npos;
}

void run(const Settings& settings) {
  std::vector<Json> found;
  const auto take = [&](auto&& wanted) {
    for (const orb::Option& option : orb::options())
      if (wanted(option)) found.push_back(json_of(option));
  };
  take([&](const orb::Option& option) { return settings.name.empty() || is_called(option, settings.name); });
  if (found.empty()) take([&](const orb::Option& option) { return is_like(option, settings.name); });
  if (found.empty()) {
    std::cerr << "takt options: no option is called or has in its name '" << settings.name << "'\n";
    throw CLI::RuntimeError(unusable);
  }
  if (settings.as_json) {
    std::cout << text_of(Json(found));
    return;
  }
  for (const Json& each : found) std::cout << page_of(each) << (&each == &found.back() ? "" : "\n");
}

}  // namespace

void add_options(CLI::App& app) {
  const auto settings = std::make_shared<Settings>();
  CLI::App* options = app.add_subcommand("options", "Shows the ORB's options: meaning, range and default.");
  options->add_option("name", settings->name, "of one, as ConnectTimeout, or a part of some names");
  options->add_flag("--json", settings->as_json, "as JSON");
  options->allow_extras();  // -ORBConnectTimeout looks like a flag
  options->callback([settings, options] {
    if (settings->name.empty() && options->remaining_size() > 0)
      settings->name = options->remaining().front();
    run(*settings);
  });
}

}  // namespace takt::command
