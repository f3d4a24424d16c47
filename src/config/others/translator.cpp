#include "config/others/translator.h"

#include <algorithm>

namespace takt::orb {

namespace {

constexpr std::string_view prefix = "-ORB";

// Of the thread's last translation.
thread_local std::vector<std::string> notes, warnings;

}  // namespace

void Translator::translate(const std::vector<std::string>& words, SettingSink& into) const {
  const auto is_option = [&](const std::string& word) {
    return word.starts_with(prefix) && takes_value(std::string_view(word).substr(prefix.size()));
  };
  std::vector<ForeignArgument> arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    ForeignArgument& argument = arguments.emplace_back(words[i].substr(prefix.size()), std::nullopt);
    const bool has_value =
        takes_value(argument.name).value_or(false) && i + 1 < words.size() && !is_option(words[i + 1]);
    if (has_value) argument.value = words[++i];
  }
  Translation translation = translate(arguments, variables());
  for (const std::string& text : translation.problems) into.problem(text);
  for (const TranslatedValue& value : translation.values) into.give(value.option, value.text, value.origin);
  notes = std::move(translation.notes);
  warnings = std::move(translation.warnings);
}

// Settings that are known to have no effect are told only if the log takes more than warnings.
void Translator::tell(EventLog& log) const {
  const auto say = [&](const std::string& text) { log.write({.event = LogEvent::warning, .reason = text}); };
  std::ranges::for_each(warnings, say);
  if (log.level() >= LogLevel::info) std::ranges::for_each(notes, say);
  notes.clear();
  warnings.clear();
}

}  // namespace takt::orb
