// Calls go on with the trace of their caller, however they are made.
#include <fstream>
#include <future>
#include <memory>
#include <sstream>

#include <takt/dynamic/request.h>
#include <takt/orb/bridge.h>

#include "folder.h"
#include "node.h"

namespace feature::traces {
namespace {

using takt::tracing::Context;
using takt::tracing::counts;
using takt::tracing::Span;
using takt::tracing::SpanScope;

const Options all{"-ORBTracing", "1"};
const Options none{"-ORBTracing", "0"};

std::string where_dynamically(const NodeRef& node) {
  const auto request = node->_request("where");
  request->set_return_type(CORBA::_tc_string);
  request->invoke();
  std::string served;
  return (request->return_value() >>= served) ? served : std::string("no string");
}

class Traces : public testing::TestWithParam<const char*> {
 protected:
  Traces()
      : orbs(with(all, {"-ORBServerConcurrency", GetParam()}), all),
        node(orbs.publish<Traced::Node>(CORBA::make_reference<NodeServant>())),
        other(orbs.publish<Traced::Node>(CORBA::make_reference<NodeServant>())) {}
  OrbPair orbs;
  NodeRef node, other;
};

TEST_P(Traces, BeginWithACall) {
  const std::string first = node->where(), second = node->where();
  EXPECT_EQ(first.size(), 56u) << first;
  EXPECT_EQ(first.substr(52, 3), "-01");
  EXPECT_NE(trace_of(first), trace_of(second));
  EXPECT_EQ(where(), "");
}

TEST_P(Traces, GoOnFromASpanOfTheProgram) {
  const Span span(orbs.client, "work");
  ASSERT_TRUE(span.recorded());
  const std::string mine = where();
  const std::string served = node->where();
  EXPECT_EQ(trace_of(served), trace_of(mine));
  EXPECT_NE(span_of(served), span_of(mine));
  EXPECT_EQ(where(), mine);
}

TEST_P(Traces, GoOnThroughNestedCalls) {
  if (std::string(GetParam()) == "reactive") GTEST_SKIP() << "its only thread would call itself";
  const Span span(orbs.client, "work");
  const auto [first, second] = lines_of(node->where_beyond(other));
  EXPECT_EQ(trace_of(first), trace_of(where()));
  EXPECT_EQ(trace_of(second), trace_of(where()));
  EXPECT_NE(span_of(first), span_of(second));
}

TEST_P(Traces, GoOnThroughOneways) {
  const Span span(orbs.client, "work");
  node->note();
  EXPECT_EQ(trace_of(node->noted()), trace_of(where()));
}

TEST_P(Traces, GoOnThroughAsynchronousCalls) {
  const Span span(orbs.client, "work");
  const std::string mine = where();
  auto future = node->async_where().future();
  EXPECT_EQ(where(), mine);  // it is not the call's while the call is under way
  EXPECT_EQ(trace_of(future.get()), trace_of(mine));
}

TEST_P(Traces, GoOnInTheServantsAsynchronousCalls) {
  if (std::string(GetParam()) == "reactive") GTEST_SKIP() << "its only thread would wait for itself";
  const Span span(orbs.client, "work");
  const auto [first, second] = lines_of(node->where_after(other));
  EXPECT_EQ(trace_of(first), trace_of(where()));
  EXPECT_EQ(trace_of(second), trace_of(where()));
}

TEST_P(Traces, GoOnThroughDynamicRequests) {
  const Span span(orbs.client, "work");
  EXPECT_EQ(trace_of(where_dynamically(node)), trace_of(where()));
}

TEST_P(Traces, HaveASpanForEachSide) {
  const auto client = counts(orbs.client).spans, server = counts(orbs.server).spans;
  node->nothing();
  EXPECT_THROW(node->refuse(), CORBA::NO_PERMISSION);
  orbs.stop_server();
  EXPECT_EQ(counts(orbs.client).spans, client + 2);
  EXPECT_EQ(counts(orbs.server).spans, server + 2);
}

INSTANTIATE_TEST_SUITE_P(OverAll, Traces, testing::ValuesIn(server_concurrencies));

// A server that calls its own object.
class WithinAProcess : public testing::Test {
 protected:
  OrbPair orbs{all, all};
  NodeRef node = IDL::traits<Traced::Node>::narrow(
      orbs.root->id_to_reference(orbs.root->activate_object(CORBA::make_reference<NodeServant>())));
};

TEST_F(WithinAProcess, TracesGoOn) {
  const Span span(orbs.server, "work");
  const std::string mine = where();
  const auto [first, second] = lines_of(node->where_beyond(node));
  EXPECT_EQ(trace_of(first), trace_of(mine));
  EXPECT_EQ(trace_of(second), trace_of(mine));
  EXPECT_EQ(trace_of(node->async_where().future().get()), trace_of(mine));
  EXPECT_EQ(trace_of(where_dynamically(node)), trace_of(mine));
  EXPECT_EQ(where(), mine);
}

TEST_F(WithinAProcess, CallsHaveASpanForEachSide) {
  const auto before = counts(orbs.server).spans;
  node->nothing();
  EXPECT_EQ(counts(orbs.server).spans, before + 2);
  EXPECT_THROW(node->refuse(), CORBA::NO_PERMISSION);
  EXPECT_EQ(counts(orbs.server).spans, before + 4);
}

TEST(TracesThatAreNotChosen, LeaveNothing) {
  const OrbPair orbs(none, none);
  const NodeRef node = orbs.publish<Traced::Node>(CORBA::make_reference<NodeServant>());
  node->nothing();
  const Span span(orbs.client, "work");
  EXPECT_FALSE(span.recorded());
  EXPECT_EQ(where(), "");
  EXPECT_EQ(counts(orbs.client).spans, 0u);
  EXPECT_EQ(counts(orbs.server).spans, 0u);
}

// The object's server begins no trace, so its call of the next one, whose server would, begins none either.
TEST(TracesThatAreNotChosen, StayUnchosenInCallsOfTheSameProcess) {
  const OrbPair orbs(none, none);
  const auto local = IDL::traits<Traced::Node>::narrow(
      orbs.root->id_to_reference(orbs.root->activate_object(CORBA::make_reference<NodeServant>())));
  const auto [first, second] = lines_of(local->where_beyond(local));
  EXPECT_EQ(first + second, "");
}

TEST(TracesThatAreNotChosen, BeginAtAServerWithARatio) {
  const OrbPair orbs(all, none);
  const NodeRef node = orbs.publish<Traced::Node>(CORBA::make_reference<NodeServant>());
  EXPECT_EQ(node->where().size(), 56u);
}

TEST(TracesOfOthers, AreContinuedByAServerThatBeginsNone) {
  const OrbPair orbs(none, all);
  const NodeRef node = orbs.publish<Traced::Node>(CORBA::make_reference<NodeServant>());
  const Span span(orbs.client, "work");
  EXPECT_EQ(trace_of(node->where()), trace_of(where()));
}

TEST(TracesOfPrograms, AreInTheLinesOfTheLog) {
  const Folder folder;
  const std::string file = folder / "log";
  const OrbPair orbs(none,
                     with(all, {"-ORBLogLevel", "debug", "-ORBLogFile", file, "-ORBLogFormat", "json"}));
  const NodeRef node = orbs.publish<Traced::Node>(CORBA::make_reference<NodeServant>());
  const Span span(orbs.client, "work");
  EXPECT_THROW(node->refuse(), CORBA::NO_PERMISSION);
  orbs.client->shutdown(true);
  std::ifstream log(file);
  std::stringstream lines;
  lines << log.rdbuf();
  EXPECT_NE(lines.str().find("\"operation\":\"refuse\""), std::string::npos) << lines.str();
  EXPECT_NE(lines.str().find("\"trace_id\":\"" + trace_of(where()) + "\""), std::string::npos) << lines.str();
}

TEST(TracesOfOthers, PassABridge) {
  for (const Options& options : {Options{}, none, all}) {
    const OrbPair orbs(none, all);
    const auto bridging = make_orb(with(options, {"-ORBListenEndpoints", OrbPair::loopback}), "bridge");
    takt::Bridge bridge = takt::Bridge::over(bridging);
    const auto inner =
        orbs.root->id_to_reference(orbs.root->activate_object(CORBA::make_reference<NodeServant>()));
    const auto outer = bridge.publish(bridging->string_to_object(orbs.server->object_to_string(inner)));
    const NodeRef node =
        IDL::traits<Traced::Node>::narrow(orbs.client->string_to_object(bridging->object_to_string(outer)));
    const Span span(orbs.client, "work");
    EXPECT_EQ(trace_of(node->where()), trace_of(where()));
    bridging->shutdown(true);
    bridging->destroy();
  }
}

TEST(TracesOfPrograms, GoOnInAnotherThread) {
  const OrbPair orbs(all, all);
  const NodeRef node = orbs.publish<Traced::Node>(CORBA::make_reference<NodeServant>());
  const Span span(orbs.client, "work");
  const auto here = takt::tracing::current();
  const std::string served = std::async(std::launch::async, [&] {
                               const SpanScope scope(*here);
                               return node->where();
                             }).get();
  EXPECT_EQ(trace_of(served), trace_of(where()));
}

TEST(TracesOfPrograms, GoOnFromAnotherProtocol) {
  const OrbPair orbs(none, none);
  const NodeRef node = orbs.publish<Traced::Node>(CORBA::make_reference<NodeServant>());
  for (const std::string flags : {"00", "01"}) {
    const std::string parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-" + flags;
    const bool recorded = flags == "01";
    const auto before = counts(orbs.client).spans;
    const SpanScope scope(*Context::parse(parent, "congo=t61"));
    EXPECT_FALSE(Span("of no ORB").recorded());
    const std::string served = node->where();
    EXPECT_EQ(trace_of(served), trace_of(parent));
    EXPECT_EQ(served.substr(53), flags + " congo=t61");
    EXPECT_EQ(span_of(served) != span_of(parent), recorded);
    EXPECT_EQ(counts(orbs.client).spans, before + recorded);
  }
}

TEST(TracesOfPrograms, NestTheirSpans) {
  const OrbPair orbs(all, all);
  {
    const Span outer(orbs.client, "outer");
    const std::string first = where();
    {
      Span inner("inner");
      EXPECT_TRUE(inner.recorded());
      inner.fail("on purpose");
      EXPECT_EQ(trace_of(where()), trace_of(first));
      EXPECT_NE(span_of(where()), span_of(first));
    }
    EXPECT_EQ(where(), first);
  }
  EXPECT_EQ(where(), "");
  EXPECT_EQ(counts(orbs.client).spans, 2u);
  EXPECT_FALSE(Span("alone").recorded());
}

TEST(TracesOfPrograms, NeedAnOrbThatTraces) {
  const auto orb = make_orb({}, "untraced");
  {
    const Span span(orb, "work");
    EXPECT_FALSE(span.recorded());
  }
  EXPECT_EQ(counts(orb).spans, 0u);
  orb->destroy();
}

TEST(TracingOption, TakesRatios) {
  for (const char* const wrong : {"on", "1.01", "-0.1", "", "nan", "0.5x", "1e-3 "})
    EXPECT_NE(refusal_of("-ORBTracing", wrong), "nothing") << wrong;
  for (const char* const right : {"0", "1", "0.01", "1e-3", "off"})
    make_orb({"-ORBTracing", right}, "ratio")->destroy();
}

}  // namespace
}  // namespace feature::traces
