// takt rt check: shows what this machine allows real-time threads, and what can delay them.
#include <algorithm>
#include <iostream>
#include <memory>
#include <thread>

#include "colours.h"
#include "common/command.h"
#include "common/output.h"
#include "rt/machine.h"
#include "rt/wake_up.h"

namespace takt::command {
namespace {

struct CheckSettings {
  std::chrono::nanoseconds time = std::chrono::seconds(8);
  std::int32_t priority = 80;
  bool as_json = false;
};

Json list_of(const std::vector<Finding>& findings) {
  Json all = Json::array();
  for (const Finding& each : findings) {
    all.push_back({{"check", each.check},
                   {"verdict", to_text(each.health)},
                   {"found", each.found},
                   {"advice", each.advice}});
    if (each.wake_ups) {
      all.back()["latest_ns"] = each.wake_ups->latest.count();
      all.back()["priority"] = each.wake_ups->priority;
    }
  }
  return all;
}

void print(const std::vector<Finding>& findings) {
  using namespace command_line;
  constexpr Colour colours[] = {Colour::green, Colour::yellow, Colour::red, Colour::cyan};  // by Health
  const bool coloured = shows_colours(1);
  for (const Finding& each : findings) {
    const auto padded = [](std::string text, std::size_t width) {
      return text + std::string(width - std::min(width, text.size()), ' ') + ' ';
    };
    std::cout << painted(padded(to_text(each.health), 8), colours[static_cast<int>(each.health)], coloured)
              << padded(each.check, 16) << each.found << '\n';
    if (!each.advice.empty()) std::cout << padded("", 8) << padded("", 16) << "-> " << each.advice << '\n';
  }
  std::cout << std::flush;
}

void run(const CheckSettings& settings) {
  std::vector<Finding> findings = settings_of("/");
  std::ranges::move(privileges(), std::back_inserter(findings));
  if (!settings.as_json) print(findings);
  const auto length = std::chrono::duration_cast<std::chrono::milliseconds>(settings.time);
  const auto is_bad = [](const Finding& each) { return each.health == Health::bad; };
  const bool settings_are_bad = std::ranges::any_of(findings, is_bad);
  std::vector<Finding> measured;
  for (const WakeUps& each : measure_wake_ups(settings.priority, length))
    measured.push_back(finding_of(each, settings_are_bad));
  if (!settings.as_json) print(measured);
  std::ranges::move(measured, std::back_inserter(findings));
  if (settings.as_json) std::cout << text_of(Json{{"findings", list_of(findings)}}) << std::flush;
  if (std::ranges::any_of(findings, is_bad)) throw Answer{negative};
}

}  // namespace

void add_rt(const Command& program) {
  const auto settings = std::make_shared<CheckSettings>();
  const Command rt = program.add_command("rt", "Checks this machine's settings for real-time threads.");
  rt.require_command();
  const Command check = rt.add_command(
      "check",
      "Reports what the system permits and how late it wakes threads; exits with 1 if something is BAD.");
  check
      .add("--time,--seconds", settings->time, "time for which wake-ups are measured",
           {std::chrono::milliseconds(100), std::chrono::hours(1)})
      .show_default();
  check.add("--priority", settings->priority, "SCHED_FIFO priority of the measuring threads")
      .within(1, 99)
      .show_default();
  check.add_flag("--json", settings->as_json, "print JSON");
  check.on_chosen([settings] { run(*settings); });
}

}  // namespace takt::command
