#include "orb/startup/read_settings.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include <takt/cdr/exception.h>

#include "base/ascii.h"
#include "config/config_file.h"
#include "config/option_names.h"
#include "config/option_values.h"
#include "config/personality/personality.h"
#include "foreign/other_orb.h"
#include "orb/parts/parts.h"
#include "orb/plugins/personalities.h"
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
        clear_list(*given.option, effective_.settings);
      }
      effective_.origin_of(*given.option) = given.origin;
      for (const std::string& text : given.texts) set(given, text);
      if (!plugin_value_of(*given.option, effective_.settings).empty()) named_by_[given.option] = given.said;
    }
  }
  // Call after all layers. Each value is valid by itself; this checks for conflicts.
  void check() {
    if (effective_.settings.runtime.plugins.empty()) require_own_values();
    if (!problems_.empty()) return;
    for (const Option& option : options())
      for (const Conflict& conflict : option.conflicts)
        if (conflict.is_there(effective_.settings))
          problem(said_of(option.name) +
                  (option.name == conflict.other ? "" : " conflicts with " + said_of(conflict.other)) + ": " +
                  std::string(conflict.why) + "; " + std::string(conflict.instead));
  }
  EffectiveSettings result() {
    if (!problems_.empty()) {
      if (const OtherOrb* const other = other_orb()) other->throw_wrong_settings(problems_);
      throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, problems_);
    }
    effective_.settings.apply_log_level();
    return std::move(effective_);
  }

 private:
  void set(const Given& given, const std::string& text) {
    const auto done = given.are_items ? add_item(*given.option, text, effective_.settings)
                                      : set_option(*given.option, text, effective_.settings);
    if (!done) problem(not_valid(given.said, text, done.error()));
  }

  // For an ORB without plug-ins, which could add values.
  void require_own_values() {
    for (const auto& [option, said] : named_by_)
      if (const std::string value = plugin_value_of(*option, effective_.settings); !value.empty())
        problem(not_valid(said, value,
                          "it takes " + range_of(*option) + ", and no plug-in is loaded (-ORBPlugin)"));
  }

  // "GIOPVersion = 1.1 (takt.toml:3:1)"
  std::string said_of(std::string_view name) const {
    const Option& option = *find_option(name);
    std::string said(name);
    for (const std::string& text : texts_of(option, effective_.settings))
      said += (said.size() == name.size() ? " = " : ", ") + text;
    return said + " (" + effective_.origin_of(option) + ")";
  }

  EffectiveSettings effective_;
  std::map<const Option*, std::string> named_by_;  // options with a plug-in's value; as in Given::said
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

// Whether an option of the other ORB, if there is one, takes a value. nullopt: it is none of its options.
std::optional<bool> theirs(std::string_view name) {
  const OtherOrb* const other = other_orb();
  return other ? other->takes_value(name) : std::nullopt;
}

bool names_option(std::string_view argument) {
  if (!argument.starts_with(prefix)) return false;
  const std::string_view name = argument.substr(prefix.size());
  return find_option(name) || theirs(name);
}

// The option that is meant by a word like -orbLogLevel or --ORBLogLevel, which would be left to the program.
// Null for all other words.
const Option* option_meant_by(std::string_view argument) {
  const auto start = argument.find_first_not_of('-');
  if (start == 0 || start > 2) return nullptr;
  const std::string_view word = argument.substr(start);
  const auto found = std::ranges::find_if(options(), [&](const Option& option) {
    return equal_ignoring_case(word, std::string("orb").append(option.name));
  });
  return found == options().end() ? nullptr : &*found;
}

// The arguments: `kept` are the program's, `taken` the ORB's, of which `foreign` have another ORB's names.
struct SplitArguments {
  std::vector<char*> kept;
  std::vector<std::string> taken;
  std::vector<ForeignArgument> foreign;
};

