// Arguments, results and exceptions of dynamic requests and dynamic servants, as interceptors see them.
#include <takt/dynamic/request.h>
#include <takt/dynamic/server_request.h>
#include <takt/interceptors/codec.h>

#include "probes.h"

namespace feature::values {
namespace {

using RequestRef = CORBA::object_reference<CORBA::Request>;
using Text = std::string;

// Such as `string "a"`.
Text text_of(const CORBA::Any& value) { return takt::cdr::text_of(value).substr(Text("any ").size()); }
Text text_of(const Dynamic::ParameterList& list) {
  Text all;
  for (const Dynamic::Parameter& one : list)
    all += std::to_string(static_cast<int>(one.mode())) + ":" + text_of(one.argument()) + " ";
  return all;
}
template <class Info>
Text arguments(const Info& info) {
  Text seen;
  const Text outcome = outcome_of([&] { seen = text_of(info->arguments()); });
  return outcome == "ok" ? seen : outcome;
}
template <class Info>
Text result(const Info& info) {
  Text seen;
  const Text outcome = outcome_of([&] { seen = text_of(info->result()); });
  return outcome == "ok" ? seen : outcome;
}

RequestRef join(const EchoRef& echo) {
  const auto request = echo->_request("join");
  request->add_in_arg() <<= Text("a");
  request->add_inout_arg() <<= Text("b");
  request->add_out_arg(IDL::type_code<Text>());
  request->set_return_type(IDL::type_code<Text>());
  return request;
}
RequestRef refuse(const EchoRef& echo) {
  const auto request = echo->_request("refuse");
  request->add_in_arg() <<= Text("why");
  request->exceptions().push_back(IDL::type_code<Calls::Refused>());
  return request;
}

// A dynamic servant of Calls::Echo.
class EchoByHand : public virtual PortableServer::DynamicImplementation {
  std::string _primary_interface(const PortableServer::ObjectId&,
                                 CORBA::object_reference<PortableServer::POA>) override {
    return "IDL:Calls/Echo:1.0";
  }
};

// Calls::Echo::join(), refuse() and nothing(), of which it asks no arguments.
class DynamicEcho final : public EchoByHand {
 public:
  void invoke(CORBA::object_reference<CORBA::ServerRequest> request) override {
    const auto list = CORBA::make_reference<CORBA::NVList>();
    if (request->operation() == "nothing") throw CORBA::NO_PERMISSION(77, CORBA::COMPLETED_NO);
    CORBA::Any result;
    if (request->operation() == "refuse") {
      list->add(CORBA::ARG_IN)->value().type(IDL::type_code<Text>());
      request->arguments(list);
      result <<= Calls::Refused("dynamic", 5);
      return request->set_exception(result);
    }
    for (const auto way : {CORBA::ARG_IN, CORBA::ARG_INOUT, CORBA::ARG_OUT})
      list->add(way)->value().type(IDL::type_code<Text>());
    request->arguments(list);
    list->item(1)->value() <<= Text("B");
    list->item(2)->value() <<= Text("C");
    result <<= Text("R");
    request->set_result(result);
  }
};

class ValuesOfCalls : public Intercepted {
 protected:
  ValuesOfCalls() { only_one(); }
  void client_sees(const EchoRef& echo, const Words& joined) {
    Words seen;
    on_client([&](const Text& point, const ClientInfoRef& info) {
      seen.push_back(point + " " + arguments(info) + "/ " + result(info));
    });
    join(echo)->invoke();
    EXPECT_EQ(seen, joined);
  }
};

const Words joined_by_servant{
    "send_request 0:string \"a\" 2:string \"b\" 1:null / BAD_INV_ORDER 14",
    "receive_reply 0:string \"a\" 2:string \"b!\" 1:string \"ab\" / string \"<ab>\""};

TEST_F(ValuesOfCalls, AreThoseOfDynamicRequestsInTheClient) {
  servers.clear();
  const OrbPair orbs;
  client_sees(orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>()), joined_by_servant);
}

TEST_F(ValuesOfCalls, AreThoseOfDynamicRequestsWithinTheProcess) {
  servers.clear();
  const Orb orb = make_orb({"-ORBListenEndpoints", OrbPair::loopback}, "both");
  const Poa root = root_poa(orb);
  root->the_POAManager()->activate();
  client_sees(IDL::traits<Calls::Echo>::narrow(
                  root->id_to_reference(root->activate_object(CORBA::make_reference<EchoServant>()))),
              joined_by_servant);
  orb->destroy();
}

// Returns a number for each operation.
class NumbersByHand final : public EchoByHand {
 public:
  void invoke(CORBA::object_reference<CORBA::ServerRequest> request) override {
    request->arguments(CORBA::make_reference<CORBA::NVList>());
    request->set_result(any_of_long(1'000'000));
  }
};

// The call has run, so it is not made again.
TEST_F(ValuesOfCalls, ThatCannotBeReadAreNotForwarded) {
  servers.clear();
  const OrbPair orbs;
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<NumbersByHand>());
  on_client([&](const Text& point, const ClientInfoRef& info) {
    if (point != "receive_exception") return;
    EXPECT_EQ(info->received_exception_id(), "IDL:omg.org/CORBA/MARSHAL:1.0");
    throw PI::ForwardRequest(orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>()));
  });
  EXPECT_EQ(outcome_of([&] { echo->name(); }), "UNKNOWN 1");
  EXPECT_EQ(outcome_of([&] { echo->name(); }), "UNKNOWN 1") << "the reference is as it was";
}

