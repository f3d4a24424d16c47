// The calls of a recording that can be sent again, and which replies to them can be compared.
#include "record/recorded_calls.h"

#include <takt/base/secret_operation.h>

#include "../giop/messages.h"
#include "../recorder/recording.h"
#include "record/allowed_differences.h"
#include "recorder/passing_messages.h"

namespace takt::command {
namespace {

const SecretOperation secret_attribute("_get_pin");

using RecordedCallsTest = recorder::RecordingTest;

// A request without arguments is whole although it is secret.
TEST_F(RecordedCallsTest, LeaveOutSecretCallsWithoutArguments) {
  const giop::test::MessageMaker maker({1, 2}, cdr::native_order);
  const auto ring = make();
  recorder::SecretMessages secrets;
  recorder::PassingMessages received(*ring, 1, recorder::Direction::received, secrets);
  received.pass(maker.request(1, "open", ""), 1);
  received.pass(maker.request(2, "_get_pin", ""), 2);
  const RecordedCalls calls = calls_of(read(), recorder::Direction::received);
  ASSERT_EQ(calls.all.size(), 1u);
  EXPECT_EQ(calls.all[0].operation, "open");
  EXPECT_EQ(calls.unfit, (std::map<std::string, std::size_t>{{"secret", 1}}));
}

TEST(RecordedReplies, AreComparableIfTheirBodiesBeginAlikeOrTheirStatusesDiffer) {
  const RecordedReply result{giop::ReplyStatus::no_exception, cdr::native_order, 0, {1}};
  RecordedReply other = result;
  EXPECT_TRUE(are_comparable(result, other));
  other.body_at = 4;
  EXPECT_FALSE(are_comparable(result, other));
  other.status = giop::ReplyStatus::system_exception;
  EXPECT_TRUE(are_comparable(result, other));
}

TEST(RecordedReplies, MayDifferByRules) {
  const auto allowed = AllowedDifferences::read({"now", "status:2-3", "status:6-99", "both", "both:1-2"});
  ASSERT_TRUE(allowed) << allowed.error();
  EXPECT_TRUE(allowed->allow_any("now"));
  EXPECT_TRUE(allowed->allow_any("both"));
  EXPECT_FALSE(allowed->allow_any("status"));
  EXPECT_FALSE(allowed->allow_any("other"));
  const RecordedReply reply{giop::ReplyStatus::no_exception, cdr::native_order, 0, {0, 1, 2, 3, 4, 5, 6, 7}};
  const auto alike_with = [&](std::size_t at, const char* operation) {
    RecordedReply other = reply;
    other.body[at] = 99;
    return allowed->are_alike(operation, reply, other);
  };
  EXPECT_TRUE(allowed->are_alike("other", reply, reply));
  for (const std::size_t at : {2u, 3u, 6u, 7u}) EXPECT_TRUE(alike_with(at, "status")) << at;
  for (const std::size_t at : {0u, 1u, 4u, 5u}) EXPECT_FALSE(alike_with(at, "status")) << at;
  EXPECT_FALSE(alike_with(2, "other"));
  RecordedReply other = reply;
  other.status = giop::ReplyStatus::user_exception;
  EXPECT_FALSE(allowed->are_alike("status", reply, other));
  other = reply;
  other.body.push_back(8);
  EXPECT_FALSE(allowed->are_alike("status", reply, other)) << "the bodies have different sizes";
}

TEST(RecordedReplies, MayNotDifferByRulesThatAreNone) {
  for (const char* const rule : {"", ":", ":1-2", "a:", "a:1", "a:-", "a:1-", "a:-2", "a:2-1", "a:x-y",
                                 "a:1-2x", "a:1-99999999999999999999", "a:b:1-2"}) {
    const auto allowed = AllowedDifferences::read({rule});
    ASSERT_FALSE(allowed) << rule;
    EXPECT_NE(allowed.error().find(std::string("'") + rule + "'"), std::string::npos) << allowed.error();
  }
}

}  // namespace
}  // namespace takt::command
