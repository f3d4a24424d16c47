// Trace contexts in messages: the rules of W3C Trace Context, level 1.
#include "tracing/trace_context.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace takt::tracing {
namespace {

const std::string usual = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

std::string written(const Ids& ids) {
  char text[traceparent_bytes];
  write_traceparent(ids, text);
  return {text, sizeof text};
}

std::string replaced(std::size_t at, std::string_view by) {
  std::string text = usual;
  return text.replace(at, by.size(), by);
}

TEST(TraceParent, IsWrittenAsItWasRead) {
  const auto ids = read_traceparent(usual);
  ASSERT_TRUE(ids);
  EXPECT_TRUE(ids->sampled);
  EXPECT_EQ(ids->trace[0], 0x4b);
  EXPECT_EQ(ids->span[7], 0xb7);
  EXPECT_EQ(written(*ids), usual);
  const auto other = read_traceparent(replaced(53, "00"));
  ASSERT_TRUE(other);
  EXPECT_FALSE(other->sampled);
  EXPECT_EQ(written(*other), replaced(53, "00"));
}

TEST(TraceParent, HasOnlyTheFlagThatIsKnown) {
  EXPECT_EQ(written(*read_traceparent(replaced(53, "ff"))), usual);
  EXPECT_FALSE(read_traceparent(replaced(53, "fe"))->sampled);
}

TEST(TraceParent, OfALaterVersionIsReadAsFarAsItIsKnown) {
  EXPECT_TRUE(read_traceparent(replaced(0, "cc")));
  EXPECT_TRUE(read_traceparent(replaced(0, "cc") + "-what the future brings"));
  EXPECT_FALSE(read_traceparent(replaced(0, "cc") + ".what"));
  EXPECT_FALSE(read_traceparent(usual + "-more"));
  EXPECT_FALSE(read_traceparent(replaced(0, "ff")));
}

TEST(TraceParent, ThatIsMalformedIsRefused) {
  for (std::size_t size = 0; size < usual.size(); ++size)
    EXPECT_FALSE(read_traceparent(usual.substr(0, size))) << size;
  for (std::size_t at = 0; at < usual.size(); ++at)
    for (const char* const wrong : {"G", " ", "A", "F", "/", ":", "`", "\xff"})
      EXPECT_FALSE(read_traceparent(replaced(at, wrong))) << at << wrong;
  EXPECT_FALSE(read_traceparent(replaced(3, std::string(32, '0'))));
  EXPECT_FALSE(read_traceparent(replaced(36, std::string(16, '0'))));
}

TEST(TraceState, IsAListOfKeysAndValues) {
  for (const char* const good : {"", "a=1", "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", "a=1 , b=2,,c=3",
                                 "a=1,\tb=2", "1tenant@system=x", "a_-*/9=~!", "a= x"})
    EXPECT_TRUE(is_tracestate(good)) << good;
  for (const char* const bad : {"a", "=1", "a=", "A=1", "1a=1", "a=1=2", "a=1,a=2", "a@=1", "@a=1", "a@1=x",
                                "a=\x7f", "a=\xc3\xa4", "a =1", "a=1\n"})
    EXPECT_FALSE(is_tracestate(bad)) << bad;
}

TEST(TraceState, HasLimits) {
  std::string members;
  for (int i = 0; i < 32; ++i) members += (i == 0 ? "k" : ",k") + std::to_string(i) + "=1";
  EXPECT_TRUE(is_tracestate(members));
  EXPECT_FALSE(is_tracestate(members + ",last=1"));
  EXPECT_TRUE(is_tracestate("a=" + std::string(256, 'x')));
  EXPECT_FALSE(is_tracestate("a=" + std::string(257, 'x')));
  EXPECT_TRUE(is_tracestate(std::string(256, 'k') + "=1"));
  EXPECT_FALSE(is_tracestate(std::string(257, 'k') + "=1"));
  EXPECT_TRUE(is_tracestate("a=" + std::string(253, 'x') + ",b=" + std::string(254, 'x')));
  EXPECT_FALSE(is_tracestate("a=" + std::string(254, 'x') + ",b=" + std::string(254, 'x')));
}

TEST(TraceContexts, AreReadAsTheyWereWritten) {
  std::vector<std::uint8_t> data;
  for (const std::string state : {"", "a=1", "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"}) {
    write_trace(*read_traceparent(usual), state, data);
    const auto read = read_trace(data);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->ids, *read_traceparent(usual));
    EXPECT_EQ(read->state, state);
  }
}

TEST(TraceContexts, OfEitherByteOrderAreRead) {
  for (const std::uint8_t little : {0, 1}) {
    std::vector<std::uint8_t> data{little, 9, 9, 9};
    for (int i = 0; i < 4; ++i) data.push_back((little ? i == 0 : i == 3) ? 56 : 0);
    data.insert(data.end(), usual.begin(), usual.end());
    data.push_back(0);
    const auto read = read_trace(data);  // no tracestate at all
    ASSERT_TRUE(read) << int{little};
    EXPECT_EQ(written(read->ids), usual);
  }
}

TEST(TraceContexts, ThatAreCutHaveNoTraceOrNoState) {
  std::vector<std::uint8_t> data;
  write_trace(*read_traceparent(usual), "a=1", data);
  constexpr std::size_t end_of_parent = 64;
  for (std::size_t size = 0; size < data.size(); ++size) {
    const std::vector<std::uint8_t> cut(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(size));
    const auto read = read_trace(cut);
    EXPECT_EQ(read.has_value(), size >= end_of_parent) << size;
    if (read) {
      EXPECT_EQ(read->state, "") << size;
    }
  }
}

TEST(TraceContexts, WithAMalformedStateKeepTheTrace) {
  std::vector<std::uint8_t> data;
  write_trace(*read_traceparent(usual), "Not=Well,Formed", data);
  const auto read = read_trace(data);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->state, "");
}

TEST(TraceContexts, OfAnotherProtocolFollowTheSameRules) {
  const auto context = Context::parse(usual, "a=1");
  ASSERT_TRUE(context);
  EXPECT_EQ(context->traceparent(), usual);
  EXPECT_EQ(context->tracestate(), "a=1");
  EXPECT_TRUE(context->sampled());
  EXPECT_EQ(Context::parse(usual, "A=1")->tracestate(), "");
  EXPECT_FALSE(Context::parse("nonsense"));
}

}  // namespace
}  // namespace takt::tracing
