// ClientRequestInfo: what members tell. rows_test.cpp has each member at each point.
#include "probes.h"

namespace feature::client_infos {
namespace {

class ClientInfos : public Intercepted {
 protected:
  ClientInfos() { only_one(); }
};

TEST_F(ClientInfos, TellTheOutcome) {
  servers.clear();
  const OrbPair orbs;
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  Words seen;
  on_client([&](const std::string& point, const ClientInfoRef& info) {
    EXPECT_TRUE(info->target()->_is_equivalent(echo));
    EXPECT_TRUE(info->effective_target()->_is_equivalent(echo));
    EXPECT_EQ(info->effective_profile().tag(), IOP::TAG_INTERNET_IOP);
    if (point == "send_request") return;
    seen.push_back(info->operation() + std::to_string(info->reply_status()));
    if (point == "receive_exception") seen.push_back(info->received_exception_id());
  });
  echo->nothing();
  EXPECT_THROW(echo->refuse("no"), Calls::Refused);
  EXPECT_THROW(echo->fail_with_system_exception(), CORBA::NO_RESOURCES);
  echo->note(1);
  EXPECT_EQ(seen, (Words{"nothing0", "refuse2", "IDL:Calls/Refused:1.0", "fail_with_system_exception1",
                         "IDL:omg.org/CORBA/NO_RESOURCES:1.0", "note0"}));
}

// Keeps the infos of its points, and changes the reference that a point has, in each way in turn.
template <class InfoRef>
class Keeper {
 public:
  ~Keeper() { EXPECT_GT(points_, 2u * ways); }

  void at_point(const InfoRef& info) {
    expect_over();
    const InfoRef earlier = std::exchange(kept_, info);
    change(const_cast<InfoRef&>(info), earlier);  // the parameter of the point, which is no constant
    EXPECT_EQ(kept_->operation(), "cube");
    if (points_++ % ways == 0) throw CORBA::NO_PERMISSION();
  }
  void expect_over() const {
    if (!kept_) return;
    EXPECT_EQ(outcome_of([this] { (void)kept_->operation(); }), "BAD_INV_ORDER 14");
  }

 private:
  static constexpr unsigned ways = 7;

  void change(InfoRef& own, const InfoRef& earlier) const {
    InfoRef nil;
    switch (points_ % ways) {
      case 1:
        own = nullptr;
        break;
      case 2:
        own.reset();
        own = earlier;
        break;
      case 3:
        own.swap(nil);
        EXPECT_FALSE(own);
        EXPECT_TRUE(nil == kept_);
        break;
      case 4:
        own = InfoRef(own);
        EXPECT_TRUE(own == kept_);
        break;
      case 5:
        own = earlier;
        own = nil;
        break;
      default:
        break;
    }
  }

