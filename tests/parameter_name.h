// Names of tests by what they are given.
#pragma once

#include <string>

#include <gtest/gtest.h>

namespace takt::test {

// A name like "worker-pool" without its hyphens, which gtest takes in no name.
inline std::string without_hyphens(const testing::TestParamInfo<const char*>& given) {
  std::string name = given.param;
  std::erase(name, '-');
  return name;
}

}  // namespace takt::test
