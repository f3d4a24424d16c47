#include "config/others/translator.h"

#include <algorithm>
#include <utility>

namespace takt::orb {

namespace {

constexpr std::string_view prefix = "-ORB";

class Texts final : public Remarks {
 public:
  Texts(std::vector<std::string> notes, std::vector<std::string> warnings)
      : notes_(std::move(notes)), warnings_(std::move(warnings)) {}
  // Settings that are known to have no effect are told only if the log takes more than warnings.
  void tell(EventLog& log) const override {
    const auto say = [&](const std::string& text) {
      log.write({.event = LogEvent::warning, .reason = text});
    };
    std::ranges::for_each(warnings_, say);
    if (log.level() >= LogLevel::info) std::ranges::for_each(notes_, say);
  }

 private:
  const std::vector<std::string> notes_, warnings_;
};

}  // namespace

std::shared_ptr<const Remarks> Translator::translate(const std::vector<std::string>& words,
                                                     SettingSink& into) const {
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
  return std::make_shared<const Texts>(std::move(translation.notes), std::move(translation.warnings));
}

}  // namespace takt::orb
