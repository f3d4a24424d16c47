#include "foreign/collector.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "config/option_values.h"

namespace takt::orb::others {

namespace {
constexpr const char* published_option = "PublishedEndpoints";
}  // namespace

std::string Collector::at(std::string_view text) const { return (origin_ + ": ").append(text); }

void Collector::set(std::string_view option, std::string text) {
  result_.values.push_back({std::string(option), std::move(text), origin_});
}

void Collector::publish_too(std::string endpoint) {
  published_too_.push_back({published_option, std::move(endpoint), origin_});
}
void Collector::note(std::string_view text) { result_.notes.push_back(at(text)); }
void Collector::warn(std::string_view text) { result_.warnings.push_back(at(text)); }
void Collector::fail(std::string_view text) { result_.problems.push_back(at(text)); }

void Collector::take(const Setting* setting, std::string_view name, std::string_view value) {
  if (!setting) return warn("no setting " + in_quotes(name) + " is known, so it has no effect");
  switch (setting->fate) {
    case Fate::translated:
      if (const std::string form = setting->convert(*setting, value, *this); !form.empty())
        fail(in_quotes(value) + " is not valid for " + std::string(setting->name) + ": it takes " + form);
      break;
    case Fate::without_effect:
      note(std::string(setting->name).append(" has no effect: ").append(setting->text));
      break;
    case Fate::refused:
      fail(std::string(setting->name).append(" is not possible: ").append(setting->text));
      break;
    case Fate::read:
      fail(std::string(setting->name).append(" has its place on the command line: ").append(setting->text));
      break;
  }
}

Translation Collector::finish() {
  constexpr std::array<std::string_view, 5> levels = {"error", "warning", "info", "debug", "trace"};
  if (const Level& level = log_.level >= asked_.level ? log_ : asked_; level.level >= 0) {
    begin(level.origin);
    set("LogLevel", std::string(levels[static_cast<std::size_t>(level.level)]));
  }
  const bool publishes = std::ranges::any_of(
      result_.values, [](const TranslatedValue& value) { return value.option == published_option; });
  if (!published_too_.empty() && !publishes)
    result_.values.push_back({published_option, "own", published_too_.front().origin});
  std::ranges::move(published_too_, std::back_inserter(result_.values));
  return std::move(result_);
}

}  // namespace takt::orb::others
