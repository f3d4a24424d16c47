// Dynamic servants, called by compiled stubs.
#include <takt/dynamic/server_request.h>

#include "requests.h"

namespace feature {
namespace {

using ServerRequestRef = IDL::traits<CORBA::ServerRequest>::ref_type;
using ListRef = IDL::traits<CORBA::NVList>::ref_type;

CORBA::Any made_any(auto value) {
  CORBA::Any any;
  any <<= value;
  return any;
}

// Calls::Echo, as far as it is here.
class DynamicEcho final : public virtual PortableServer::DynamicImplementation {
 public:
  void invoke(ServerRequestRef request) override {
    const ListRef list = CORBA::make_reference<CORBA::NVList>();
    const std::string& operation = request->operation();
    if (operation == "cube") return cube(*request, list);
    if (operation == "join") return join(*request, list);
    if (operation == "echo_points") return echo_points(*request, list);
    if (operation == "refuse") return refuse(*request, list);
    if (operation == "note") return note(*request, list);
    if (operation == "fail_with_system_exception") throw CORBA::NO_RESOURCES(7, CORBA::COMPLETED_YES);
    if (operation == "nothing") return request->arguments(list);
    if (operation == "itself") return itself(*request, list);
    if (operation == "name") return;  // without an answer
    if (operation == "noted") return in_wrong_order(*request, list);
    if (operation == "level") throw Calls::Refused("thrown", 1);
    throw CORBA::BAD_OPERATION(CORBA::omg_minor(2));
  }
  std::string _primary_interface(const PortableServer::ObjectId& id,
                                 CORBA::object_reference<PortableServer::POA> poa) override {
    EXPECT_TRUE(poa);
    EXPECT_FALSE(id.empty());
    return "IDL:Calls/Echo:1.0";
  }
  std::int32_t value = 0;
  std::vector<std::int64_t> minors;
  ServerRequestRef kept;

