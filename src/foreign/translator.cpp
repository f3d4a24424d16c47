#include "foreign/translator.h"

#include <algorithm>
#include <utility>

#include <takt/reference/failure_codes.h>

namespace takt::orb {

namespace {

class RemarkTexts final : public Remarks {
 public:
  RemarkTexts(std::vector<std::string> notes, std::vector<std::string> warnings)
      : notes_(std::move(notes)), warnings_(std::move(warnings)) {}
  // Settings that are known to have no effect are logged only if the log takes more than warnings.
  void log_to(EventLog& log) const override {
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

std::shared_ptr<const Remarks> Translator::translate(std::span<const ForeignArgument> arguments,
                                                     std::span<const SettingOfProgram> of_program,
                                                     SettingSink& into) const {
  Translation translation = translate(arguments, of_program, variables());
  if (translation.transient_on_timeout) throw_transient_on_timeout(*translation.transient_on_timeout);
  for (const std::string& text : translation.problems) into.problem(text);
  for (const TranslatedValue& value : translation.values) into.give(value.option, value.text, value.origin);
  return std::make_shared<const RemarkTexts>(std::move(translation.notes), std::move(translation.warnings));
}

}  // namespace takt::orb