// Each member that tells of values x each point.
TEST_F(ValuesOfCalls, AreThereAtThePointsOfTheTable) {
  servers.clear();
  const OrbPair orbs;
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  Words seen;
  on_client([&](const Text& point, const ClientInfoRef& info) {
    seen.push_back(point);
    for (const Text& outcome :
         {outcome_of([&] { info->arguments(); }), outcome_of([&] { info->exceptions(); }),
          outcome_of([&] { info->contexts(); }), outcome_of([&] { info->operation_context(); }),
          outcome_of([&] { info->result(); })})
      seen.push_back(outcome == "BAD_INV_ORDER 14" ? "-" : outcome);
  });
  join(echo)->invoke();
  EXPECT_THROW(refuse(echo)->invoke(), CORBA::UnknownUserException);
  const auto oneway = echo->_request("note");
  oneway->add_in_arg() <<= std::int32_t{1};
  oneway->send_oneway();
  EXPECT_EQ(seen, (Words{"send_request",      "ok", "ok", "ok", "ok", "-",   //
                         "receive_reply",     "ok", "ok", "ok", "ok", "ok",  //
                         "send_request",      "ok", "ok", "ok", "ok", "-",   //
                         "receive_exception", "-",  "ok", "ok", "ok", "-",   //
                         "send_request",      "ok", "ok", "ok", "ok", "-",   //
                         "receive_other",     "-",  "ok", "ok", "ok", "-"}));
}

TEST_F(ValuesOfCalls, IncludeExceptionsAndContextsOfDynamicRequests) {
  servers.clear();
  const OrbPair orbs;
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  Calls::Refused refused;
  Words contexts;
  on_client([&](const Text& point, const ClientInfoRef& info) {
    ASSERT_EQ(info->exceptions().size(), 1u);
    EXPECT_EQ(info->exceptions()[0]->id(), "IDL:Calls/Refused:1.0");
    EXPECT_EQ(info->contexts(), (Words{"user", "lang*"}));
    contexts = info->operation_context();
    if (point == "receive_exception") {
      EXPECT_TRUE(info->received_exception() >>= refused);
    }
  });
  const auto request = refuse(echo);
  const auto context = CORBA::make_reference<CORBA::Context>();
  CORBA::Any value;
  for (const char* const name : {"user", "language", "other"}) {
    value <<= Text(name) + "!";
    context->set_one_value(name, value);
  }
  request->ctx(context);
  request->contexts() = {"user", "lang*"};
  EXPECT_THROW(request->invoke(), CORBA::UnknownUserException);
  EXPECT_EQ(refused.why(), "why");
  EXPECT_EQ(contexts, (Words{"language", "language!", "user", "user!"}));
}

TEST_F(ValuesOfCalls, AreNotTakenForThoseOfCallsWithinAPoint) {
  servers.clear();
  const OrbPair orbs;
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  Words seen;
  bool inside = false;
  on_client([&](const Text& point, const ClientInfoRef& info) {
    const bool outer = !std::exchange(inside, true);
    if (outer) {
      Text b = "x", c;
      echo->join("static", b, c);  // shows nothing, although it has the operation's name
      const auto other = echo->_request("cube");
      other->add_in_arg() <<= std::uint8_t{2};
      other->set_return_type(IDL::type_code<std::uint8_t>());
      other->invoke();
      inside = false;
    }
    seen.push_back(point.substr(0, 4) + " " + arguments(info));
  });
  const auto deferred = join(echo);  // in another thread
  deferred->send_deferred();
  deferred->get_response();
  const Words within{"send NO_RESOURCES 1", "rece NO_RESOURCES 1", "send 0:octet 2 ", "rece 0:octet 2 "};
  Words expected;
  for (const char* const own : {"send 0:string \"a\" 2:string \"b\" 1:null ",
                                "rece 0:string \"a\" 2:string \"b!\" 1:string \"ab\" "}) {
    expected.insert(expected.end(), within.begin(), within.end());
    expected.push_back(own);
  }
  EXPECT_EQ(seen, expected);
}

