#include "imr/process/reachable.h"

#include <gtest/gtest.h>

#include <chrono>

#include "../silent_names.h"

namespace takt::imr {
namespace {

using namespace std::chrono_literals;

TEST(Reachable, TheTimeHoldsWhileANameIsLookedUp) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(takes_connections("silent.example:1", 20ms));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 1s);
}

}  // namespace
}  // namespace takt::imr
