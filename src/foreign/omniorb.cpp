#include "foreign/omniorb.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <takt/config/other_orbs.h>

#include "config/config_file.h"
#include "foreign/collector.h"
#include "foreign/text_lines.h"
#include "os/environment.h"
#include "threads/locks/priority_mutex.h"

namespace takt::orb::others {

namespace {

constexpr std::string_view file_variable = "OMNIORB_CONFIG";
constexpr const char* default_file = "/etc/omniORB.cfg";
constexpr std::string_view variable_start = "ORB";

constexpr Preset presets_of_omniorb[] = {
    {"ListenEndpoints", "iiop://:0", "a server of omniORB is reachable from other machines"},
    {"ClientConnections", "cached", "omniORB uses one connection for each call under way"},
    {"RoundTripTimeout", "0", "a call of omniORB waits until its reply comes"},
    {"MaxMessageSize", "2MiB", "the limit of omniORB"},
    {"MaxRequestSize", "2MiB", "the limit of omniORB"},
    {"MaxReplySize", "2MiB", "the limit of omniORB"},
    {"IdleTimeout", "3min", "the time of omniORB"},
    {"HoldTimeout", "1h", "omniORB has no limit"},
    {"ServerThreads", "100", "the size of omniORB's pool, if there is one"},
};

std::atomic<SettingsOfProgram> settings_of_program{nullptr};

// They stay: a process that can read this memory can read the keys as well.
class KeptPasswords {
 public:
  std::string keep(const std::string& password) {
    const std::lock_guard lock(mutex_);
    const auto same = [&](const auto& kept) { return *kept.second == password; };
    if (const auto found = std::ranges::find_if(kept_, same); found != kept_.end()) return found->first;
    std::string name = "sslContext::key_file_password";
    if (!kept_.empty()) name += " " + std::to_string(kept_.size() + 1);
    kept_.emplace(name, std::make_shared<const std::string>(password));
    return name;
  }
  std::shared_ptr<const std::string> find(std::string_view name) const {
    const std::lock_guard lock(mutex_);
    const auto found = kept_.find(name);
    return found == kept_.end() ? nullptr : found->second;
  }
  static KeptPasswords& of_process() {
    static KeptPasswords* const all = new KeptPasswords;
    return *all;
  }

 private:
  mutable os::PriorityMutex mutex_;
  std::map<std::string, std::shared_ptr<const std::string>, std::less<>> kept_;
};

// Sets the second option where the program sets the first and not the second.
void add_consequence(std::vector<TranslatedValue>& values, std::string_view cause, std::string_view option,
                     std::string_view text) {
  const auto sets = [](std::string_view name) {
    return [name](const TranslatedValue& value) { return value.option == name; };
  };
  const auto found = std::ranges::find_if(values, sets(cause));
  if (found != values.end() && std::ranges::none_of(values, sets(option)))
    values.push_back({std::string(option), std::string(text), found->origin});
}

void add_consequences(std::vector<TranslatedValue>& values) {
  // A server of omniORB that has a certificate asks its clients for theirs.
  add_consequence(values, "TLSCertificate", "TLSClientCertificates", "required");
  // omniORB does not compare a certificate with the host. Under the authorities of the system, the
  // certificate of any web site would then pass as the server's, so that the program must name its
  // authorities.
  add_consequence(values, "TLSAuthorities", "TLSHostCheck", "off");
  // omniORB's clientTransportRule is "* unix,ssl,tcp" by default: a program that has set up TLS takes it
  // wherever a server offers it.
  const auto has_rule = [](const TranslatedValue& value) { return value.option == "TLSUse"; };
  for (const std::string_view cause : {"TLSAuthorities", "TLSCertificate"})
    if (std::ranges::none_of(values, has_rule)) add_consequence(values, cause, "TLSUse", "offered");
}

// omniORB 3 wrote `ORBname value` and `NAMESERVICE url`.
bool read_old_form(std::string_view line, Collector& into) {
  constexpr std::string_view old_start = "ORB";
  std::string_view rest = line;
  const std::string_view word = first_word(rest);
  if (word == "NAMESERVICE") {
    into.take(find_omniorb_setting("InitRef"), "InitRef", "NameService=" + std::string(rest));
    return true;
  }
  if (!word.starts_with(old_start) || rest.empty() || rest.starts_with('=')) return false;
  const std::string_view name = word.substr(old_start.size());
  into.take(find_omniorb_setting(name), name, rest);
  return true;
}

void read_file(const std::string& path, Collector& into) {
  std::error_code error;
  // As in omniORB, no file is no error.
  if (!std::filesystem::exists(path, error)) return;
  into.begin(path);
  if (const auto text = read_config_text(path))
    read_omniorb_file(*text, path, into);
  else
    into.fail(text.error().substr(std::min(text.error().size(), path.size() + 2)));
}

class Omniorb final : public Translator {
 public:
  std::string_view name() const override { return "omniORB"; }
  std::span<const Preset> presets() const override { return presets_of_omniorb; }
  std::optional<bool> takes_value(std::string_view name) const override {
    const Setting* const setting = find_omniorb_setting(name);
    return setting ? std::optional(setting->takes_value) : std::nullopt;
  }
  Variables variables() const override {
    Variables found = os::environment_with(variable_start);
    found.merge(os::environment_with(file_variable));
    return found;
  }

