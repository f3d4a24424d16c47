// Objects that their first user makes.
#include "threads/locks/made_once.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <new>
#include <thread>
#include <vector>

namespace takt::os {
namespace {

TEST(MadeOnce, AllThreadsGetOneObject) {
  MadeOnce<int> one;
  std::atomic<int> made{0};
  std::vector<std::shared_ptr<int>> got(4);
  {
    std::vector<std::jthread> threads;
    for (auto& each : got)
      threads.emplace_back([&] { each = one.get([&] { return std::make_shared<int>(++made); }); });
  }
  EXPECT_EQ(made, 1);
  for (const auto& each : got) EXPECT_EQ(each, got.front());
  EXPECT_EQ(one.get(), got.front());
}

TEST(MadeOnce, WhatCouldNotBeMadeIsTriedAgain) {
  MadeOnce<int> one;
  EXPECT_EQ(one.get([] { return std::shared_ptr<int>(); }), nullptr);
  EXPECT_THROW(one.get([]() -> std::shared_ptr<int> { throw std::bad_alloc(); }), std::bad_alloc);
  EXPECT_EQ(*one.get([] { return std::make_shared<int>(5); }), 5);
}

}  // namespace
}  // namespace takt::os
