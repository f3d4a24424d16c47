// Calls whose arguments are encoded once.
#include <algorithm>

#include <gtest/gtest.h>

#include <takt/invocation/prepared_call.h>
#include <takt/reference/messaging.h>
#include <takt/reference/quality.h>

#include "orbs.h"

namespace feature {
namespace {

using namespace std::chrono_literals;
using ::Calls::Echo;
using Operations = Echo::_operations;
using EchoPoints = takt::PreparedCall<Echo, Operations::echo_points>;
using Sum = takt::PreparedCall<Echo, Operations::sum>;
using Refuse = takt::PreparedCall<Echo, Operations::refuse>;

const ::Calls::Points points{{1, 2.5, "one"}, {2, 3.5, "zw\u00f6lf"}, {3, 4.5, ""}};

bool same(const ::Calls::Points& a, const ::Calls::Points& b) {
  return std::ranges::equal(a, b, [](const ::Calls::Point& x, const ::Calls::Point& y) {
    return x.x() == y.x() && x.y() == y.y() && x.label() == y.label();
  });
}

TEST(PreparedCall, IsTheCallThatTheStubMakes) {
  const ServerAndClient orbs;
  const EchoPoints echo(points);
  const Sum sum(points, std::wstring(L" metres"));
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(same(echo(orbs.echo), points));
    std::wstring text;
    EXPECT_EQ(sum(orbs.echo, text), 10.5);
    EXPECT_EQ(text, L"3 metres");
  }
  takt::PreparedCall<Echo, Operations::note>(77)(orbs.echo);
  EXPECT_EQ(orbs.echo->noted(), 77);
  EXPECT_EQ((takt::PreparedCall<Echo, Operations::call_back>(orbs.echo, std::uint8_t{2})(orbs.echo)), 9);
}

TEST(PreparedCall, ThrowsWhatTheOperationRaises) {
  const ServerAndClient orbs;
  const Refuse refuse("because");
  for (int i = 0; i < 2; ++i) try {
      refuse(orbs.echo);
      FAIL() << "nothing was thrown";
    } catch (const ::Calls::Refused& refused) {
      EXPECT_EQ(refused.why(), "because");
    }
}

TEST(PreparedCall, GoesToManyObjectsNearAndFar) {
  const ServerAndClient one, other;
  const EchoPoints echo(points);
  const auto near = IDL::traits<Echo>::narrow(one.server->string_to_object(one.ior));
  for (int i = 0; i < 2; ++i)
    for (const EchoRef& target : {one.echo, other.echo, near}) EXPECT_TRUE(same(echo(target), points));
}

// One encoding for each code set.
TEST(PreparedCall, SuitsTheCodeSetsOfEachConnection) {
  const ServerAndClient utf_8({"-ORBCharCodeSet", "UTF-8"}), latin_1({"-ORBCharCodeSet", "ISO-8859-1"});
  const Refuse refuse("zw\u00f6lf");
  const auto client = make_orb({"-ORBCharCodeSet", "ISO-8859-1"}, "latin-1 client");
  const auto to_latin_1 = IDL::traits<Echo>::narrow(client->string_to_object(latin_1.ior));
  for (int i = 0; i < 2; ++i)
    for (const EchoRef& target : {utf_8.echo, to_latin_1}) try {
        refuse(target);
        FAIL() << "nothing was thrown";
      } catch (const ::Calls::Refused& refused) {
        EXPECT_EQ(refused.why(), "zw\u00f6lf");
      }
  client->destroy();
}

TEST(PreparedCall, OfWhatTheConnectionCannotSayFailsEachTime) {
  const ServerAndClient latin_1({"-ORBCharCodeSet", "ISO-8859-1"}, {"-ORBCharCodeSet", "ISO-8859-1"});
  const Refuse refuse("\u20ac 12");
  const ServerAndClient utf_8;
  for (int i = 0; i < 2; ++i) {
    EXPECT_THROW(refuse(latin_1.echo), CORBA::DATA_CONVERSION);
    EXPECT_THROW(refuse(utf_8.echo), ::Calls::Refused);
  }
}

// Before GIOP 1.2, bodies begin at another alignment and wide strings have another encoding.
TEST(PreparedCall, SuitsEachVersionOfGiop) {
  const EchoPoints echo(points);
  const takt::PreparedCall<Echo, Operations::echo_octets> octets(::Calls::Octets(100'000, 7));
  const char* const messaging = std::getenv("TAKT_MESSAGING");
  for (const char* version : {"1.2", "1.1", "1.0"}) {
    if (messaging && std::string(version) != "1.2") continue;
    const ServerAndClient orbs({"-ORBGIOPVersion", version});
    for (int i = 0; i < 2; ++i) {
      EXPECT_TRUE(same(echo(orbs.echo), points)) << version;
      EXPECT_EQ(octets(orbs.echo), ::Calls::Octets(100'000, 7)) << version;
    }
  }
}

TEST(PreparedCall, StaysRightWhileServiceContextsComeAndGo) {
  const ServerAndClient orbs;
  const EchoPoints echo(points);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(same(echo(orbs.echo), points));
    const takt::DeadlineScope deadline(30s);
    EXPECT_TRUE(same(echo(orbs.echo), points)) << "with the time that is left";
    takt::Quality quality = *takt::present_quality();
    quality.period = 1s;
    const takt::QualityScope scope(quality);
    EXPECT_TRUE(same(echo(orbs.echo), points)) << "and with a quality";
  }
  const takt::DeadlineScope passed(-1ms);
  EXPECT_THROW(echo(orbs.echo), CORBA::TIMEOUT);
}

// Forwards to an object elsewhere.
class Forwarding : public virtual PortableServer::ServantLocator {
 public:
  explicit Forwarding(CORBA::object_reference<CORBA::Object> to) : to_(std::move(to)) {}
  CORBA::servant_reference<PortableServer::Servant> preinvoke(const PortableServer::ObjectId&,
                                                              CORBA::object_reference<PortableServer::POA>,
                                                              const std::string&, Cookie&) override {
    throw PortableServer::ForwardRequest(to_);
  }
  void postinvoke(const PortableServer::ObjectId&, CORBA::object_reference<PortableServer::POA>,
                  const std::string&, Cookie, CORBA::servant_reference<PortableServer::Servant>) override {}

 private:
  const CORBA::object_reference<CORBA::Object> to_;
};

// The second request has another head, and over a connection with other code sets another body.
TEST(PreparedCall, FollowsTheObject) {
  const ServerAndClient gate, home({"-ORBCharCodeSet", "ISO-8859-1"});
  const auto root =
      IDL::traits<PortableServer::POA>::narrow(gate.server->resolve_initial_references("RootPOA"));
  const auto poa = root->create_POA(
      "gate", root->the_POAManager(),
      {root->create_request_processing_policy(
           PortableServer::RequestProcessingPolicyValue::USE_SERVANT_MANAGER),
       root->create_servant_retention_policy(PortableServer::ServantRetentionPolicyValue::NON_RETAIN)});
  poa->set_servant_manager(CORBA::make_reference<Forwarding>(gate.server->string_to_object(home.ior)));
  const auto reference = poa->create_reference(Echo::_interface_repository_id());
  const auto echo =
      IDL::traits<Echo>::narrow(gate.client->string_to_object(gate.server->object_to_string(reference)));
  const EchoPoints prepared(points);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(same(prepared(echo), points));
}

TEST(PreparedCall, LongOnesAreBorrowed) {
  const ServerAndClient orbs({}, {"-ORBClientConnections", "multiplexed"});
  const takt::PreparedCall<Echo, Operations::echo_points> echo(::Calls::Points(5000, {1, 2.5, "a label"}));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(echo(orbs.echo).size(), 5000u);
}

TEST(PreparedCall, ManyThreadsMayBeginIt) {
  const ServerAndClient orbs;
  for (int round = 0; round < 5; ++round) {
    const EchoPoints echo(points);
    std::vector<std::jthread> threads;
    std::atomic<int> right{0};
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (int call = 0; call < 5; ++call) right += same(echo(orbs.echo), points) ? 1 : 0;
      });
    threads.clear();
    EXPECT_EQ(right, 20);
  }
}

}  // namespace
}  // namespace feature
