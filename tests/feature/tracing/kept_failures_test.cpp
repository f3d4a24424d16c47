// Spans that are kept for their failure, of traces that the ratio has not chosen (-ORBTraceSampleOn).

#include <chrono>
#include <cstdint>
#include <latch>
#include <thread>
#include <utility>

#include <takt/reference/quality.h>

#include "node.h"

namespace feature::traces {
namespace {

using takt::tracing::Span;

// Answers a request that has a deadline when the client has given up and the deadline has passed here too.
class LateServant final : public NodeServant {
 public:
  void nothing() override {
    const takt::Quality* const quality = takt::present_quality();
    if (!quality) return;
    given_up.wait();
    std::this_thread::sleep_until(quality->deadline);
  }
  std::latch given_up{1};
};

class KeptFailures : public testing::Test {
 protected:
  static std::uint64_t spans_of(const CORBA::object_reference<CORBA::ORB>& orb) {
    return takt::tracing::counts(orb).spans;
  }
  // The spans that the client and the server keep of a call.
  template <class Call>
  std::pair<std::uint64_t, std::uint64_t> kept_of(OrbPair& orbs, Call call) {
    const NodeRef node = orbs.publish<Traced::Node>(CORBA::make_reference<NodeServant>());
    node->nothing();
    const auto client = spans_of(orbs.client), server = spans_of(orbs.server);
    call(node);
    node->nothing();  // the server's span has ended before
    return {spans_of(orbs.client) - client, spans_of(orbs.server) - server};
  }
  using Counts = std::pair<std::uint64_t, std::uint64_t>;

  static OrbPair orbs(const char* events) {
    const Options options{"-ORBTracing", "0", "-ORBTraceSampleOn", events};
    return OrbPair(options, options);
  }
  static void be_refused(const NodeRef& node) { EXPECT_THROW(node->refuse(), CORBA::NO_PERMISSION); }
  static void be_late(const NodeRef& node) {
    const takt::DeadlineScope passed(std::chrono::milliseconds(-1));
    EXPECT_THROW(node->nothing(), CORBA::TIMEOUT);
  }
};

TEST_F(KeptFailures, OfExceptionsAreInBothProcesses) {
  OrbPair both = orbs("exception");
  EXPECT_EQ(kept_of(both, be_refused), Counts(1, 1));
  EXPECT_EQ(kept_of(both, [](const NodeRef& node) { (void)node->where(); }), Counts(0, 0));
}

TEST_F(KeptFailures, OfDeadlinesLeaveOtherExceptionsOut) {
  OrbPair both = orbs("deadline");
  EXPECT_EQ(kept_of(both, be_refused), Counts(0, 0));
  EXPECT_EQ(kept_of(both, be_late), Counts(1, 0)) << "the request is not sent";
}

TEST_F(KeptFailures, OfDeadlinesThatAServantOutlastsAreInTheServerToo) {
  OrbPair both = orbs("deadline");
  const auto servant = CORBA::make_reference<LateServant>();
  const NodeRef node = both.publish<Traced::Node>(servant);
  node->nothing();
  const auto client = spans_of(both.client), server = spans_of(both.server);
  {
    const takt::DeadlineScope soon(std::chrono::milliseconds(500));
    EXPECT_THROW(node->nothing(), CORBA::TIMEOUT);
  }
  servant->given_up.count_down();
  EXPECT_EQ(spans_of(both.client) - client, 1u);
  // The servant may still be answering.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (spans_of(both.server) == server && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  node->nothing();
  EXPECT_EQ(spans_of(both.server) - server, 1u);
}

TEST_F(KeptFailures, OfBothKinds) {
  OrbPair both = orbs("exception,deadline");
  EXPECT_EQ(kept_of(both, be_refused), Counts(1, 1));
  EXPECT_EQ(kept_of(both, be_late), Counts(1, 0));
}

TEST_F(KeptFailures, BelongToOneTraceThatIsNotRecorded) {
  OrbPair both = orbs("exception");
  const NodeRef node = both.publish<Traced::Node>(CORBA::make_reference<NodeServant>());
  const NodeRef next = both.publish<Traced::Node>(CORBA::make_reference<NodeServant>());
  const Span span(both.client, "work");
  EXPECT_EQ(trace_of(node->where()), trace_of(where()));
  EXPECT_EQ(node->where().substr(52, 3), "-00");
  const auto [first, second] = lines_of(node->where_beyond(next));
  EXPECT_EQ(trace_of(first), trace_of(second));
}

TEST_F(KeptFailures, OfTheProgram) {
  OrbPair both = orbs("exception");
  const auto before = spans_of(both.client);
  {
    Span good(both.client, "good");
  }
  EXPECT_EQ(spans_of(both.client), before);
  {
    Span bad(both.client, "bad");
    bad.fail("no such map");
  }
  EXPECT_EQ(spans_of(both.client), before + 1);
}

TEST_F(KeptFailures, NeedATraceAndKnownWords) {
  EXPECT_THROW(OrbPair({"-ORBTraceSampleOn", "exception"}, {}), CORBA::SystemException);
  EXPECT_THROW(OrbPair({"-ORBTracing", "0", "-ORBTraceSampleOn", "sometimes"}, {}), CORBA::SystemException);
}

}  // namespace
}  // namespace feature::traces