TEST_F(ValuesOfCalls, AreThoseOfDynamicServantsOnceTheyHaveRun) {
  clients.clear();
  const OrbPair orbs;
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<DynamicEcho>());
  trace.take();
  Words seen;
  Calls::Refused refused;
  on_server([&](const Text& point, const ServerInfoRef& info) {
    if (point == "receive_contexts") return;
    seen.push_back(point + " " + arguments(info) + "/ " + result(info));
    if (point == "send_exception" && info->operation() == "refuse") {
      EXPECT_TRUE(info->sending_exception() >>= refused);
    }
  });
  Text b = "b", c;
  EXPECT_EQ(echo->join("a", b, c), "R");
  EXPECT_THROW(echo->refuse("why"), Calls::Refused);
  EXPECT_THROW(echo->nothing(), CORBA::NO_PERMISSION);
  EXPECT_EQ(seen, (Words{"receive_request NO_RESOURCES 1/ BAD_INV_ORDER 14",
                         "send_reply 0:string \"a\" 2:string \"B\" 1:string \"C\" / string \"R\"",
                         "receive_request NO_RESOURCES 1/ BAD_INV_ORDER 14",
                         "send_exception 0:string \"why\" / BAD_INV_ORDER 14",
                         "receive_request NO_RESOURCES 1/ BAD_INV_ORDER 14",
                         "send_exception NO_RESOURCES 1/ BAD_INV_ORDER 14"}));
  EXPECT_EQ(refused.why(), "dynamic");
}

// A later request in the same thread, of a servant with generated code, shows nothing of the one before.
TEST_F(ValuesOfCalls, EndWithTheirRequest) {
  clients.clear();
  const OrbPair orbs;
  const auto dynamic = orbs.publish<Calls::Echo>(CORBA::make_reference<DynamicEcho>());
  const auto compiled = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  Words seen;
  on_server([&](const Text& point, const ServerInfoRef& info) {
    if (point == "send_reply") seen.push_back(arguments(info));
  });
  for (int i = 0; i < 2; ++i) {
    Text b = "b", c;
    dynamic->join("a", b, c);
    compiled->join("a", b, c);
  }
  const Text shown = "0:string \"a\" 2:string \"B\" 1:string \"C\" ";
  EXPECT_EQ(seen, (Words{shown, "NO_RESOURCES 1", shown, "NO_RESOURCES 1"}));
}

// Each attempt shows the same values, as does a request that is made again.
TEST_F(ValuesOfCalls, AreThereInEachAttemptAndEachCallOfARequest) {
  servers.clear();
  const OrbPair orbs;
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  const auto other = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  Words seen;
  bool forwarded = false;
  on_client([&](const Text& point, const ClientInfoRef& info) {
    if (point != "receive_other") seen.push_back(point.substr(0, 4) + " " + arguments(info));
    if (point == "send_request" && !std::exchange(forwarded, true)) throw PI::ForwardRequest(other);
    if (point == "receive_reply" && seen.size() > 3) throw CORBA::NO_PERMISSION(77, CORBA::COMPLETED_YES);
  });
  const auto request = echo->_request("cube");
  request->add_in_arg() <<= std::uint8_t{2};
  request->set_return_type(IDL::type_code<std::uint8_t>());
  request->invoke();
  request->_reset();
  request->arguments()->item(0)->value() <<= std::uint8_t{3};
  EXPECT_EQ(outcome_of([&] { request->invoke(); }), "NO_PERMISSION 77");
  EXPECT_EQ(seen, (Words{"send 0:octet 2 ", "send 0:octet 2 ", "rece 0:octet 2 ", "send 0:octet 3 ",
                         "rece 0:octet 3 "}));
}

// An interceptor may keep what it was shown: it does not change with the request.
TEST_F(ValuesOfCalls, AreCopies) {
  servers.clear();
  const OrbPair orbs;
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  std::vector<CORBA::Any> kept;
  on_client([&](const Text& point, const ClientInfoRef& info) {
    if (point != "receive_reply") return;
    kept.push_back(info->arguments().front().argument());
    kept.push_back(info->result());
  });
  const auto request = echo->_request("cube");
  request->add_in_arg() <<= std::uint8_t{2};
  request->set_return_type(IDL::type_code<std::uint8_t>());
  for (std::uint8_t i = 2; i < 5; ++i) {
    request->arguments()->item(0)->value() <<= i;
    request->invoke();
    request->_reset();
  }
  Words texts;
  for (const CORBA::Any& one : kept) texts.push_back(text_of(one));
  EXPECT_EQ(texts, (Words{"octet 2", "octet 8", "octet 3", "octet 27", "octet 4", "octet 64"}));
}