  [[noreturn]] void throw_wrong_settings(const std::string& text) const override {
    constexpr std::uint32_t invalid_orb_init_args = 0x4154001e;
    throw CORBA::INITIALIZE(invalid_orb_init_args, CORBA::COMPLETED_NO, text);
  }

  std::vector<SettingOfProgram> settings_of_program() const override {
    const SettingsOfProgram ask = others::settings_of_program;
    return ask ? ask() : std::vector<SettingOfProgram>();
  }

  std::shared_ptr<const std::string> kept_password(std::string_view name) const override {
    return others::KeptPasswords::of_process().find(name);
  }

  using Translator::translate;
  // omniORB reads its file, then variables, then arguments.
  Translation translate(std::span<const ForeignArgument> arguments,
                        std::span<const SettingOfProgram> of_program,
                        const Variables& variables) const override {
    Collector collector;
    for (const SettingOfProgram& setting : of_program) {
      collector.begin(setting.origin);
      collector.set(setting.option, setting.value);
    }
    read_file(file_of(arguments, variables), collector);
    for (const auto& [name, value] : variables) {
      if (!name.starts_with(variable_start)) continue;
      collector.begin(name);
      const std::string_view setting = std::string_view(name).substr(variable_start.size());
      if (const Setting* const found = find_omniorb_setting(setting); found && found->fate != Fate::read)
        collector.take(found, setting, value);
    }
    for (const ForeignArgument& argument : arguments) {
      if (argument.name == "configFile" && argument.value) continue;
      collector.begin("-ORB" + argument.name);
      if (argument.value)
        collector.take(find_omniorb_setting(argument.name), argument.name, *argument.value);
      else
        collector.fail("it lacks its value");
    }
    Translation translation = collector.finish();
    add_consequences(translation.values);
    return translation;
  }

 private:
  static std::string file_of(std::span<const ForeignArgument> arguments, const Variables& variables) {
    for (std::size_t i = arguments.size(); i-- > 0;)
      if (arguments[i].name == "configFile" && arguments[i].value) return *arguments[i].value;
    const auto variable = variables.find(std::string(file_variable));
    return variable == variables.end() ? default_file : variable->second;
  }
};

}  // namespace

void read_omniorb_file(std::string_view text, const std::string& origin, Collector& into) {
  std::string_view last;
  for (const Line& line : lines_in(text)) {
    into.begin(origin + ":" + std::to_string(line.number));
    const auto equals = line.text.find('=');
    const std::string_view name = trimmed(line.text.substr(0, equals));
    const bool is_name = equals != line.text.npos && name.find_first_of(" \t") == name.npos;
    if (!is_name && read_old_form(line.text, into)) continue;
    const std::string_view value = is_name ? trimmed(line.text.substr(equals + 1)) : std::string_view();
    if (!is_name || value.empty() || (name.empty() && last.empty())) {
      into.fail("a line is a name, = and a value, as in giopMaxMsgSize = 2097152");
      continue;
    }
    if (!name.empty()) last = name;
    into.take(find_omniorb_setting(last), last, value);
  }
}

const Translator& omniorb() {
  static const Omniorb the;
  return the;
}

}  // namespace takt::orb::others

std::string takt::keep_password(const std::string& password) {
  return orb::others::KeptPasswords::of_process().keep(password);
}

void takt::take_settings_of_program(SettingsOfProgram settings) {
  orb::others::settings_of_program = settings;
}
void takt::take_settings_of_omniorb() { takt::orb::set_other_orb(&orb::others::omniorb()); }
