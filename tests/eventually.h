// Waits in tests for what other threads or processes do.
#pragma once

#include <chrono>
#include <thread>

namespace takt::test {

// Asks every millisecond until the condition holds. False after half a minute, which only a fault takes: then
// EXPECT_TRUE(eventually(...)) shows the condition.
template <class Condition>
bool eventually(Condition holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace takt::test
