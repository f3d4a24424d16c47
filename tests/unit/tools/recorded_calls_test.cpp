// The calls of a recording that can be sent again, and which replies to them can be compared.
#include "record/recorded_calls.h"

#include <takt/base/secret_operation.h>

#include "../giop/messages.h"
#include "../recorder/recording.h"
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

}  // namespace
}  // namespace takt::command
