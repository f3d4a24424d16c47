#include "orb/config/read_settings.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

#include <takt/cdr/exception.h>

#include "orb/config/option_values.h"
#include "orb/config/options_table.h"

namespace takt::orb {

namespace {

constexpr std::string_view prefix = "-ORB";

[[noreturn]] void refuse(const std::string& text) { throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, text); }

const Option* find_option(std::string_view name) {
  const auto found = std::ranges::find(options(), name, &Option::name);
  return found == options().end() ? nullptr : &*found;
}

// Levenshtein's distance, letters of either case alike.
std::size_t distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(a[i]) != lower(b[j]));
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, replaced});
    }
  }
  return row.back();
}

std::string_view nearest_option(std::string_view name) {
  return std::ranges::min(options(), {}, [&](const Option& option) { return distance(option.name, name); })
      .name;
}

void set(const Option& option, std::string_view text, const std::string& said, Settings& settings) {
  if (const auto result = set_option(option, text, settings); !result)
    refuse(said + ": '" + std::string(text) + "' will not do, " + result.error());
}

// A list that is given replaces the one before it, and is added to from then on.
void forget_list(const Option& option, Settings& settings, std::vector<const Option*>& given) {
  if (std::ranges::find(given, &option) != given.end()) return;
  given.push_back(&option);
  if (const auto* list = std::get_if<Texts>(&option.kind)) (settings.*list->to).clear();
}

void read_environment(const Environment& environment, Settings& settings) {
  std::vector<const Option*> given;
  for (const Option& option : options()) {
    const std::string name = environment_name(option.name);
    const char* value = environment(name);
    if (!value) continue;
    forget_list(option, settings, given);
    set(option, value, "environment variable " + name, settings);
  }
}

}  // namespace

Settings read_settings(int& argc, char* argv[], const Environment& environment) {
  Settings settings;
  for (const Option& option : options())
    if (!option.fallback.empty()) set(option, option.fallback, "default", settings);
  read_environment(environment, settings);

  std::vector<const Option*> given;
  std::vector<char*> kept;
  for (int i = 0; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (i == 0 || !argument.starts_with(prefix)) {
      kept.push_back(argv[i]);
      continue;
    }
    const Option* option = find_option(argument.substr(prefix.size()));
    if (!option)
      refuse("unknown option " + std::string(argument) + ": did you mean -ORB" +
             std::string(nearest_option(argument.substr(prefix.size()))) + "?");
    if (++i == argc) refuse("option " + std::string(argument) + " lacks its value: " + range_of(*option));
    forget_list(*option, settings, given);
    set(*option, argv[i], "option " + std::string(argument), settings);
  }
  std::ranges::copy(kept, argv);
  for (int i = static_cast<int>(kept.size()); i < argc; ++i) argv[i] = nullptr;
  argc = static_cast<int>(kept.size());
  return settings;
}

std::string environment_name(std::string_view option) {
  std::string name = "TAKT_";
  for (std::size_t i = 0; i < option.size(); ++i) {
    const auto is_upper = [&](std::size_t at) {
      return std::isupper(static_cast<unsigned char>(option[at])) != 0;
    };
    const bool new_word =
        i > 0 && is_upper(i) && (!is_upper(i - 1) || (i + 1 < option.size() && !is_upper(i + 1)));
    if (new_word) name += '_';
    name += static_cast<char>(std::toupper(static_cast<unsigned char>(option[i])));
  }
  return name;
}

std::string options_as_markdown() {
  std::string page =
      "# Options\n\n"
      "An ORB takes its options from the command line, where `ORB_init` removes them from `argv`, and from "
      "the "
      "environment;\nthe command line has precedence. Durations have a unit (`ns`, `us`, `ms`, `s`, `min`, "
      "`h`), sizes may "
      "have one (`KiB`, `MiB`, `GiB`).\nAn option that does not exist, or a value out of its range, is "
      "BAD_PARAM with a "
      "text that says what would have been right.\n\n"
      "| option | environment | value | default | meaning |\n|---|---|---|---|---|\n";
  for (const Option& option : options()) {
    std::string fallback(option.fallback);
    if (!fallback.empty()) fallback.insert(0, 1, '`').push_back('`');
    page += "| `-ORB" + std::string(option.name) + "` | `" + environment_name(option.name) + "` | " +
            range_of(option) + " | " + fallback + " | " + std::string(option.meaning) + " |\n";
  }
  return page;
}

}  // namespace takt::orb
