#include "orb/startup/read_settings.h"

#include <algorithm>
#include <optional>

#include <takt/cdr/exception.h>

#include "orb/config/config_file.h"
#include "orb/config/option_names.h"
#include "orb/config/option_values.h"
#include "orb/parts/parts.h"
#include "orb/personality/personality.h"
#include "os/environment.h"

namespace takt::orb {

namespace {

constexpr std::string_view prefix = "-ORB";

struct Given {
  const Option* option;
  std::vector<std::string> texts;
  bool are_items;      // the texts are items of a list, not to be split
  std::string origin;  // as in EffectiveSettings
  std::string said;    // the beginning of an error text
};
using Layer = std::vector<Given>;

void give(Layer& layer, const Option& option, std::vector<std::string> texts, std::string_view origin,
          std::string_view said, bool are_items = false) {
  layer.push_back({&option, std::move(texts), are_items, std::string(origin), std::string(said)});
}

// Applies layers of settings, each over the previous ones.
class Reading {
 public:
  Reading() { effective_.origins.resize(options().size(), "default"); }

  void problem(const std::string& text) { problems_.append(problems_.empty() ? "" : "\n") += text; }
  // A list replaces the lists of earlier layers; within a layer, its items accumulate.
  void add(const Layer& layer) {
    std::vector<const Option*> seen;
    for (const Given& given : layer) {
      if (std::ranges::find(seen, given.option) == seen.end()) {
        seen.push_back(given.option);
        if (auto* const list = list_of(*given.option, effective_.settings)) list->clear();
      }
      effective_.origins[static_cast<std::size_t>(given.option - options().data())] = given.origin;
      for (const std::string& text : given.texts) set(given, text);
    }
  }
  // Call after all layers. Each value is valid by itself; this checks for conflicts.
  void check() {
    if (!problems_.empty()) return;
    for (const Option& option : options())
      for (const Conflict& conflict : option.conflicts)
        if (conflict.is_there(effective_.settings))
          problem(said_of(option.name) +
                  (option.name == conflict.other ? "" : " conflicts with " + said_of(conflict.other)) + ": " +
                  std::string(conflict.why) + "; " + std::string(conflict.instead));
  }
  EffectiveSettings result() {
    if (!problems_.empty()) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, problems_);
    effective_.settings.apply_log_level();
    return std::move(effective_);
  }

 private:
  void set(const Given& given, const std::string& text) {
    const auto done = given.are_items ? add_item(*given.option, text, effective_.settings)
                                      : set_option(*given.option, text, effective_.settings);
    if (!done) problem(not_valid(given.said, text, done.error()));
  }

  // "GIOPVersion = 1.1 (takt.toml:3:1)"
  std::string said_of(std::string_view name) const {
    const Option& option = *find_option(name);
    std::string said(name);
    for (const std::string& text : texts_of(option, effective_.settings))
      said += (said.size() == name.size() ? " = " : ", ") + text;
    return said + " (" + effective_.origins[static_cast<std::size_t>(&option - options().data())] + ")";
  }

  EffectiveSettings effective_;
  std::string problems_;
};

// Unknown variables may belong to other programs, but near misses of an option's name are errors.
Layer in_environment(const Environment& environment, Reading& reading) {
  Layer layer;
  for (const auto& [name, value] : environment) {
    const std::string said = "environment variable " + name;
    if (const Option* option = find_variable(name))
      give(layer, *option, {value}, name, said);
    else if (const auto meant = near_variable(name))
      reading.problem(said + ": there is no such option, did you mean " + *meant + "?");
  }
  return layer;
}

bool names_option(std::string_view argument) {
  return argument.starts_with(prefix) && find_option(argument.substr(prefix.size()));
}

// Splits the arguments: `kept` are the program's, `taken` the ORB's.
Layer in_arguments(int argc, char* argv[], std::vector<char*>& kept, std::vector<std::string>& taken,
                   Reading& reading) {
  Layer layer;
  for (int i = 0; i < argc; ++i) {
    const std::string argument = argv[i];
    if (i == 0 || !argument.starts_with(prefix)) {
      kept.push_back(argv[i]);
      continue;
    }
    const bool has_value = i + 1 < argc && !names_option(argv[i + 1]);
    taken.insert(taken.end(), argv + i, argv + i + 1 + has_value);
    const std::string_view name = std::string_view(argument).substr(prefix.size());
    const Option* option = find_option(name);
    if (!option)
      reading.problem("unknown option " + argument + ": " + advice_on_option(name, prefix));
    else if (!has_value)
      reading.problem("option " + argument + " lacks its value: " + range_of(*option));
    else
      give(layer, *option, {argv[i + 1]}, argument, "option " + argument);
    i += has_value;
  }
  return layer;
}

Layer in_file(const std::string& path, Reading& reading) {
  Layer layer;
  const auto read = chosen_parts().read_config_file;
  if (!read) {
    reading.problem(path +
                    ": this program reads no configuration files; its takt::choose_parts() leaves out "
                    "takt::add_configuration_files()");
    return layer;
  }
  const auto values = read(path);
  if (!values) {
    reading.problem(values.error());
    return layer;
  }
  for (const FileValue& value : *values)
    give(layer, *value.option, value.items, value.where, value.where, value.is_list);
  return layer;
}

Layer of_personality(const Personality& personality) {
  Layer layer;
  const std::string origin = "personality " + std::string(personality.name);
  for (const Preset& preset : personality.presets)
    give(layer, *find_option(preset.option), {std::string(preset.value)}, origin, origin);
  return layer;
}

// The last occurrence counts.
std::optional<std::string> text_in(const Layer& layer, std::string_view option) {
  for (auto given = layer.rbegin(); given != layer.rend(); ++given)
    if (given->option->name == option) return given->texts.back();
  return std::nullopt;
}

}  // namespace

Environment process_environment() { return os::environment_with(variable_prefix); }

EffectiveSettings read_effective(int& argc, char* argv[], const Environment& environment) {
  Reading reading;
  std::vector<char*> kept;
  SettingSources sources{.arguments = {}, .environment = environment};
  const Layer arguments = in_arguments(argc, argv, kept, sources.arguments, reading);
  const Layer variables = in_environment(environment, reading);
  const auto said = [&](std::string_view option, const Layer& file) {
    for (const Layer* layer : {&arguments, &variables, &file})
      if (auto text = text_in(*layer, option)) return *text;
    return std::string();
  };
  const std::string path = said("Config", {});
  const Layer file = path.empty() ? Layer() : in_file(path, reading);

  // An unknown name is refused where the option is read.
  if (const auto* personality = find_personality(said("Personality", file)))
    reading.add(of_personality(*personality));
  reading.add(file);
  reading.add(variables);
  reading.add(arguments);
  reading.check();
  EffectiveSettings effective = reading.result();
  effective.sources = std::move(sources);
  std::ranges::copy(kept, argv);
  for (int i = static_cast<int>(kept.size()); i < argc; ++i) argv[i] = nullptr;
  argc = static_cast<int>(kept.size());
  return effective;
}

EffectiveSettings read_again(const SettingSources& sources) {
  std::vector<std::string> texts = sources.arguments;
  std::string program;
  std::vector<char*> argv{program.data()};
  for (std::string& text : texts) argv.push_back(text.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  return read_effective(argc, argv.data(), sources.environment);
}

}  // namespace takt::orb