Layer in_arguments(int argc, char* argv[], SplitArguments& split, Reading& reading) {
  Layer layer;
  for (int i = 0; i < argc; ++i) {
    const std::string argument = argv[i];
    if (i == 0 || !argument.starts_with(prefix)) {
      if (const Option* const meant = i == 0 ? nullptr : option_meant_by(argument))
        reading.problem("unknown option " + argument + ": did you mean " +
                        std::string(prefix).append(meant->name) + "?");
      split.kept.push_back(argv[i]);
      continue;
    }
    const std::string_view name = std::string_view(argument).substr(prefix.size());
    const std::optional<bool> foreign = theirs(name);
    const bool has_value = foreign.value_or(true) && i + 1 < argc && !names_option(argv[i + 1]);
    split.taken.insert(split.taken.end(), argv + i, argv + i + 1 + has_value);
    const Option* option = find_option(name);
    if (foreign)
      split.foreign.push_back(
          {std::string(name), has_value ? std::optional<std::string>(argv[i + 1]) : std::nullopt});
    else if (!option)
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

Layer of_presets(std::span<const Preset> presets, const std::string& origin) {
  Layer layer;
  for (const Preset& preset : presets)
    give(layer, *find_option(preset.option), {std::string(preset.value)}, origin, origin);
  return layer;
}

// The settings of another ORB.
class ForeignLayer final : public SettingSink {
 public:
  explicit ForeignLayer(Reading& reading) : reading_(reading) {}
  void give(std::string_view option, const std::string& text, const std::string& origin) override {
    orb::give(layer, *find_option(option), {text}, origin, origin, true);
  }
  void problem(const std::string& text) override { reading_.problem(text); }

  Layer layer;

 private:
  Reading& reading_;
};

// In descending precedence.
using Layers = std::array<const Layer*, 3>;

// The occurrence that counts, which is the last of the first layer that has any; null: there is none.
const Given* given_in(const Layers& layers, std::string_view option) {
  for (const Layer* const layer : layers)
    for (auto given = layer->rbegin(); given != layer->rend(); ++given)
      if (given->option->name == option && !given->texts.empty()) return &*given;
  return nullptr;
}

// The plug-ins, which are loaded before all layers are merged.
std::vector<std::string> plugins_in(const Layers& layers) {
  const Option& option = *find_option("Plugin");
  Settings settings;
  for (const Layer* const layer : layers) {
    if (std::ranges::find(*layer, &option, &Given::option) == layer->end()) continue;
    for (const Given& given : *layer)
      if (given.option == &option)
        for (const std::string& text : given.texts)
          (void)(given.are_items ? add_item(option, text, settings) : set_option(option, text, settings));
    break;
  }
  return settings.runtime.plugins;
}

// Adds the presets of the personality that is named. A name that cannot be one is refused with the other
// values, and so is a plug-in's name where no plug-in is loaded.
void add_personality(const Layers& layers, Reading& reading) {
  const Given* const given = given_in(layers, "Personality");
  if (!given) return;
  const std::string& name = given->texts.back();
  Personalities personalities;
  if (!personalities.find(name)) {
    const auto plugins = plugins_in(layers);
    if (plugins.empty() || !is_strategy_name(name)) return;
    load_personalities(plugins, personalities);
  }
  if (const Personality* const found = personalities.find(name))
    return reading.add(of_presets(found->presets, "personality " + name));
  std::string names;
  for (const Personality& one : personalities.all())
    names.append(names.empty() ? "" : &one == &personalities.all().back() ? " or " : ", ") += one.name;
  reading.problem(not_valid(given->said, name, "it takes " + names));
}

}  // namespace

std::string& EffectiveSettings::origin_of(const Option& option) {
  return origins[static_cast<std::size_t>(&option - options().data())];
}

const std::string& EffectiveSettings::origin_of(const Option& option) const {
  return origins[static_cast<std::size_t>(&option - options().data())];
}

Environment process_environment() { return os::environment_with(variable_prefix); }

namespace {

[[gnu::cold]] EffectiveSettings read_sources(int& argc, char* argv[], const Environment& environment,
                                             const std::vector<SettingOfProgram>& of_program) {
  Reading reading;
  SplitArguments split;
  const Layer arguments = in_arguments(argc, argv, split, reading);
  const Layer variables = in_environment(environment, reading);
  Layer file;
  const Layers layers = {&arguments, &variables, &file};
  if (const Given* const path = given_in(layers, "Config"); path && !path->texts.back().empty())
    file = in_file(path->texts.back(), reading);

  ForeignLayer foreign(reading);
  std::shared_ptr<const Remarks> remarks;
  if (const OtherOrb* const other = other_orb()) {
    reading.add(of_presets(other->presets(), "default of " + std::string(other->name())));
    remarks = other->translate(split.foreign, of_program, foreign);
  }
  add_personality(layers, reading);
  reading.add(foreign.layer);
  reading.add(file);
  reading.add(variables);
  reading.add(arguments);
  reading.check();
  EffectiveSettings effective = reading.result();
  effective.remarks = std::move(remarks);
  effective.sources = {
      .arguments = std::move(split.taken), .environment = environment, .of_program = of_program};
  std::ranges::copy(split.kept, argv);
  for (int i = static_cast<int>(split.kept.size()); i < argc; ++i) argv[i] = nullptr;
  argc = static_cast<int>(split.kept.size());
  return effective;
}

}  // namespace

EffectiveSettings read_effective(int& argc, char* argv[], const Environment& environment) {
  const OtherOrb* const other = other_orb();
  return read_sources(argc, argv, environment,
                      other ? other->settings_of_program() : std::vector<SettingOfProgram>());
}

EffectiveSettings read_again(const SettingSources& sources) {
  std::vector<std::string> texts = sources.arguments;
  std::string program;
  std::vector<char*> argv{program.data()};
  for (std::string& text : texts) argv.push_back(text.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  return read_sources(argc, argv.data(), sources.environment, sources.of_program);
}

}  // namespace takt::orb
