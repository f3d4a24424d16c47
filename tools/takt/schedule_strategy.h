// Command line options for the assignment of priorities.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "command.h"
#include "scheduling/model/priorities.h"

namespace takt::command {

struct StrategyOptions {
  std::string strategy = "rms";
  bool level_each = false;

  // Adds the options, which set this object; it must outlive the program.
  void add_to(const Command& command) {
    const auto& names = scheduling::strategy_short_names;
    command.add("-s,--strategy", strategy, "how priorities are assigned")
        .one_of({names.begin(), names.end()})
        .show_default();
    command.add_flag("--level-each", level_each, "one level per thread, not per rate");
  }
  scheduling::PriorityOptions priorities() const {
    const auto& names = scheduling::strategy_short_names;
    scheduling::PriorityOptions options;
    options.strategy = static_cast<scheduling::Strategy>(std::ranges::find(names, strategy) - names.begin());
    options.level_each = level_each;
    return options;
  }
};

}  // namespace takt::command
