// The code that gets the outcome of an asynchronous call is at its caller's position.
#include <unistd.h>

#include <coroutine>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>

#include <takt/interceptors/interceptors.h>

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

// An object of the client's own ORB.
NodeRef node_within(const OrbPair& orbs) {
  const Poa root = root_poa(orbs.client);
  root->the_POAManager()->activate();
  return IDL::traits<Traced::Node>::unchecked_narrow(
      root->id_to_reference(root->activate_object(CORBA::make_reference<NodeServant>())));
}
Seen call_of(const NodeRef& node) {
  std::promise<Seen> promise;
  node->sendc_where(CORBA::make_reference<Handler>(promise));
  return promise.get_future().get();
}

TEST_F(Outcomes, OfACallWithinTheProcessAreAtItsCallersPositionToo) {
  const NodeRef within = node_within(orbs);
  const Span span(orbs.client, "work");
  const auto before = takt::tracing::counts(orbs.client).spans;
  const Seen seen = call_of(within);
  EXPECT_EQ(takt::tracing::counts(orbs.client).spans, before + 2) << "one for either side";
  EXPECT_EQ(seen.handler, where());
  EXPECT_EQ(trace_of(seen.servant), trace_of(where()));
}

TEST_F(Outcomes, OfACallWithinTheProcessLeaveLaterCallsNothing) {
  const NodeRef within = node_within(orbs);
  for (int i = 0; i < 20; ++i) {
    const Seen before = call_of(within), then = call_of(node);
    EXPECT_EQ(before.handler, "");
    EXPECT_EQ(then.handler, "");
    EXPECT_NE(trace_of(then.servant), trace_of(before.servant));
  }
}

TEST_F(Outcomes, OfAFailureEndTheSpan) {
  const auto before = takt::tracing::counts(orbs.client).spans;
  EXPECT_THROW(node->async_refuse().future().get(), CORBA::NO_PERMISSION);
  EXPECT_EQ(takt::tracing::counts(orbs.client).spans, before + 1);
}

// Refuses all calls of ORBs whose names begin with "refusing".
class Refusing final : public IDL::traits<PortableInterceptor::ClientRequestInterceptor>::base_type {
 public:
  std::string name() override { return "refusing"; }
  void destroy() override {}
  void send_request(Info) override { throw CORBA::NO_PERMISSION(3); }
  void send_poll(Info) override {}
  void receive_reply(Info) override {}
  void receive_exception(Info) override {}
  void receive_other(Info) override {}
};
class RefusingInitializer final : public IDL::traits<PortableInterceptor::ORBInitializer>::base_type {
 public:
  void pre_init(IDL::traits<PortableInterceptor::ORBInitInfo>::ref_type info) override {
    if (info->orb_id().starts_with("refusing"))
      info->add_client_request_interceptor(CORBA::make_reference<Refusing>());
  }
  void post_init(IDL::traits<PortableInterceptor::ORBInitInfo>::ref_type) override {}
};

TEST(SpansOfRefusedCalls, HaveTheInterceptorsExceptionForCallsWithinTheProcessToo) {
  PortableInterceptor::register_orb_initializer(CORBA::make_reference<RefusingInitializer>());
  const std::string file = testing::TempDir() + "refused." + std::to_string(::getpid()) + ".spans";
  const auto orb = make_orb({"-ORBTracing", "1", "-ORBTraceSpans", "16", "-ORBTraceFile", file,
                             "-ORBListenEndpoints", OrbPair::loopback},
                            "refusing");
  const Poa root = root_poa(orb);
  const auto object = root->id_to_reference(root->activate_object(CORBA::make_reference<NodeServant>()));
  std::promise<Seen> none;
  EXPECT_THROW(NodeRef(IDL::traits<Traced::Node>::unchecked_narrow(object))
                   ->sendc_where(CORBA::make_reference<Handler>(none)),
               CORBA::NO_PERMISSION);
  orb->destroy();
  std::ifstream spans(file, std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(spans), {}};
  EXPECT_TRUE(all.contains("omg.org/CORBA/NO_PERMISSION")) << all.size();
  EXPECT_FALSE(all.contains("given the call up"));
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace feature::traces
