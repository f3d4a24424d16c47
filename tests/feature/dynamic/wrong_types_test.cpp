// Requests and servants whose types are not those of the other side.
#include <takt/dynamic/server_request.h>

#include <chrono>

#include "requests.h"

namespace feature {
namespace {

using CORBA::TCKind;
using ServerRequestRef = IDL::traits<CORBA::ServerRequest>::ref_type;

CORBA::typecode_reference basic(TCKind kind) { return takt::cdr::basic_typecode(kind); }

// Runs once over a connection from a client ORB, and once through memory within the server's ORB.
struct WrongTypes : testing::TestWithParam<const char*> {
  ServerAndClient orbs;
  ObjectRef target() const {
    return std::string_view(GetParam()) == "remote" ? ObjectRef(orbs.echo)
                                                    : orbs.server->string_to_object(orbs.ior);
  }
  ObjectRef publish(const CORBA::servant_reference<PortableServer::Servant>& servant) {
    const auto poa =
        IDL::traits<PortableServer::POA>::narrow(orbs.server->resolve_initial_references("RootPOA"));
    const auto object = poa->id_to_reference(poa->activate_object(servant));
    if (std::string_view(GetParam()) != "remote") return object;
    return orbs.client->string_to_object(orbs.server->object_to_string(object));
  }
  void expect_usable() { EXPECT_EQ(octet_result(invoked(cube_request(target(), 3))), 27); }
  static RequestRef invoked(const RequestRef& request) {
    request->invoke();
    return request;
  }
};
INSTANTIATE_TEST_SUITE_P(Of, WrongTypes, testing::Values("remote", "local"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(WrongTypes, ResultsThatTheReplyDoesNotHaveAreMarshalAndTheNextCallWorks) {
  for (const TCKind kind : {TCKind::tk_string, TCKind::tk_long, TCKind::tk_any, TCKind::tk_objref,
                            TCKind::tk_double, TCKind::tk_TypeCode, TCKind::tk_wstring}) {
    const auto request = cube_request(target(), 3);
    request->set_return_type(kind == TCKind::tk_objref ? IDL::type_code<ObjectRef>() : basic(kind));
    EXPECT_THROW(request->invoke(), CORBA::MARSHAL) << static_cast<int>(kind);
    expect_usable();
  }
}

TEST_P(WrongTypes, TypesThatNoResultHasAreSystemExceptions) {
  for (const auto& type :
       {orbs.client->create_recursive_tc("IDL:Nobody:1.0"),
        orbs.client->create_sequence_tc(0, orbs.client->create_recursive_tc("IDL:Nobody:1.0")),
        orbs.client->create_native_tc("IDL:Native:1.0", "Native"),
        orbs.client->create_local_interface_tc("IDL:Local:1.0", "Local")}) {
    const auto request = cube_request(target(), 3);
    request->set_return_type(type);
    EXPECT_THROW(request->invoke(), CORBA::SystemException);
    expect_usable();
  }
}

TEST_P(WrongTypes, ArgumentsWithoutAValueAreRefused) {
  const auto untyped = target()->_request("cube");
  untyped->add_in_arg();
  untyped->set_return_type(type_of<std::uint8_t>());
  EXPECT_THROW(untyped->invoke(), CORBA::SystemException);
  const auto empty = target()->_request("cube");
  empty->add_in_arg().type(type_of<std::uint8_t>());
  empty->set_return_type(type_of<std::uint8_t>());
  EXPECT_THROW(empty->invoke(), CORBA::SystemException);
  expect_usable();
}

TEST_P(WrongTypes, TooFewArgumentsAreMarshalAndTooManyAreLeft) {
  const auto none = target()->_request("cube");
  EXPECT_THROW(none->invoke(), CORBA::MARSHAL);
  const auto many = cube_request(target(), 3);
  many->add_in_arg() <<= std::string("more");
  many->invoke();
  EXPECT_EQ(octet_result(many), 27);
  expect_usable();
}

TEST_P(WrongTypes, ExceptionsListedByATypeOfOtherMembersAreMarshal) {
  const auto request = target()->_request("refuse");
  request->add_in_arg() <<= std::string("because");
  request->exceptions().push_back(nullptr);
  request->exceptions().push_back(orbs.client->create_exception_tc(IDL::type_code<Calls::Refused>()->id(),
                                                                   "Refused",
                                                                   {{"why", basic(TCKind::tk_string)},
                                                                    {"code", basic(TCKind::tk_string)},
                                                                    {"more", basic(TCKind::tk_string)}}));
  EXPECT_THROW(request->invoke(), CORBA::MARSHAL);
  expect_usable();
}

TEST_P(WrongTypes, ListedTypesThatAreNoExceptionsRaiseNothing) {
  const auto request = target()->_request("refuse");
  request->add_in_arg() <<= std::string("because");
  request->exceptions().push_back(basic(TCKind::tk_long));
  request->exceptions().push_back(IDL::type_code<Calls::Point>());
  EXPECT_THROW(request->invoke(), CORBA::UNKNOWN);
  expect_usable();
}

TEST_P(WrongTypes, OperationsThatThereAreNotAreBadOperation) {
  EXPECT_THROW(target()->_request("no such operation")->invoke(), CORBA::BAD_OPERATION);
  EXPECT_THROW(target()->_request(std::string(100'000, 'x'))->invoke(), CORBA::SystemException);
  EXPECT_THROW(target()->_request(std::string("cube\0x", 6))->invoke(), CORBA::SystemException);
  expect_usable();
}

// Answers by what its operation is called.
class WrongAnswers final : public virtual PortableServer::DynamicImplementation {
 public:
  void invoke(ServerRequestRef request) override {
    const std::string& operation = request->operation();
    const auto list = CORBA::make_reference<CORBA::NVList>();
    if (operation == "throws_an_int") throw 7;
    if (operation == "out_without_value") list->add(CORBA::ARG_OUT)->value().type(type_of<std::int32_t>());
    request->arguments(list);
    CORBA::Any any;
    if (operation == "result_of_another_type") any <<= std::string("text");
    if (operation == "result_without_value") any.type(type_of<Calls::Points>());
    if (operation == "exception_without_value")
      return request->set_exception(CORBA::Any(IDL::type_code<Calls::Refused>(), nullptr));
    if (operation == "exception_that_is_none") {
      any <<= std::int32_t{1};
      return request->set_exception(any);
    }
    if (operation != "out_without_value" && operation != "nothing") request->set_result(any);
  }
  std::string _primary_interface(const PortableServer::ObjectId&,
                                 CORBA::object_reference<PortableServer::POA>) override {
    return "IDL:Calls/Echo:1.0";
  }
};

TEST_P(WrongTypes, AnswersThatCannotBeMadeAreSystemExceptionsOfTheServant) {
  const ObjectRef wrong = publish(CORBA::make_reference<WrongAnswers>());
  const auto call = [&](const char* operation) {
    const auto request = wrong->_request(operation);
    request->set_return_type(type_of<std::int32_t>());
    request->exceptions().push_back(IDL::type_code<Calls::Refused>());
    request->invoke();
  };
  EXPECT_THROW(call("throws_an_int"), CORBA::UNKNOWN);
  EXPECT_THROW(call("result_without_value"), CORBA::MARSHAL);
  EXPECT_THROW(call("out_without_value"), CORBA::MARSHAL);
  EXPECT_THROW(call("exception_without_value"), CORBA::MARSHAL);
  EXPECT_THROW(call("exception_that_is_none"), CORBA::BAD_PARAM);
  EXPECT_THROW(call("nothing"), CORBA::MARSHAL);  // the caller expects a long
  wrong->_request("nothing")->invoke();
  expect_usable();
}

TEST_P(WrongTypes, AnswersOfAnotherTypeAreReadByTheCallersTypeOrNotAtAll) {
  const ObjectRef wrong = publish(CORBA::make_reference<WrongAnswers>());
  const auto request = wrong->_request("result_of_another_type");
  request->set_return_type(type_of<Calls::Points>());
  EXPECT_THROW(request->invoke(), CORBA::MARSHAL);
  request->_reset();
  request->set_return_type(type_of<std::string>());
  request->invoke();
  std::string text;
  EXPECT_TRUE(request->return_value() >>= text);
  EXPECT_EQ(text, "text");
}

TEST(UnansweredRequests, EndWithTheOrbWithoutAnAnswer) {
  ServerAndClient orbs;
  const auto request = orbs.echo->_request("sleep_ms");
  request->add_in_arg() <<= std::uint32_t{1500};
  request->send_deferred();
  EXPECT_FALSE(request->poll_response());
  std::thread ending([&] { orbs.client->shutdown(false); });
  EXPECT_THROW(request->get_response(), CORBA::SystemException);
  ending.join();
  EXPECT_THROW(orbs.client->send_multiple_requests_deferred({cube_request(orbs.echo, 1)}),
               CORBA::BAD_INV_ORDER);
}

TEST(UnansweredRequests, OfAnOrbThatIsGoneAreRefused) {
  ServerAndClient orbs;
  const auto ending = make_orb({}, "ending");
  const auto request = cube_request(ending->string_to_object(orbs.ior), 3);
  ending->destroy();
  EXPECT_THROW(request->invoke(), CORBA::SystemException);
  request->_reset();
  request->send_deferred();
  EXPECT_THROW(request->get_response(), CORBA::SystemException);
}

TEST(KeptRequests, HaveNothingOfTheRequestsBefore) {
  ServerAndClient orbs;
  {
    const auto request = orbs.echo->_request("refuse");
    request->add_in_arg("why") <<= std::string(10'000, 'x');
    request->exceptions().push_back(IDL::type_code<Calls::Refused>());
    request->contexts().push_back("*");
    request->ctx(orbs.client->get_default_context());
    EXPECT_THROW(request->invoke(), CORBA::UnknownUserException);
  }
  const auto next = orbs.echo->_request("cube");
  EXPECT_EQ(next->operation(), "cube");
  EXPECT_EQ(next->arguments()->count(), 0u);
  EXPECT_TRUE(next->exceptions().empty());
  EXPECT_TRUE(next->contexts().empty());
  EXPECT_FALSE(next->ctx());
  EXPECT_EQ(next->return_value().type()->kind(), TCKind::tk_void);
  CORBA::Any& argument = next->add_in_arg();
  EXPECT_EQ(argument.type()->kind(), TCKind::tk_null);
  EXPECT_EQ(next->arguments()->item(0)->name(), "");
  argument <<= std::uint8_t{2};
  next->set_return_type(type_of<std::uint8_t>());
  next->invoke();
  EXPECT_EQ(octet_result(next), 8);
}

TEST(KeptRequests, LeaveAloneWhatIsStillReferredTo) {
  ServerAndClient orbs;
  auto request = cube_request(orbs.echo, 3);
  request->invoke();
  const auto arguments = request->arguments();
  const auto result = request->result();
  const auto target = request->target();
  request.reset();
  const auto next = cube_request(orbs.echo, 4);
  next->invoke();
  EXPECT_EQ(arguments->count(), 1u);
  std::uint8_t before = 0;
  EXPECT_TRUE(result->value() >>= before);
  EXPECT_EQ(before, 27);
  EXPECT_EQ(octet_result(next), 64);
  EXPECT_TRUE(target->_is_equivalent(orbs.echo));
}

TEST(KeptRequests, ValuesThatWereTakenOutOfTheLastStayAsTheyAre) {
  ServerAndClient orbs;
  CORBA::Any kept;
  {
    const auto request = cube_request(orbs.echo, 3);
    request->invoke();
    kept = request->return_value();
  }
  EXPECT_EQ(octet_result([&] {
              const auto next = cube_request(orbs.echo, 4);
              next->invoke();
              return next;
            }()),
            64);
  std::uint8_t value = 0;
  EXPECT_TRUE(kept >>= value);
  EXPECT_EQ(value, 27);
}

}  // namespace
}  // namespace feature
