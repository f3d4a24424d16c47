// ServerRequestInfo: what members tell. rows_test.cpp has each member at each point.
#include <takt/reference/messaging.h>

#include "probes.h"

namespace feature::server_infos {
namespace {

class ServerInfos : public Intercepted {
 protected:
  ServerInfos() {
    only_one();
    clients.clear();
  }
};

TEST_F(ServerInfos, NameTheObjectItsAdapterAndItsServer) {
  const OrbPair orbs({"-ORBServerId", "shop"});
  const Poa child = orbs.root->create_POA("child", orbs.root->the_POAManager(), {});
  const auto id = child->activate_object(CORBA::make_reference<EchoServant>());
  const auto echo = orbs.seen_by_client<Calls::Echo>(child->id_to_reference(id));
  on_server([&](const std::string& point, const ServerInfoRef& info) {
    if (point == "receive_contexts") return;
    EXPECT_EQ(info->object_id(), id);
    EXPECT_EQ(info->adapter_name(), (Words{"RootPOA", "child"}));
    EXPECT_EQ(info->server_id(), "shop");
    EXPECT_FALSE(info->adapter_id().empty());
  });
  echo->nothing();
  EXPECT_EQ(trace.take().size(), 3u);
}

TEST_F(ServerInfos, HaveNoObjectIfTheRequestLedToNone) {
  const OrbPair orbs;
  const auto id = orbs.root->activate_object(CORBA::make_reference<EchoServant>());
  const auto echo = orbs.seen_by_client<Calls::Echo>(orbs.root->id_to_reference(id));
  orbs.root->deactivate_object(id);
  trace.take();
  on_server([&](const std::string& point, const ServerInfoRef& info) {
    if (point == "receive_contexts") return;
    EXPECT_EQ(point, "send_exception");
    EXPECT_EQ(outcome_of([&] { info->object_id(); }), "NO_RESOURCES 1");
    EXPECT_EQ(outcome_of([&] { info->adapter_name(); }), "NO_RESOURCES 1");
    EXPECT_EQ(info->reply_status(), PI::SYSTEM_EXCEPTION);
    EXPECT_NE(takt::cdr::text_of(info->sending_exception()).find("OBJECT_NOT_EXIST"), std::string::npos);
  });
  EXPECT_THROW(echo->nothing(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_EQ(trace.take().size(), 2u);
}

// Longer than a message's usual buffer, and sent without copying.
TEST_F(ServerInfos, AddContextsToLongReplies) {
  const OrbPair orbs;
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  on_server([](const std::string& point, const ServerInfoRef& info) {
    if (point == "send_reply") info->add_reply_service_context({79, {1, 2, 3}}, false);
  });
  Calls::Octets octets(3'000'000, 5);
  octets.back() = 6;
  EXPECT_EQ(echo->echo_octets(octets), octets);
}

TEST_F(ServerInfos, OfOnewaysThatAreConfirmedKnowTheirScope) {
  const OrbPair orbs;
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  CORBA::Any scope;
  scope <<= Messaging::SYNC_WITH_SERVER;
  const auto confirmed = IDL::traits<Calls::Echo>::narrow(
      echo->_set_policy_overrides({orbs.client->create_policy(Messaging::SYNC_SCOPE_POLICY_TYPE, scope)},
                                  CORBA::SetOverrideType::SET_OVERRIDE));
  std::vector<bool> expected;
  on_server([&](const std::string&, const ServerInfoRef& info) {
    if (info->operation() != "note") return;
    EXPECT_EQ(info->sync_scope(), Messaging::SYNC_WITH_SERVER);
    expected.push_back(info->response_expected());
  });
  confirmed->note(5);
  EXPECT_EQ(confirmed->noted(), 5);
  EXPECT_EQ(expected, (std::vector{true, true, false})) << "the reply leaves before the upcall";
  for (const char* const point : {"receive_contexts", "receive_request"}) {
    on_server([&](const std::string& here, const ServerInfoRef& info) {
      if (info->operation() == "note" && here == point) throw CORBA::NO_PERMISSION(77);
    });
    EXPECT_EQ(outcome_of([&] { confirmed->note(6); }), "NO_PERMISSION 77") << point;
  }
  EXPECT_EQ(confirmed->noted(), 5);
  on_server([&](const std::string& here, const ServerInfoRef& info) {
    if (info->operation() == "note" && here == "send_reply") throw CORBA::NO_PERMISSION(77);
  });
  EXPECT_EQ(outcome_of([&] { confirmed->note(7); }), "ok") << "after the reply";
  EXPECT_EQ(confirmed->noted(), 7);
}

}  // namespace
}  // namespace feature::server_infos
