// The contract of personalities as tests, which run over those of any plug-in. A program links the suite's
// files and defines tested_plugins(); find_package(Takt COMPONENTS conformance) has a function that does the
// former.
#pragma once

#include <gtest/gtest.h>
#include <takt/orb/plugin.h>

#include <string>
#include <vector>

namespace takt {

// `name` is in the names of the tests: letters, digits and underscores.
struct TestedPlugin {
  std::string name;
  decltype(takt_plugin)* plugin;
  decltype(takt_personalities)* personalities;
  std::string arguments = {};
};

// The plug-ins to test, in the order of the tests. The program that links the suite defines this function.
std::vector<TestedPlugin> tested_plugins();

}  // namespace takt
