// How priorities are assigned, as the subcommands of `takt schedule` are told.
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

  // Adds the options that set it; it outlives `app`.
  void add_to(CLI::App& app) {
    const auto& names = scheduling::strategy_short_names;
    app.add_option("-s,--strategy", strategy, "how priorities are assigned")
        ->check(CLI::IsMember(std::vector<std::string>(names.begin(), names.end())))
        ->capture_default_str();
    app.add_flag("--level-each", level_each, "a level for each thread rather than for each rate");
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
