// Infos of the classic mapping: contexts and values. interceptors_rows_test.cpp has each member.
#include "interceptors.h"

namespace intercepted {
namespace {

class Infos : public Pair {};

TEST_F(Infos, OfNoPointAreRefused) {
  EXPECT_EQ(outcome_of([] { PortableInterceptor::ClientRequestInfo::_nil()->request_id(); }), "INV_OBJREF 0");
  EXPECT_TRUE(CORBA::is_nil(PortableInterceptor::ClientRequestInfo::_narrow(echo_.in())));
}

TEST_F(Infos, CarryContextsBothWays) {
  std::string got;
  script().client = [&](const std::string& point, ClientInfo info) {
    if (point == "send_request") {
      IOP::ServiceContext context;
      context.context_id = 0x4d595501;
      context.context_data.length(2);
      context.context_data[0] = 'h';
      context.context_data[1] = 'i';
      info->add_request_service_context(context, false);
      EXPECT_EQ(outcome_of([&] { info->add_request_service_context(context, false); }), "BAD_INV_ORDER 15");
    } else {
      IOP::ServiceContext_var back = info->get_reply_service_context(0x4d595502);
      got.assign(back->context_data.get_buffer(),
                 back->context_data.get_buffer() + back->context_data.length());
    }
  };
  script().server = [&](const std::string& point, ServerInfo info) {
    if (point != "send_reply") return;
    IOP::ServiceContext_var context = info->get_request_service_context(0x4d595501);
    context->context_id = 0x4d595502;
    info->add_reply_service_context(context.in(), false);
  };
  echo_->twice(3);
  EXPECT_EQ(got, "hi");
}

TEST_F(Infos, ShowTheValuesOfDynamicRequests) {
  std::string seen;
  script().client = [&](const std::string& point, ClientInfo info) {
    Dynamic::ParameterList_var arguments = info->arguments();
    ASSERT_EQ(arguments->length(), 1u);
    EXPECT_EQ(arguments[0].mode, CORBA::PARAM_IN);
    CORBA::Long value = 0;
    EXPECT_TRUE(arguments[0].argument >>= value);
    seen += point + " " + std::to_string(value);
    if (point != "receive_reply") return;
    CORBA::Any_var result = info->result();
    EXPECT_TRUE(result.in() >>= value);
    seen += " " + std::to_string(value);
    Dynamic::ExceptionList_var exceptions = info->exceptions();
    Dynamic::ContextList_var contexts = info->contexts();
    Dynamic::RequestContext_var context = info->operation_context();
    EXPECT_EQ(exceptions->length() + contexts->length() + context->length(), 0u);
  };
  CORBA::Request_var request = echo_->_request("twice");
  request->add_in_arg() <<= CORBA::Long(4);
  request->set_return_type(CORBA::_tc_long);
  request->invoke();
  EXPECT_EQ(seen, "send_request 4receive_reply 4 8");
}

TEST_F(Infos, AreNoPlaceToEndTheOrbOfTheRequest) {
  std::vector<std::string> outcomes;
  script().server = [&](const std::string&, ServerInfo) {
    outcomes.push_back(outcome_of([&] { server_->shutdown(true); }));
    outcomes.push_back(outcome_of([&] { server_->destroy(); }));
  };
  EXPECT_EQ(echo_->twice(3), 6);
  EXPECT_EQ(outcomes, std::vector<std::string>(6, "BAD_INV_ORDER 3"));
}

}  // namespace
}  // namespace intercepted