// The servant expects other arguments than have come.
class Mistaken final : public EchoByHand {
 public:
  void invoke(CORBA::object_reference<CORBA::ServerRequest> request) override {
    const auto list = CORBA::make_reference<CORBA::NVList>();
    list->add(CORBA::ARG_IN)->value().type(IDL::type_code<Calls::Points>());
    list->add(CORBA::ARG_OUT)->value().type(IDL::type_code<Text>());
    request->arguments(list);
  }
};

TEST_F(ValuesOfCalls, ThatCouldNotBeReadHaveATypeAndNoValue) {
  clients.clear();
  const OrbPair orbs;
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<Mistaken>());
  const auto codec =
      IDL::traits<IOP::CodecFactory>::narrow(orbs.server->resolve_initial_references("CodecFactory"))
          ->create_codec({IOP::ENCODING_CDR_ENCAPS, 1, 2});
  int seen = 0;
  on_server([&](const Text& point, const ServerInfoRef& info) {
    if (point != "send_exception") return;
    const auto list = info->arguments();
    ASSERT_EQ(list.size(), 2u);
    Calls::Points points;
    EXPECT_FALSE(list[0].argument() >>= points);
    for (const Dynamic::Parameter& one : list) {
      takt::cdr::text_of(one.argument());
      outcome_of([&] { codec->encode(one.argument()); });  // no crash
    }
    ++seen;
  });
  EXPECT_THROW(echo->cube(200), CORBA::MARSHAL);
  EXPECT_EQ(seen, 1);
}

// Requests within requests, in one thread: each shows its own.
class Nesting final : public EchoByHand {
 public:
  EchoRef inner;
  void invoke(CORBA::object_reference<CORBA::ServerRequest> request) override {
    const auto list = CORBA::make_reference<CORBA::NVList>();
    list->add(CORBA::ARG_IN)->value().type(IDL::type_code<std::uint8_t>());
    request->arguments(list);
    std::uint8_t x = 0;
    list->item(0)->value() >>= x;
    if (x > 0) inner->cube(static_cast<std::uint8_t>(x - 1));
    CORBA::Any result;
    result <<= x;
    request->set_result(result);
  }
};

TEST_F(ValuesOfCalls, OfRequestsWithinRequestsAreTheirOwn) {
  clients.clear();
  const OrbPair orbs({"-ORBServerThreads", "8"});
  const auto nesting = CORBA::make_reference<Nesting>();
  const auto object = orbs.root->id_to_reference(orbs.root->activate_object(nesting));
  nesting->inner = IDL::traits<Calls::Echo>::narrow(object);
  const auto echo = orbs.seen_by_client<Calls::Echo>(object);
  std::mutex mutex;
  Words seen;
  on_server([&](const Text& point, const ServerInfoRef& info) {
    if (point != "send_reply" || info->operation() != "cube") return;
    const std::lock_guard lock(mutex);
    seen.push_back(arguments(info) + result(info));
  });
  EXPECT_EQ(echo->cube(3), 3);
  on_server(nullptr);
  nesting->inner = nullptr;
  EXPECT_EQ(seen,
            (Words{"0:octet 0 octet 0", "0:octet 1 octet 1", "0:octet 2 octet 2", "0:octet 3 octet 3"}));
}

TEST_F(ValuesOfCalls, AreThoseOfARequestWhosePointMakesACall) {
  clients.clear();
  const OrbPair orbs;
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<DynamicEcho>());
  const auto here = IDL::traits<Calls::Echo>::narrow(
      orbs.root->id_to_reference(orbs.root->activate_object(CORBA::make_reference<EchoServant>())));
  std::size_t shown = 0;
  on_server([&](const Text& point, const ServerInfoRef& info) {
    if (info->operation() != "join") return;
    if (point == "receive_request") {
      EXPECT_EQ(here->cube(3), 27);
    }
    if (point == "send_reply") shown = info->arguments().size();
  });
  Text b, c;
  EXPECT_EQ(echo->join("a", b, c), "R");
  EXPECT_EQ(shown, 3u);
}

}  // namespace
}  // namespace feature::values
