// The calls of a recording that can be sent again, and which replies to them can be compared.
#include "record/recorded_calls.h"

#include <takt/base/secret_operation.h>

#include "../giop/messages.h"
#include "../recorder/recording.h"
#include "record/allowed_differences.h"
#include "record/whole_messages.h"
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

TEST(SentContexts, AreTheCodeSetsAndThoseThatRulesName) {
  const auto contexts = SentContexts::read({"7", "0x41424344=0xF"});
  ASSERT_TRUE(contexts) << contexts.error();
  EXPECT_EQ(contexts->sent_as(giop::code_sets_context), giop::code_sets_context);
  EXPECT_EQ(contexts->sent_as(7), 7u);
  EXPECT_EQ(contexts->sent_as(0x41424344), 15u);
  EXPECT_EQ(contexts->sent_as(15), std::nullopt);
  for (const char* const rule : {"", "=", "1=", "=1", "x", "0x", "1=2=3", "4294967296", "-1", "1 "}) {
    const auto refused = SentContexts::read({rule});
    ASSERT_FALSE(refused) << rule;
    EXPECT_NE(refused.error().find(std::string("'") + rule + "'"), std::string::npos) << refused.error();
  }
}

// The bodies stay where they were, whatever contexts stand before them.
TEST(SentContexts, AreInRequestsOfEachVersion) {
  for (const std::uint8_t minor : {0, 1, 2})
    for (const auto order : {cdr::ByteOrder::big, cdr::ByteOrder::little}) {
      RecordedCall call;
      call.giop_minor = minor;
      call.order = order;
      call.response_flags = 1;
      call.key = {1, 2, 3};
      call.operation = "open";
      call.contexts = {{7, {1, 2, 3, 4, 5}}, {0x41424344, {9}}, {10, {8, 8}}};
      call.body = {5, 6, 7};
      call.body_at = minor < 2 ? 4 : 0;
      const auto sent = SentContexts::read({"7", "0x41424344=15"});
      const Octets request = request_of(call, 3, call.key, *sent);
      WholeMessages messages;
      const auto parsed = messages.add(1, request);
      ASSERT_TRUE(parsed && *parsed) << int{minor};
      const giop::Event& event = (*parsed)->event;
      EXPECT_EQ(event.request_id, 3u);
      EXPECT_EQ(event.contexts.size(), 2u);
      const auto data_of = [&](std::uint32_t id) {
        const auto data = event.contexts.find(id);
        return data ? Octets(data->begin(), data->end()) : Octets();
      };
      EXPECT_EQ(data_of(7), call.contexts[0].data);
      EXPECT_EQ(data_of(15), call.contexts[1].data);
      EXPECT_EQ(Octets(event.body.begin(), event.body.end()), call.body);
      EXPECT_EQ(event.body_index % 8, call.body_at);
    }
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