 private:
  static void cube(CORBA::ServerRequest& request, const ListRef& list) {
    list->add(CORBA::ARG_IN)->value().type(type_of<std::uint8_t>());
    request.arguments(list);
    std::uint8_t x = 0;
    EXPECT_TRUE(list->item(0)->value() >>= x);
    request.set_result(made_any(static_cast<std::uint8_t>(x * x * x)));
  }
  static void join(CORBA::ServerRequest& request, const ListRef& list) {
    for (const auto way : {CORBA::ARG_IN, CORBA::ARG_INOUT, CORBA::ARG_OUT})
      list->add(way)->value().type(type_of<std::string>());
    request.arguments(list);
    std::string a, b;
    EXPECT_TRUE(list->item(0)->value() >>= a);
    EXPECT_TRUE(list->item(1)->value() >>= b);
    list->item(1)->value() <<= b + "!";
    list->item(2)->value() <<= a + b;
    request.set_result(made_any("<" + a + b + ">"));
  }
  static void echo_points(CORBA::ServerRequest& request, const ListRef& list) {
    list->add(CORBA::ARG_IN)->value().type(type_of<Calls::Points>());
    request.arguments(list);
    request.set_result(list->item(0)->value());
  }
  static void refuse(CORBA::ServerRequest& request, const ListRef& list) {
    list->add(CORBA::ARG_IN)->value().type(type_of<std::string>());
    request.arguments(list);
    std::string why;
    EXPECT_TRUE(list->item(0)->value() >>= why);
    request.set_exception(made_any(Calls::Refused(why, 42)));
  }
  void note(CORBA::ServerRequest& request, const ListRef& list) {
    list->add(CORBA::ARG_IN)->value().type(type_of<std::int32_t>());
    request.arguments(list);
    list->item(0)->value() >>= value;
  }
  void itself(CORBA::ServerRequest& request, const ListRef& list) {
    request.arguments(list);
    request.set_result(made_any(_this()));
  }
  void in_wrong_order(CORBA::ServerRequest& request, const ListRef& list) {
    minors.push_back(order_minor_of([&] { request.ctx(); }));
    minors.push_back(order_minor_of([&] { request.set_result(made_any(true)); }));
    minors.push_back(order_minor_of([&] { request.set_exception(made_any(Calls::Unlisted())); }));
    EXPECT_THROW(request.arguments(nullptr), CORBA::BAD_PARAM);
    request.arguments(list);
    minors.push_back(order_minor_of([&] { request.arguments(list); }));
    request.ctx()->get_values("", 0, "*");  // BAD_CONTEXT, since the client has sent none
  }
};

struct ServerRequests : testing::Test {
  ServerAndClient orbs;
  CORBA::servant_reference<DynamicEcho> servant = CORBA::make_reference<DynamicEcho>();
  EchoRef echo = orbs.publish<Calls::Echo>(servant);
};

TEST_F(ServerRequests, AreAnsweredAsByCompiledServants) {
  EXPECT_EQ(echo->cube(3), 27);
  echo->nothing();
  std::string b = "two", c;
  EXPECT_EQ(echo->join("one", b, c), "<onetwo>");
  EXPECT_EQ(b, "two!");
  EXPECT_EQ(c, "onetwo");
  EXPECT_EQ(echo->echo_points({{1, 2.5, "zw\u00f6lf"}})[0].label(), "zw\u00f6lf");
  echo->note(77);
  EXPECT_EQ(echo->cube(1), 1);  // over the same connection, after it
  EXPECT_EQ(servant->value, 77);
}

TEST_F(ServerRequests, RaiseExceptions) {
  try {
    echo->refuse("because");
    FAIL() << "nothing was thrown";
  } catch (const Calls::Refused& refused) {
    EXPECT_EQ(refused.why(), "because");
    EXPECT_EQ(refused.code(), 42);
  }
  EXPECT_THROW(echo->fail_with_system_exception(), CORBA::NO_RESOURCES);
  EXPECT_THROW(echo->sleep_ms(1), CORBA::BAD_OPERATION);
  EXPECT_THROW(echo->name(), CORBA::BAD_INV_ORDER);
}

TEST_F(ServerRequests, StandardOperationsDoNotReachTheServant) {
  EXPECT_TRUE(echo->_is_a("IDL:Calls/Echo:1.0"));
  EXPECT_FALSE(ObjectRef(echo)->_is_a("IDL:Calls/Other:1.0"));
  EXPECT_FALSE(echo->_non_existent());
  EXPECT_EQ(echo->_repository_id(), "IDL:Calls/Echo:1.0");
}

TEST_F(ServerRequests, ReferencesSayTheInterfaceOfTheObject) {
  const auto poa =
      IDL::traits<PortableServer::POA>::narrow(orbs.server->resolve_initial_references("RootPOA"));
  EXPECT_THROW(servant->_this(), PortableServer::POA::WrongPolicy);
  const auto other = echo->itself();
  EXPECT_TRUE(other->_is_equivalent(echo));
  EXPECT_EQ(other->cube(2), 8);
}

TEST_F(ServerRequests, GoInOrder) {
  EXPECT_THROW(echo->noted(), CORBA::BAD_CONTEXT);
  EXPECT_EQ(servant->minors, (std::vector<std::int64_t>{8, 9, 7, 7}));
}

TEST_F(ServerRequests, MayComeFromRequestsThatNobodyCompiled) {
  for (const ObjectRef& target :
       {ObjectRef(echo), orbs.server->string_to_object(orbs.client->object_to_string(echo))}) {
    const auto request = cube_request(target, 5);
    request->invoke();
    EXPECT_EQ(octet_result(request), 125);
    const auto refuse = target->_request("refuse");
    refuse->add_in_arg() <<= "because";
    refuse->exceptions().push_back(type_of<Calls::Refused>());
    EXPECT_THROW(refuse->invoke(), CORBA::UnknownUserException);
  }
}

TEST_F(ServerRequests, ReachDefaultServants) {
  const auto root =
      IDL::traits<PortableServer::POA>::narrow(orbs.server->resolve_initial_references("RootPOA"));
  const auto poa = root->create_POA(
      "default", root->the_POAManager(),
      {root->create_request_processing_policy(
           PortableServer::RequestProcessingPolicyValue::USE_DEFAULT_SERVANT),
       root->create_servant_retention_policy(PortableServer::ServantRetentionPolicyValue::NON_RETAIN),
       root->create_id_uniqueness_policy(PortableServer::IdUniquenessPolicyValue::MULTIPLE_ID)});
  poa->set_servant(servant);
  const auto reference = poa->create_reference("IDL:Calls/Echo:1.0");
  const auto object = orbs.client->string_to_object(orbs.server->object_to_string(reference));
  EXPECT_EQ(IDL::traits<Calls::Echo>::narrow(object)->cube(4), 64);
}

}  // namespace
}  // namespace feature
