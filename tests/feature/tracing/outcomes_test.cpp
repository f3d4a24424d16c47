// The code that gets the outcome of an asynchronous call is at its caller's position.
#include <coroutine>
#include <future>

#include "asynchronous/job.h"
#include "node.h"

namespace feature::traces {
namespace {

using takt::tracing::Span;

class Outcomes : public testing::Test {
 protected:
  OrbPair orbs{{"-ORBTracing", "0"}, {"-ORBTracing", "1"}};
  NodeRef node = orbs.publish<Traced::Node>(CORBA::make_reference<NodeServant>());
};

struct Seen {
  std::string handler, servant;
};

class Handler final : public Traced::AMI_NodeHandler {
 public:
  explicit Handler(std::promise<Seen>& seen) : seen_(seen) {}
  void where(const std::string& result) override { seen_.set_value({feature::where(), result}); }
  void where_excep(IDL::traits<::Messaging::ExceptionHolder>::ref_type) override { seen_.set_value({}); }

 private:
  std::promise<Seen>& seen_;
};

TEST_F(Outcomes, InAHandler) {
  const Span span(orbs.client, "work");
  std::promise<Seen> promise;
  node->sendc_where(CORBA::make_reference<Handler>(promise));
  const Seen seen = promise.get_future().get();
  EXPECT_EQ(seen.handler, where());
  EXPECT_EQ(trace_of(seen.servant), trace_of(where()));
}

Job two_calls(NodeRef node, Seen& seen) {
  co_await node->async_nothing();
  seen.handler = where();
  seen.servant = co_await node->async_where();
}

TEST_F(Outcomes, InACoroutine) {
  const Span span(orbs.client, "work");
  Seen seen;
  two_calls(node, seen).ended.get();
  EXPECT_EQ(seen.handler, where());
  EXPECT_EQ(trace_of(seen.servant), trace_of(where()));
}

TEST_F(Outcomes, OfACallWithoutATraceAreAtNone) {
  Seen seen;
  two_calls(node, seen).ended.get();
  EXPECT_EQ(seen.handler, "");
  EXPECT_NE(seen.servant, "") << "each call begins a trace of its own";
}

TEST_F(Outcomes, OfAFailureEndTheSpan) {
  const auto before = takt::tracing::counts(orbs.client).spans;
  EXPECT_THROW(node->async_refuse().future().get(), CORBA::NO_PERMISSION);
  EXPECT_EQ(takt::tracing::counts(orbs.client).spans, before + 1);
}

}  // namespace
}  // namespace feature::traces
