// ServerRequestInfo: each member at each point, by the table of CORBA 3.0.3, 21.3.14.
#include <map>

#include "probes.h"

namespace feature::server_infos {
namespace {

struct Member {
  const char* name;
  // The answer at receive_contexts, receive_request, send_reply, send_exception and send_other.
  std::array<const char*, 5> answers;
  std::function<void(const ServerInfoRef&)> use;
};

constexpr const char* order = "BAD_INV_ORDER 14";
constexpr const char* hidden = "NO_RESOURCES 1";
const Words points{"receive_contexts", "receive_request", "send_reply", "send_exception", "send_other"};

const std::vector<Member>& members() {
  static const std::vector<Member> all{
      {"request_id", {"ok", "ok", "ok", "ok", "ok"}, [](const auto& i) { i->request_id(); }},
      {"operation", {"ok", "ok", "ok", "ok", "ok"}, [](const auto& i) { i->operation(); }},
      {"response_expected", {"ok", "ok", "ok", "ok", "ok"}, [](const auto& i) { i->response_expected(); }},
      {"sync_scope", {"ok", "ok", "ok", "ok", "ok"}, [](const auto& i) { i->sync_scope(); }},
      {"arguments", {order, hidden, hidden, hidden, hidden}, [](const auto& i) { i->arguments(); }},
      {"exceptions", {order, hidden, hidden, hidden, hidden}, [](const auto& i) { i->exceptions(); }},
      {"contexts", {order, hidden, hidden, hidden, hidden}, [](const auto& i) { i->contexts(); }},
      {"operation_context",
       {order, hidden, hidden, order, order},
       [](const auto& i) { i->operation_context(); }},
      {"result", {order, order, hidden, order, order}, [](const auto& i) { i->result(); }},
      {"reply_status", {order, order, "ok", "ok", "ok"}, [](const auto& i) { i->reply_status(); }},
      {"forward_reference",
       {order, order, order, order, "ok"},
       [](const auto& i) { i->forward_reference(); }},
      {"get_slot",
       {"InvalidSlot", "InvalidSlot", "InvalidSlot", "InvalidSlot", "InvalidSlot"},
       [](const auto& i) { i->get_slot(0); }},
      {"set_slot",
       {"InvalidSlot", "InvalidSlot", "InvalidSlot", "InvalidSlot", "InvalidSlot"},
       [](const auto& i) { i->set_slot(0, any_of_long(1)); }},
      {"get_request_service_context",
       {"BAD_PARAM 26", "BAD_PARAM 26", "BAD_PARAM 26", "BAD_PARAM 26", "BAD_PARAM 26"},
       [](const auto& i) { i->get_request_service_context(77); }},
      {"get_reply_service_context",
       {order, order, "BAD_PARAM 26", "BAD_PARAM 26", "BAD_PARAM 26"},
       [](const auto& i) { i->get_reply_service_context(77); }},
      {"sending_exception",
       {order, order, order, "ok", order},
       [](const auto& i) { i->sending_exception(); }},
      {"object_id", {order, "ok", "ok", "ok", hidden}, [](const auto& i) { i->object_id(); }},
      {"adapter_id", {order, "ok", "ok", "ok", hidden}, [](const auto& i) { i->adapter_id(); }},
      {"adapter_name", {order, "ok", "ok", "ok", hidden}, [](const auto& i) { i->adapter_name(); }},
      {"server_id", {order, "ok", "ok", "ok", "ok"}, [](const auto& i) { EXPECT_EQ(i->server_id(), ""); }},
      {"orb_id",
       {order, "ok", "ok", "ok", "ok"},
       [](const auto& i) { EXPECT_TRUE(i->orb_id().starts_with("server")); }},
      {"target_most_derived_interface",
       {order, "ok", order, order, order},
       [](const auto& i) { EXPECT_EQ(i->target_most_derived_interface(), "IDL:Calls/Echo:1.0"); }},
      {"target_is_a",
       {order, "ok", order, order, order},
       [](const auto& i) {
         EXPECT_TRUE(i->target_is_a("IDL:Calls/Base:1.0"));
         EXPECT_FALSE(i->target_is_a("IDL:Calls/Other:1.0"));
       }},
      {"get_server_policy",
       {"INV_POLICY 3", "INV_POLICY 3", "INV_POLICY 3", "INV_POLICY 3", "INV_POLICY 3"},
       [](const auto& i) { i->get_server_policy(0x7777); }},
      {"add_reply_service_context",
       {"ok", "ok", "ok", "ok", "ok"},
       [](const auto& i) { i->add_reply_service_context({78, {1}}, true); }},
  };
  return all;
}

class ServerInfos : public Intercepted {
 protected:
  ServerInfos() {
    only_one();
    clients.clear();
  }
};

TEST_F(ServerInfos, HaveTheMembersOfTheTableAtEachPoint) {
  const Elsewhere elsewhere;
  const OrbPair orbs;
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  orbs.server->register_object_key("moved", orbs.server->string_to_object(elsewhere.text()));
  const std::string endpoint = orbs.server->_published_endpoints().front();
  const auto moved = IDL::traits<Calls::Echo>::unchecked_narrow(orbs.client->string_to_object(
      "corbaloc:iiop:1.2@" + endpoint.substr(endpoint.find(' ') + 1) + "/moved"));
  std::map<std::string, int> reached;
  on_server([&](const std::string& point, const ServerInfoRef& info) {
    ++reached[point];
    const auto column = static_cast<std::size_t>(std::ranges::find(points, point) - points.begin());
    for (const Member& member : members())
      EXPECT_EQ(outcome_of([&] { member.use(info); }), member.answers.at(column))
          << point << ": " << member.name;
  });
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_THROW(echo->refuse("no"), Calls::Refused);
  EXPECT_THROW(echo->fail_with_system_exception(), CORBA::NO_RESOURCES);
  EXPECT_EQ(moved->cube(3), 27);
  EXPECT_EQ(reached.size(), 5u);
}

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
    EXPECT_EQ(outcome_of([&] { info->object_id(); }), hidden);
    EXPECT_EQ(outcome_of([&] { info->adapter_name(); }), hidden);
    EXPECT_EQ(info->reply_status(), PI::SYSTEM_EXCEPTION);
    EXPECT_NE(takt::cdr::text_of(info->sending_exception()).find("OBJECT_NOT_EXIST"), std::string::npos);
  });
  EXPECT_THROW(echo->nothing(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_EQ(trace.take().size(), 2u);
}

TEST_F(ServerInfos, AreOfNoUseAfterTheirPoint) {
  const OrbPair orbs;
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  std::vector<ServerInfoRef> kept;
  on_server([&](const std::string&, const ServerInfoRef& info) {
    for (const ServerInfoRef& old : kept)
      for (const Member& member : members())
        EXPECT_EQ(outcome_of([&] { member.use(old); }), order) << member.name;
    kept.push_back(info);
  });
  for (int i = 0; i < 3; ++i) echo->nothing();
  EXPECT_EQ(kept.size(), 9u);
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
