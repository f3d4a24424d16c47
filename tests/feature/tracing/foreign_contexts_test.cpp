// Trace contexts that other ORBs send, well-formed or not.
#include <bit>

#include <takt/interceptors/interceptors.h>

#include "node.h"

namespace feature::traces {
namespace {

namespace PI = PortableInterceptor;
using takt::tracing::counts;
using Octets = std::vector<std::uint8_t>;

constexpr IOP::ServiceId trace_context = 0x54414b0b;
const std::string parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

// The trace context that the client's interceptor sends.
Octets sent;

class Sender final : public IDL::traits<PI::ClientRequestInterceptor>::base_type {
 public:
  std::string name() override { return "sender"; }
  void destroy() override {}
  void send_request(Info info) override { info->add_request_service_context({trace_context, sent}, false); }
  void send_poll(Info) override {}
  void receive_reply(Info) override {}
  void receive_exception(Info) override {}
  void receive_other(Info) override {}
};

class Initializer final : public IDL::traits<PI::ORBInitializer>::base_type {
 public:
  void pre_init(IDL::traits<PI::ORBInitInfo>::ref_type info) override {
    if (info->orb_id().starts_with("foreign"))
      info->add_client_request_interceptor(CORBA::make_reference<Sender>());
  }
  void post_init(IDL::traits<PI::ORBInitInfo>::ref_type) override {}
};

Octets encapsulated(const std::string& traceparent, const std::string& tracestate) {
  Octets data{std::endian::native == std::endian::little};
  for (const std::string& text : {traceparent, tracestate}) {
    data.resize((data.size() + 3) & ~std::size_t{3});
    const auto size = static_cast<std::uint32_t>(text.size() + 1);
    const auto* const octets = reinterpret_cast<const std::uint8_t*>(&size);
    data.insert(data.end(), octets, octets + 4);
    data.insert(data.end(), text.begin(), text.end());
    data.push_back(0);
  }
  return data;
}

class ForeignTraces : public testing::Test {
 protected:
  explicit ForeignTraces(const Options& client_options = {}) {
    static const bool once = [] {
      PI::register_orb_initializer(CORBA::make_reference<Initializer>());
      return true;
    }();
    (void)once;
    foreign = make_orb(client_options, "foreign");
    node =
        IDL::traits<Traced::Node>::narrow(foreign->string_to_object(orbs.server->object_to_string(object())));
  }
  ~ForeignTraces() override {
    node.reset();
    foreign->destroy();
  }
  CORBA::object_reference<CORBA::Object> object() const {
    return orbs.root->id_to_reference(orbs.root->activate_object(CORBA::make_reference<NodeServant>()));
  }

  OrbPair orbs{{"-ORBTracing", "0"}};
  Orb foreign;
  NodeRef node;
};

TEST_F(ForeignTraces, AreContinued) {
  sent = encapsulated(parent, "congo=t61rcWkgMzE,rojo=1");
  const std::string served = node->where();
  EXPECT_EQ(trace_of(served), trace_of(parent));
  EXPECT_EQ(served.substr(52), "-01 congo=t61rcWkgMzE,rojo=1");
  EXPECT_NE(span_of(served), span_of(parent));
  EXPECT_EQ(counts(orbs.server).malformed, 0u);
}

TEST_F(ForeignTraces, ThatAreNotRecordedArePassedOnAsTheyAre) {
  sent = encapsulated(parent.substr(0, 53) + "00", "congo=t61");
  const auto [first, second] = lines_of(node->where_beyond(IDL::traits<Traced::Node>::narrow(object())));
  EXPECT_EQ(first, parent.substr(0, 53) + "00 congo=t61");
  EXPECT_EQ(second, first);
  EXPECT_EQ(counts(orbs.server).spans, 0u);
}

TEST_F(ForeignTraces, WithAMalformedStateAreContinuedWithoutIt) {
  sent = encapsulated(parent, "No=Such,State");
  EXPECT_EQ(node->where().substr(52), "-01 ");
}

TEST_F(ForeignTraces, ThatAreMalformedAreIgnoredAndCounted) {
  std::uint64_t malformed = 0;
  const Octets good = encapsulated(parent, "");
  const std::vector<Octets> bad{{},
                                {0},
                                {9, 0, 0, 0},
                                Octets(good.begin(), good.begin() + 63),
                                Octets(10000, 0xff),
                                encapsulated("00-" + parent, ""),
                                encapsulated("", "")};
  for (const Octets& octets : bad) {
    sent = octets;
    EXPECT_EQ(node->where(), "");
    EXPECT_EQ(counts(orbs.server).malformed, ++malformed);
  }
  sent = good;
  EXPECT_EQ(trace_of(node->where()), trace_of(parent));
}

// A traced client with interceptors, whose context the ORB's own replaces.
class TracedInterceptors : public ForeignTraces {
 protected:
  TracedInterceptors() : ForeignTraces({"-ORBTracing", "1"}) {}
};

TEST_F(TracedInterceptors, SendTheTraceOfTheOrb) {
  sent = encapsulated(parent, "");
  const takt::tracing::Span span(foreign, "work");
  EXPECT_EQ(trace_of(node->where()), trace_of(where()));
  EXPECT_THROW(node->refuse(), CORBA::NO_PERMISSION);
  EXPECT_EQ(trace_of(node->async_where().future().get()), trace_of(where()));
  node->note();
  EXPECT_EQ(trace_of(node->noted()), trace_of(where()));
  EXPECT_EQ(counts(foreign).spans, 5u);
}

class UntracedInterceptors : public ForeignTraces {
 protected:
  UntracedInterceptors() : ForeignTraces({"-ORBTracing", "0"}) {}
};

TEST_F(UntracedInterceptors, SendTheirOwn) {
  sent = encapsulated(parent, "");
  EXPECT_EQ(trace_of(node->where()), trace_of(parent));
  EXPECT_EQ(trace_of(node->async_where().future().get()), trace_of(parent));
  EXPECT_EQ(counts(foreign).spans, 0u);
}

}  // namespace
}  // namespace feature::traces
