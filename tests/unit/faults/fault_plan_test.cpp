// A file of faults is read as documented, or refused with its line and a cure.
#include "faults/fault_plan.h"

#include <gtest/gtest.h>

#include <utility>

namespace takt::faults {
namespace {

using namespace std::chrono_literals;

FaultPlan plan_of(const std::string& text) {
  auto plan = read_fault_plan(text, "f.toml");
  EXPECT_TRUE(plan) << plan.error();
  return plan ? std::move(*plan) : FaultPlan();
}

std::string refusal_of(const std::string& text) {
  const auto plan = read_fault_plan(text, "f.toml");
  return plan ? "nothing" : plan.error();
}

TEST(FaultPlan, HasWhatTheFileSays) {
  const FaultPlan plan = plan_of(R"(
seed = 7
log = "faults.log"
[[fault]]
kind = "delay"
operation = "get_*"
message = "reply"
rate = 0.25
skip = 10
most = 3
time = "20ms"
up-to = "1s"
[[fault]]
kind = "corrupt"
octets = 4
[[fault]]
kind = "twice"
rate = 1
[[fault]]
kind = "lose"
)");
  EXPECT_EQ(plan.seed, 7u);
  EXPECT_EQ(plan.log, "faults.log");
  ASSERT_EQ(plan.faults.size(), 4u);
  const Fault& delay = plan.faults[0];
  EXPECT_EQ(delay.kind, FaultKind::delay);
  EXPECT_EQ(delay.message, Message::reply);
  EXPECT_EQ(delay.operation, "get_*");
  EXPECT_EQ(delay.rate, 0.25);
  EXPECT_EQ(delay.skip, 10u);
  EXPECT_EQ(delay.most, 3u);
  EXPECT_EQ(delay.time, 20ms);
  EXPECT_EQ(delay.up_to, 1s);
  EXPECT_EQ(plan.faults[1].octets, 4u);
  EXPECT_EQ(plan.faults[2].kind, FaultKind::twice);
  EXPECT_EQ(plan.faults[3].kind, FaultKind::lose);
  EXPECT_EQ(plan.faults[3].operation, "*");
  EXPECT_EQ(plan.faults[3].rate, 1.0);
}

TEST(FaultPlan, RefusesWithLineAndCure) {
  const std::pair<const char*, const char*> wrong[] = {
      {"sed = 1", "f.toml:1:1: unknown key 'sed'; a file of faults has seed, log and [[fault]]"},
      {"seed = -1", "f.toml:1:8: 'seed' must be a whole number from 0 to"},
      {"[fault]\nkind = \"lose\"", "f.toml:1:1: 'fault' must be a table in double brackets"},
      {"[[fault]]\nrate = 1", "f.toml:1:1: a fault needs a kind"},
      {"[[fault]]\nkind = \"loose\"",
       "f.toml:2:8: there is no kind 'loose'; write delay, lose, twice or corrupt"},
      {"[[fault]]\nkind = \"lose\"\nrate = 10", "f.toml:3:8: 'rate' must be a number from 0 to 1"},
      {"[[fault]]\nkind = \"lose\"\nrate = nan", "f.toml:3:8: 'rate' must be"},
      {"[[fault]]\nkind = \"lose\"\nrate = \"1\"", "f.toml:3:8: 'rate' must be"},
      {"[[fault]]\nkind = \"lose\"\ntime = \"1s\"", "f.toml:3:1: unknown key 'time'"},
      {"[[fault]]\nkind = \"delay\"", "f.toml:1:1: a delay needs a time"},
      {"[[fault]]\nkind = \"delay\"\ntime = \"20\"", "must be a time from \"1us\" to \"60s\""},
      {"[[fault]]\nkind = \"delay\"\ntime = \"61s\"", "must be a time from"},
      {"[[fault]]\nkind = \"delay\"\ntime = \"0s\"", "must be a time from"},
      {"[[fault]]\nkind = \"delay\"\ntime = \"99999999999s\"", "must be a time from"},
      {"[[fault]]\nkind = \"delay\"\ntime = \"2s\"\nup-to = \"1s\"", "'up-to' must not be less than 'time'"},
      {"[[fault]]\nkind = \"corrupt\"\noctets = 0", "'octets' must be at least 1"},
      {"[[fault]]\nkind = \"corrupt\"\noctets = 65", "must be a whole number from 0 to 64"},
      {"[[fault]]\nkind = \"twice\"\nmessage = \"reply\"", "a reply cannot be sent twice"},
      {"[[fault]]\nkind = \"lose\"\nmessage = \"answer\"", "must be \"request\" or \"reply\""},
      {"[[fault]]\nkind = 1", "'kind' must be a text in quotes"},
      {"fault = [1]", "'fault' must be a table in double brackets"},
      {"[[fault", "f.toml:1:"},
  };
  for (const auto& [text, expected] : wrong)
    EXPECT_NE(refusal_of(text).find(expected), std::string::npos) << text << ": " << refusal_of(text);
  std::string many;
  for (std::size_t i = 0; i <= FaultPlan::most_faults; ++i) many += "[[fault]]\nkind = \"lose\"\n";
  EXPECT_NE(refusal_of(many).find("more than 256 faults"), std::string::npos);
}

TEST(Fault, AppliesByPattern) {
  const auto applies = [](const char* pattern, const char* name) {
    return Fault{.operation = pattern}.applies_to(Message::request, name);
  };
  EXPECT_TRUE(applies("*", ""));
  EXPECT_TRUE(applies("*", "x"));
  EXPECT_TRUE(applies("get_*", "get_"));
  EXPECT_TRUE(applies("*_x*y", "a_x_xby"));
  EXPECT_TRUE(applies("c?be", "cube"));
  EXPECT_FALSE(applies("c?be", "cbe"));
  EXPECT_FALSE(applies("", "x"));
  EXPECT_FALSE(applies("cub", "cube"));
  EXPECT_FALSE(applies("cube?", "cube"));
  EXPECT_FALSE(applies("*_x*y", "a_x_xb"));
  EXPECT_FALSE(Fault{}.applies_to(Message::reply, "x"));
}

TEST(Fault, IsDrawnEvenlyAndByTheSeedAlone) {
  int below = 0;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    below += drawn(1, 0, i) < UINT64_MAX / 4;
    EXPECT_EQ(drawn(1, 0, i), drawn(1, 0, i));
  }
  EXPECT_NEAR(below, 2500, 200);
  EXPECT_NE(drawn(1, 0, 0), drawn(2, 0, 0));
  EXPECT_NE(drawn(1, 0, 0), drawn(1, 1, 0));
}

}  // namespace
}  // namespace takt::faults
