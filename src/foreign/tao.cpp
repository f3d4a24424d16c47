#include "foreign/tao.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include <takt/config/other_orbs.h>

#include "config/config_file.h"
#include "config/option_values.h"
#include "foreign/collector.h"
#include "foreign/svc_conf.h"
#include "os/environment.h"

namespace takt::orb::others {

namespace {

constexpr const char* default_file = "svc.conf";
constexpr std::string_view orb_prefix = "-ORB", kept_prefixes[] = {"-SSL", "-RTORB"};

constexpr Preset presets_of_tao[] = {
    {"ListenEndpoints", "iiop://:0", "a server of TAO is reachable from other machines"},
    {"ClientConnections", "cached", "connections are shared by threads, and each call under way has one"},
    {"RoundTripTimeout", "0", "a call of TAO waits until its reply comes"},
    {"MaxMessageSize", "256MiB", "TAO has no limit"},
    {"IdleTimeout", "0", "TAO closes connections when it has too many, and not after a time"},
};

bool is_factory(std::string_view service) {
  constexpr std::string_view factories[] = {"Resource_Factory",        "Advanced_Resource_Factory",
                                            "Server_Strategy_Factory", "Client_Strategy_Factory",
                                            "RT_ORB_Loader",           "SSLIOP_Factory"};
  return std::ranges::find(factories, service) != std::end(factories);
}

// The name in the table; empty if the word cannot be an option.
std::string_view name_of(std::string_view word) {
  const std::string_view start = word.substr(0, orb_prefix.size());
  if (start == orb_prefix || start == "-orb") return word.substr(orb_prefix.size());
  const bool keeps =
      std::ranges::any_of(kept_prefixes, [&](auto prefix) { return word.starts_with(prefix); });
  return keeps ? word.substr(1) : std::string_view();
}

void take_words(const std::vector<std::string>& words, Collector& into) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view name = name_of(words[i]);
    const Setting* const setting = name.empty() ? nullptr : find_tao_setting(name);
    const bool has_value =
        setting ? setting->takes_value : i + 1 < words.size() && !words[i + 1].starts_with('-');
    if (!setting)
      into.take(nullptr, words[i], {});
    else if (has_value && i + 1 == words.size())
      into.fail(words[i] + " lacks its value");
    else
      into.take(setting, words[i], has_value ? std::string_view(words[i + 1]) : std::string_view());
    i += has_value;
  }
}

class Tao final : public Translator {
 public:
  std::string_view name() const override { return "TAO"; }
  std::span<const Preset> presets() const override { return presets_of_tao; }
  std::optional<bool> takes_value(std::string_view name) const override {
    const bool of_a_service = name.starts_with("SSL") || name.starts_with("RTORB");
    const Setting* const setting = of_a_service ? nullptr : find_tao_setting(name);
    return setting ? std::optional(setting->takes_value) : std::nullopt;
  }
  Variables variables() const override {
    Variables found;
    for (const std::string_view name : {"NameServiceIOR", "TradingServiceIOR", "ImplRepoServiceIOR"})
      for (const auto& [variable, value] : os::environment_with(name))
        if (variable == name) found.emplace(variable, value);
    return found;
  }

  using Translator::translate;
  // An initial reference in a variable is the last that TAO looks for. Directives of the command line come
  // after those of the file. The options of both are different ones.
  Translation translate(std::span<const ForeignArgument> arguments, std::span<const SettingOfProgram>,
                        const Variables& variables) const override {
    Collector collector;
    for (const auto& [name, value] : variables) {
      collector.begin(name);
      if (const Setting* const found = find_tao_setting(name)) collector.take(found, name, value);
    }
    read_files(arguments, collector);
    for (const ForeignArgument& argument : arguments) take(argument, collector);
    Translation translation = collector.finish();
    add_mapping(translation.values);
    return translation;
  }

 private:
  static bool is(const ForeignArgument& argument, std::string_view name) {
    return find_tao_setting(argument.name) == find_tao_setting(name);
  }

  static void read_files(std::span<const ForeignArgument> arguments, Collector& into) {
    const auto names = [](std::string_view name) {
      return [name](const ForeignArgument& argument) {
        return is(argument, name) && (argument.value || name != "SvcConf");
      };
    };
    std::error_code error;
    if (std::ranges::any_of(arguments, names("SvcConf"))) {
      for (const ForeignArgument& argument : arguments)
        if (is(argument, "SvcConf") && argument.value) read_file(*argument.value, into);
    } else if (std::ranges::none_of(arguments, names("IgnoreDefaultSvcConfFile")) &&
               !os::has_privileges_of_file() && std::filesystem::exists(default_file, error)) {
      read_file(default_file, into);
    }
  }
  static void read_file(const std::string& path, Collector& into) {
    into.begin(path);
    if (const auto text = read_config_text(path))
      read_svc_conf(*text, path, into);
    else
      into.fail(std::string_view(text.error()).substr(path.size() + 2));
  }

  // TAO takes priorities for the system's own unless the settings say otherwise.
  static void add_mapping(std::vector<TranslatedValue>& values) {
    const auto last = [&](std::string_view option) {  // later values replace earlier ones
      return std::find_if(values.rbegin(), values.rend(),
                          [&](const TranslatedValue& each) { return each.option == option; });
    };
    const auto found = last("SchedulingClass");
    if (found == values.rend() || found->text == "other" || last("PriorityMapping") != values.rend()) return;
    values.push_back({"PriorityMapping", "direct", found->origin});
  }

  static void take(const ForeignArgument& argument, Collector& into) {
    into.begin("-ORB" + argument.name);
    const Setting* const setting = find_tao_setting(argument.name);
    if (setting && setting->takes_value && !argument.value) return into.fail("it lacks its value");
    if (is(argument, "SvcConfDirective")) return read_svc_conf(*argument.value, into.origin(), into);
    if (setting && setting->fate == Fate::read) return;
    into.take(setting, argument.name, argument.value.value_or(""));
  }
};

}  // namespace

void read_svc_conf(std::string_view text, const std::string& origin, Collector& into) {
  const auto at = [&](std::size_t line) {
    return origin.starts_with('-') ? origin : origin + ":" + std::to_string(line);
  };
  const auto directives = directives_in(text);
  if (!directives) {
    into.begin(at(directives.error().line));
    return into.fail(directives.error().text);
  }
  for (const Directive& directive : *directives) {
    into.begin(at(directive.line));
    const bool sets = directive.what == "static" || directive.what == "dynamic";
    if (sets && is_factory(directive.service)) {
      into.begin(at(directive.parameters_line));
      take_words(words_in(directive.parameters), into);
    } else {
      into.note(std::string(directive.what) + " " + in_quotes(directive.service) +
                " has no effect: Takt loads no code of svc.conf");
    }
  }
}

const Translator& tao() {
  static const Tao the;
  return the;
}

}  // namespace takt::orb::others

void takt::take_settings_of_tao() { takt::orb::set_other_orb(&orb::others::tao()); }
