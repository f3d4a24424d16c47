// Names of parameterized tests.
#pragma once

#include <string>

#include <gtest/gtest.h>

namespace takt::test {

// A name like "worker-pool" without its hyphens, which gtest does not allow in names.
inline std::string without_hyphens(const testing::TestParamInfo<const char*>& given) {
  std::string name = given.param;
  std::erase(name, '-');
  return name;
}

}  // namespace takt::test
