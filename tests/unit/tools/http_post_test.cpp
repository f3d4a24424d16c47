#include "trace/http_post.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "../silent_names.h"

namespace takt::command {
namespace {

using namespace std::chrono_literals;

TEST(HttpPoster, KeepsItsTimeWhileANameIsLookedUp) {
  ::setenv("no_proxy", "*", 1);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(HttpPoster("http://silent.example.org/").post_json("{}", 20ms));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 1s);
}

}  // namespace
}  // namespace takt::command