  InfoRef kept_;
  unsigned points_ = 0;
};

TEST_F(ClientInfos, AndThoseOfServersAreOverForCopiesWhateverBecameOfTheReference) {
  Keeper<ClientInfoRef> of_client;
  Keeper<ServerInfoRef> of_server;
  on_client([&](const std::string&, const ClientInfoRef& info) { of_client.at_point(info); });
  on_server([&](const std::string&, const ServerInfoRef& info) { of_server.at_point(info); });
  {
    const OrbPair orbs;
    const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
    for (int i = 0; i < 20; ++i) outcome_of([&] { (void)echo->cube(3); });
  }
  of_client.expect_over();
  of_server.expect_over();
}

TEST_F(ClientInfos, HaveExceptionsAsAnys) {
  servers.clear();
  const OrbPair orbs;
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  Words seen;
  on_client([&](const std::string& point, const ClientInfoRef& info) {
    if (point == "receive_exception") seen.push_back(takt::cdr::text_of(info->received_exception()));
  });
  EXPECT_THROW(echo->fail_with_system_exception(), CORBA::NO_RESOURCES);
  EXPECT_THROW(echo->refuse("no"), Calls::Refused);  // the stub alone knows its type
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_NE(seen[0].find("minor=7"), std::string::npos) << seen[0];
  EXPECT_NE(seen[1].find("UNKNOWN"), std::string::npos) << seen[1];
}

TEST_F(ClientInfos, HaveUserExceptionsOfTheProcess) {
  servers.clear();
  const Orb orb = make_orb({"-ORBListenEndpoints", OrbPair::loopback}, "both");
  const Poa root = root_poa(orb);
  root->the_POAManager()->activate();
  const auto echo = IDL::traits<Calls::Echo>::narrow(
      root->id_to_reference(root->activate_object(CORBA::make_reference<EchoServant>())));
  Calls::Refused refused;
  on_client([&](const std::string& point, const ClientInfoRef& info) {
    if (point == "receive_exception") {
      EXPECT_TRUE(info->received_exception() >>= refused);
    }
  });
  EXPECT_THROW(echo->refuse("why"), Calls::Refused);
  EXPECT_EQ(refused.why(), "why");
  orb->destroy();
}

class ContextsOfRequests : public Intercepted {
 protected:
  static std::string text_in(const IOP::ServiceContext& context) {
    return {context.context_data().begin(), context.context_data().end()};
  }
  static IOP::ServiceContext with(std::uint32_t id, const std::string& text) {
    return {id, std::vector<std::uint8_t>(text.begin(), text.end())};
  }
  static constexpr std::uint32_t id = 0x4d595354;
};

// The contexts have lengths that change the alignment of the rest.
TEST_F(ContextsOfRequests, ReachTheServerAndComeBackWithEachKindOfReply) {
  only_one();
  const OrbPair orbs;
  const auto servant = CORBA::make_reference<EchoServant>();
  const auto object = orbs.root->id_to_reference(orbs.root->activate_object(servant));
  for (const char* const adding : {"receive_contexts", "receive_request", "send_reply"}) {
    for (const std::size_t length : {0, 1, 2, 3, 4, 5, 7, 8, 1000, 30000}) {
      SCOPED_TRACE(std::string(adding) + " " + std::to_string(length));
      on_client(nullptr);
      on_server(nullptr);
      const auto echo = orbs.seen_by_client<Calls::Echo>(object);
      const std::string text(length, 'x');
      int replies = 0;
      on_client([&](const std::string& point, const ClientInfoRef& info) {
        if (point == "send_request") {
          info->add_request_service_context(with(id, text), false);
          EXPECT_EQ(text_in(info->get_request_service_context(id)), text);
        } else {
          ++replies;
          EXPECT_EQ(text_in(info->get_request_service_context(id)), text);
          EXPECT_EQ(text_in(info->get_reply_service_context(id + 1)), text + "!");
        }
      });
      on_server([&](const std::string& point, const ServerInfoRef& info) {
        EXPECT_EQ(text_in(info->get_request_service_context(id)), text);
        const bool ends = point.starts_with("send");
        if (point == adding || (ends && std::string(adding) == "send_reply"))
          info->add_reply_service_context(with(id + 1, text + "!"), false);
        if (ends) {
          EXPECT_EQ(text_in(info->get_reply_service_context(id + 1)), text + "!");
        }
      });
      EXPECT_EQ(echo->cube(3), 27);
      EXPECT_EQ(echo->echo_points({{1, 2.5, "a"}, {2, 3.5, "b"}}).at(1).y(), 3.5);
      try {
        echo->refuse("because");
        ADD_FAILURE();
      } catch (const Calls::Refused& refused) {
        EXPECT_EQ(refused.why(), "because");
      }
      EXPECT_THROW(echo->fail_with_system_exception(), CORBA::NO_RESOURCES);
      EXPECT_EQ(replies, 4);
    }
  }
}

TEST_F(ContextsOfRequests, AreThoseOfEachVersionOfGiop) {
  only_one();
  const OrbPair orbs;
  const auto object =
      orbs.root->id_to_reference(orbs.root->activate_object(CORBA::make_reference<EchoServant>()));
  orbs.server->register_object_key("Echo", object);
  const std::string endpoint = orbs.server->_published_endpoints().front();
  const std::string address = endpoint.substr(endpoint.find(' ') + 1);
  for (const char* const version : {"1.0", "1.1", "1.2"}) {
    for (std::size_t length = 0; length < 9; ++length) {
      SCOPED_TRACE(std::string(version) + " " + std::to_string(length));
      const auto echo = IDL::traits<Calls::Echo>::unchecked_narrow(
          orbs.client->string_to_object(std::string("corbaloc:iiop:") + version + "@" + address + "/Echo"));
      const std::string text(length, 'y');
      on_client([&](const std::string& point, const ClientInfoRef& info) {
        if (point == "send_request")
          info->add_request_service_context(with(id, text), false);
        else {
          EXPECT_EQ(text_in(info->get_reply_service_context(id)), text);
        }
      });
      on_server([&](const std::string& point, const ServerInfoRef& info) {
        EXPECT_EQ(text_in(info->get_request_service_context(id)), text);
        if (point.starts_with("send")) info->add_reply_service_context(with(id, text), false);
      });
      EXPECT_EQ(echo->echo_points({{1, 2.5, "a"}, {2, 3.5, "b"}}).at(1).y(), 3.5);
      EXPECT_THROW(echo->refuse("x"), Calls::Refused);
    }
  }
}

TEST_F(ContextsOfRequests, PassBetweenTheSidesWithinTheProcess) {
  only_one();
  const Orb orb = make_orb({"-ORBListenEndpoints", OrbPair::loopback}, "both");
  const Poa root = root_poa(orb);
  root->the_POAManager()->activate();
  const auto echo = IDL::traits<Calls::Echo>::narrow(
      root->id_to_reference(root->activate_object(CORBA::make_reference<EchoServant>())));
  int replies = 0;
  on_client([&](const std::string& point, const ClientInfoRef& info) {
    if (point == "send_request") return info->add_request_service_context(with(id, "there"), false);
    EXPECT_EQ(text_in(info->get_reply_service_context(id)), "back");
    ++replies;
  });
  on_server([&](const std::string& point, const ServerInfoRef& info) {
    EXPECT_EQ(text_in(info->get_request_service_context(id)), "there");
    if (point == "receive_request") info->add_reply_service_context(with(id, "back"), false);
  });
  echo->nothing();
  EXPECT_THROW(echo->refuse(""), Calls::Refused);
  EXPECT_EQ(replies, 2);
  orb->destroy();
}

TEST_F(ContextsOfRequests, AreReplacedOnlyIfAsked) {
  servers.resize(1);
  const OrbPair orbs;
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  on_client([&](const std::string& point, const ClientInfoRef& info) {
    if (point == "send_request") info->add_request_service_context(with(id, "A"), false);
  });
  clients[1]->on = [&](const std::string& point, const ClientInfoRef& info) {
    if (point != "send_request") return;
    EXPECT_EQ(outcome_of([&] { info->add_request_service_context(with(id, "B"), false); }),
              "BAD_INV_ORDER 15");
    EXPECT_EQ(text_in(info->get_request_service_context(id)), "A");
    info->add_request_service_context(with(id, "C"), true);
  };
  std::string seen;
  on_server([&](const std::string& point, const ServerInfoRef& info) {
    seen = text_in(info->get_request_service_context(id));
    if (point != "receive_request") return;
    info->add_reply_service_context(with(id, "1"), false);
    EXPECT_EQ(outcome_of([&] { info->add_reply_service_context(with(id, "2"), false); }), "BAD_INV_ORDER 15");
    info->add_reply_service_context(with(id, "3"), true);
  });
  echo->nothing();
  EXPECT_EQ(seen, "C");
}

TEST_F(ContextsOfRequests, OfTheOrbAreNotReplaced) {
  only_one();
  const OrbPair orbs;
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  on_client([&](const std::string& point, const ClientInfoRef& info) {
    if (point == "send_request")
      info->add_request_service_context(with(IOP::CodeSets, "not code sets"), true);
  });
  std::wstring text;
  EXPECT_EQ(echo->sum({}, text, L"\u20ac"), 0);  // with the first request's code sets
  EXPECT_EQ(text, L"0\u20ac");
}

}  // namespace
}  // namespace feature::client_infos
