// Dynamic requests to servants with compiled skeletons.
#include <takt/reference/messaging.h>
#include <takt/reference/quality.h>

#include "../hostile/raw_peer.h"
#include "requests.h"

namespace feature {
namespace {

using namespace std::chrono_literals;

// By the wire, and to an object of the same ORB.
struct Requests : testing::Test {
  ServerAndClient orbs;
  std::vector<ObjectRef> targets() { return {orbs.echo, orbs.server->string_to_object(orbs.ior)}; }
};

TEST_F(Requests, CallOperationsAsStubsDo) {
  for (const ObjectRef& target : targets()) {
    const auto request = cube_request(target, 3);
    request->invoke();
    EXPECT_EQ(octet_result(request), 27);
    const auto nothing = target->_request("nothing");
    nothing->invoke();
    EXPECT_EQ(nothing->return_value().type()->kind(), CORBA::TCKind::tk_void);
  }
}

// A corbaloc says no code sets: text travels as ISO 8859-1.
TEST(RequestsWithoutCodeSets, SendTextAsStubsDo) {
  ServerAndClient orbs({"-ORBMessaging", "giop"}, {"-ORBMessaging", "giop"});
  const auto object = orbs.client->string_to_object(Place(orbs.ior).corbaloc());
  const std::string text = "caf\u00e9";
  std::string both = "b", out;
  const std::string expected = takt::reference::make_stub<Calls::Echo>(object->_ref())->join(text, both, out);
  ASSERT_NE(expected.find(text), std::string::npos);

  const auto request = object->_request("join");
  request->add_in_arg() <<= text;
  request->add_inout_arg() <<= std::string("b");
  request->add_out_arg(type_of<std::string>());
  request->set_return_type(type_of<std::string>());
  request->invoke();
  std::string result;
  EXPECT_TRUE(request->return_value() >>= result);
  EXPECT_EQ(result, expected);

  const auto beyond = object->_request("join");
  beyond->add_in_arg() <<= std::string("\u0142");
  beyond->add_inout_arg() <<= std::string("b");
  EXPECT_THROW(beyond->invoke(), CORBA::DATA_CONVERSION);
}

TEST_F(Requests, SendArgumentsEachWay) {
  for (const ObjectRef& target : targets()) {
    const auto request = target->_request("join");
    request->add_in_arg("a") <<= "one";
    request->add_inout_arg("b") <<= "two";
    request->add_out_arg(type_of<std::string>(), "c");
    request->set_return_type(type_of<std::string>());
    request->invoke();
    std::string result, b, c;
    EXPECT_TRUE(request->return_value() >>= result);
    EXPECT_TRUE(request->arguments()->item(1)->value() >>= b);
    EXPECT_TRUE(request->arguments()->item(2)->value() >>= c);
    EXPECT_EQ(result, "<onetwo>");
    EXPECT_EQ(b, "two!");
    EXPECT_EQ(c, "onetwo");
  }
}

TEST_F(Requests, SendWhatConsistsOfOthers) {
  const Calls::Points points{{1, 2.5, "one"}, {2, 3.5, "zw\u00f6lf"}};
  for (const ObjectRef& target : targets()) {
    const auto request = target->_request("sum");
    request->add_in_arg() <<= points;
    request->add_out_arg() <<= L"";
    request->add_in_arg() <<= L" metres";
    request->set_return_type(type_of<double>());
    request->invoke();
    double sum = 0;
    std::wstring text;
    EXPECT_TRUE(request->return_value() >>= sum);
    EXPECT_TRUE(request->arguments()->item(1)->value() >>= text);
    EXPECT_EQ(sum, 6.0);
    EXPECT_EQ(text, L"2 metres");
    const auto echo = target->_request("echo_points");
    echo->add_in_arg() <<= points;
    echo->set_return_type(type_of<Calls::Points>());
    echo->invoke();
    Calls::Points back;
    EXPECT_TRUE(echo->return_value() >>= back);
    ASSERT_EQ(back.size(), 2u);
    EXPECT_EQ(back[1].label(), "zw\u00f6lf");
  }
}

TEST_F(Requests, SendLongSequencesAndReferences) {
  const Calls::Octets octets(100'000, 7);
  for (const ObjectRef& target : targets()) {
    const auto request = target->_request("echo_octets");
    request->add_in_arg() <<= octets;
    request->set_return_type(type_of<Calls::Octets>());
    request->invoke();
    Calls::Octets back;
    EXPECT_TRUE(request->return_value() >>= back);
    EXPECT_EQ(back, octets);
    const auto itself = target->_request("itself");
    itself->set_return_type(type_of<EchoRef>());
    itself->invoke();
    EchoRef echo;
    EXPECT_TRUE(itself->return_value() >>= echo);
    EXPECT_EQ(echo->cube(2), 8);
  }
}

TEST_F(Requests, ReachAttributes) {
  const auto set = orbs.echo->_request("_set_level");
  set->add_in_arg() <<= std::int32_t{5};
  set->invoke();
  const auto get = orbs.echo->_request("_get_level");
  get->set_return_type(type_of<std::int32_t>());
  get->invoke();
  std::int32_t level = 0;
  EXPECT_TRUE(get->return_value() >>= level);
  EXPECT_EQ(level, 5);
}

TEST_F(Requests, ThrowWhatTheOperationRaises) {
  for (const ObjectRef& target : targets()) {
    const auto request = target->_request("refuse");
    request->add_in_arg() <<= "because";
    request->exceptions().push_back(type_of<Calls::Unlisted>());
    request->exceptions().push_back(type_of<Calls::Refused>());
    try {
      request->invoke();
      FAIL() << "nothing was thrown";
    } catch (const CORBA::UnknownUserException& raised) {
      Calls::Refused refused;
      EXPECT_TRUE(raised.exception() >>= refused);
      EXPECT_EQ(refused.why(), "because");
      EXPECT_EQ(refused.code(), 42);
      EXPECT_STREQ(raised.what(), "IDL:Calls/Refused:1.0{why=\"because\",code=42}");
    }
    request->_reset();
    request->exceptions().clear();
    try {
      request->invoke();
      FAIL() << "nothing was thrown";
    } catch (const CORBA::UNKNOWN& unknown) {
      EXPECT_EQ(unknown.minor(), CORBA::omg_minor(1));
    }
    try {
      target->_request("fail_with_system_exception")->invoke();
      FAIL() << "nothing was thrown";
    } catch (const CORBA::NO_RESOURCES& raised) {
      EXPECT_EQ(raised.minor(), 7u);
      EXPECT_EQ(raised.completed(), CORBA::COMPLETED_YES);
    }
    EXPECT_THROW(target->_request("unheard_of")->invoke(), CORBA::BAD_OPERATION);
  }
}

TEST_F(Requests, AreMadeAgainWithoutBeingBuiltAnew) {
  for (const ObjectRef& target : targets()) {
    const auto request = cube_request(target, 1);
    for (std::uint8_t x = 0; x < 6; ++x) {
      request->arguments()->item(0)->value() <<= x;
      request->invoke();
      EXPECT_EQ(octet_result(request), x * x * x);
      const CORBA::Any kept = request->return_value();
      request->_reset();
      request->invoke();
      std::uint8_t before = 0;
      EXPECT_TRUE(kept >>= before);  // which no later reply changes
      EXPECT_EQ(before, x * x * x);
      request->_reset();
    }
  }
}

TEST_F(Requests, GoInOrder) {
  const auto request = cube_request(orbs.echo, 2);
  EXPECT_EQ(order_minor_of([&] { request->get_response(); }), 11);
  EXPECT_EQ(order_minor_of([&] { request->poll_response(); }), 11);
  request->invoke();
  EXPECT_EQ(order_minor_of([&] { request->invoke(); }), 10);
  EXPECT_EQ(order_minor_of([&] { request->send_oneway(); }), 10);
  EXPECT_EQ(order_minor_of([&] { request->send_deferred(); }), 10);
  EXPECT_EQ(order_minor_of([&] { request->add_in_arg(); }), 10);
  EXPECT_EQ(order_minor_of([&] { request->set_return_type(type_of<bool>()); }), 10);
  EXPECT_EQ(order_minor_of([&] { request->ctx(nullptr); }), 10);
  EXPECT_EQ(order_minor_of([&] { request->get_response(); }), 13);
  EXPECT_EQ(order_minor_of([&] { request->poll_response(); }), 13);
}

TEST_F(Requests, AreRefusedForWhatTheyCannotCall) {
  try {
    orbs.echo->_request("_is_a");
    FAIL() << "nothing was thrown";
  } catch (const CORBA::BAD_PARAM& refused) {
    EXPECT_EQ(refused.minor(), CORBA::omg_minor(32));
  }
  EXPECT_THROW(orbs.echo->_request(""), CORBA::BAD_PARAM);
  try {
    orbs.client->resolve_initial_references("PolicyCurrent")->_request("x");
    FAIL() << "nothing was thrown";
  } catch (const CORBA::NO_IMPLEMENT& refused) {
    EXPECT_EQ(refused.minor(), CORBA::omg_minor(4));
  }
  const auto nil = orbs.echo->_request("cube");
  EXPECT_THROW(nil->set_return_type(nullptr), CORBA::BAD_TYPECODE);
}

TEST_F(Requests, AreMadeOfLists) {
  IDL::traits<CORBA::NVList>::ref_type list;
  IDL::traits<CORBA::NamedValue>::ref_type result;
  orbs.client->create_list(1, list);
  orbs.client->create_named_value(result);
  CORBA::Any two;
  two <<= std::uint8_t{2};
  list->add_value("x", two, CORBA::ARG_IN);
  result->value().type(type_of<std::uint8_t>());
  RequestRef request;
  orbs.echo->_create_request(nullptr, "cube", list, result, request, 0);
  request->invoke();
  std::uint8_t cube = 0;
  EXPECT_TRUE(result->value() >>= cube);
  EXPECT_EQ(cube, 8);
  EXPECT_EQ(list->count(), 1u);
  EXPECT_EQ(list->item(0)->name(), "x");
  EXPECT_THROW(list->item(1), CORBA::Bounds);
  EXPECT_THROW(list->remove(1), CORBA::Bounds);
  list->remove(0);
  EXPECT_EQ(list->count(), 0u);
}

TEST_F(Requests, WithoutAReplyAreOneway) {
  for (const ObjectRef& target : targets()) {
    const auto request = target->_request("note");
    request->add_in_arg() <<= std::int32_t{77};
    request->send_oneway();
    EXPECT_EQ(orbs.echo->noted(), 77);
    orbs.echo->note(0);
    EXPECT_EQ(orbs.echo->noted(), 0);
  }
}

TEST_F(Requests, WithTooLittleArgumentsAreRefusedByTheServer) {
  for (const ObjectRef& target : targets()) EXPECT_THROW(target->_request("cube")->invoke(), CORBA::MARSHAL);
}

TEST_F(Requests, WhoseReplyIsOfAnotherTypeFail) {
  for (const ObjectRef& target : targets()) {
    const auto request = cube_request(target, 1);
    request->set_return_type(type_of<Calls::Points>());
    EXPECT_THROW(request->invoke(), CORBA::MARSHAL);
    request->_reset();
    request->set_return_type(type_of<std::uint8_t>());
    request->invoke();
    EXPECT_EQ(octet_result(request), 1);
  }
}

TEST_F(Requests, KeepToDeadlines) {
  const auto request = cube_request(orbs.echo, 2);
  {
    const takt::DeadlineScope passed(-1ms);
    EXPECT_THROW(request->invoke(), CORBA::TIMEOUT);
  }
  request->_reset();
  const takt::DeadlineScope ample(30s);
  request->invoke();
  EXPECT_EQ(octet_result(request), 8);
}

TEST_F(Requests, OfEachVersionOfGiop) {
  if (std::getenv("TAKT_MESSAGING")) return;
  for (const char* version : {"1.2", "1.1", "1.0"}) {
    const ServerAndClient old({"-ORBGIOPVersion", version});
    const auto request = old.echo->_request("echo_points");
    request->add_in_arg() <<= Calls::Points(20, {1, 2.5, "label"});
    request->set_return_type(type_of<Calls::Points>());
    request->invoke();
    Calls::Points back;
    EXPECT_TRUE(request->return_value() >>= back);
    EXPECT_EQ(back.size(), 20u) << version;
  }
}

TEST(RequestContexts, HoldValuesByName) {
  const auto orb = make_orb({}, "contexts");
  const auto root = orb->get_default_context();
  const auto child = root->create_child("child");
  CORBA::Any text, number;
  text <<= "outer";
  number <<= std::int32_t{1};
  root->set_one_value("user.name", text);
  text <<= "inner";
  child->set_one_value("user.name", text);
  child->set_one_value("user.home", text);
  EXPECT_EQ(child->parent(), root);
  EXPECT_EQ(child->get_values("", 0, "user*")->count(), 2u);
  std::string found;
  EXPECT_TRUE(child->get_values("", 0, "user.name")->item(0)->value() >>= found);
  EXPECT_EQ(found, "inner");
  child->delete_values("user.n*");
  EXPECT_TRUE(child->get_values("", 0, "user.name")->item(0)->value() >>= found);
  EXPECT_EQ(found, "outer");
  EXPECT_THROW(child->get_values("", CORBA::CTX_RESTRICT_SCOPE, "user.name"), CORBA::BAD_CONTEXT);
  EXPECT_THROW(child->get_values("nowhere", 0, "*"), CORBA::BAD_CONTEXT);
  EXPECT_THROW(child->delete_values("none"), CORBA::BAD_CONTEXT);
  EXPECT_THROW(child->set_one_value("x", number), CORBA::BAD_TYPECODE);
  orb->destroy();
}

}  // namespace
}  // namespace feature
