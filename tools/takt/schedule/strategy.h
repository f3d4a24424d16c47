// Command line options for the assignment of priorities.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "common/command.h"
#include "schedulability/model/priorities.h"

namespace takt::command {

struct StrategyOptions {
  std::string strategy;  // empty: chosen by the operations
  bool level_each = false;

  // Adds the options, which set this object; it must outlive the program.
  void add_to(const Command& command) {
    command
        .add("-s,--strategy", strategy,
             "how priorities are assigned (default: declared if an operation declares a priority, else rms)")
        .one_of({names.begin(), names.end()});
    add_level_each(command);
  }
  // For a service, whose operations declare no priorities.
  void add_to_service(const Command& command) {
    strategy = "rms";
    command.add("-s,--strategy", strategy, "how priorities are assigned")
        .one_of({names.begin(), names.end() - 1})
        .show_default();
    add_level_each(command);
  }

  scheduling::PriorityOptions priorities(std::span<const scheduling::RtInfo> operations = {}) const {
    scheduling::PriorityOptions options;
    options.level_each = level_each;
    const auto declares = [](const scheduling::RtInfo& each) { return each.declared_priority > 0; };
    if (!strategy.empty())
      options.strategy =
          static_cast<scheduling::Strategy>(std::ranges::find(names, strategy) - names.begin());
    else if (std::ranges::any_of(operations, declares))
      options.strategy = scheduling::Strategy::declared_priorities;
    return options;
  }

 private:
  static constexpr std::span<const std::string_view> names{scheduling::strategy_short_names};
  void add_level_each(const Command& command) {
    command.add_flag("--level-each", level_each, "one level per thread, not per rate");
  }
};

}  // namespace takt::command
