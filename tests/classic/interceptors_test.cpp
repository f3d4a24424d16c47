// The members of infos at each point, by the tables of CORBA 3.0.3, 21.3.12 and 21.3.13, in the classic
// mapping.
#include "interceptors.h"

#include <algorithm>
#include <sstream>

namespace intercepted {
namespace {

template <class Info>
struct Row {
  const char* member;
  // At each point "ok", or: O BAD_INV_ORDER 14, H NO_RESOURCES 1 (values are hidden), C BAD_PARAM 26, P
  // BAD_PARAM 28, V INV_POLICY 1, I INV_POLICY 3, S InvalidSlot.
  const char* answers;
  void (*use)(Info info);
};
std::string spelled(const std::string& answer) {
  static const std::map<std::string, std::string> all{
      {"O", "BAD_INV_ORDER 14"}, {"H", "NO_RESOURCES 1"}, {"C", "BAD_PARAM 26"}, {"P", "BAD_PARAM 28"},
      {"V", "INV_POLICY 1"},     {"I", "INV_POLICY 3"},   {"S", "InvalidSlot"},  {"ok", "ok"}};
  return all.at(answer);
}

// clang-format off: a row a line.
const std::vector<Row<ClientInfo>>& client_rows() {
  static const std::vector<Row<ClientInfo>> rows{
      {"request_id", "ok ok ok ok", [](ClientInfo i) { i->request_id(); }},
      {"operation", "ok ok ok ok", [](ClientInfo i) { CORBA::String_var s = i->operation(); }},
      {"response_expected", "ok ok ok ok", [](ClientInfo i) { i->response_expected(); }},
      {"target", "ok ok ok ok", [](ClientInfo i) { CORBA::Object_var o = i->target(); }},
      {"effective_target", "ok ok ok ok", [](ClientInfo i) { CORBA::Object_var o = i->effective_target(); }},
      {"effective_profile", "ok ok ok ok", [](ClientInfo i) { IOP::TaggedProfile_var p = i->effective_profile(); }},
      {"get_slot", "ok ok ok ok", [](ClientInfo i) { CORBA::Any_var a = i->get_slot(0); }},
      {"get_slot of none", "S S S S", [](ClientInfo i) { CORBA::Any_var a = i->get_slot(9); }},
      {"arguments", "H H O O", [](ClientInfo i) { Dynamic::ParameterList_var l = i->arguments(); }},
      {"exceptions", "H H H H", [](ClientInfo i) { Dynamic::ExceptionList_var l = i->exceptions(); }},
      {"contexts", "H H H H", [](ClientInfo i) { Dynamic::ContextList_var l = i->contexts(); }},
      {"operation_context", "H H H H", [](ClientInfo i) { Dynamic::RequestContext_var l = i->operation_context(); }},
      {"result", "O H O O", [](ClientInfo i) { CORBA::Any_var a = i->result(); }},
      {"sync_scope", "ok ok ok ok", [](ClientInfo i) { i->sync_scope(); }},
      {"reply_status", "O ok ok ok", [](ClientInfo i) { i->reply_status(); }},
      {"forward_reference", "O O O ok", [](ClientInfo i) { CORBA::Object_var o = i->forward_reference(); }},
      {"get_request_service_context", "C C C C", [](ClientInfo i) { IOP::ServiceContext_var c = i->get_request_service_context(77); }},
      {"get_reply_service_context", "O C C C", [](ClientInfo i) { IOP::ServiceContext_var c = i->get_reply_service_context(77); }},
      {"received_exception", "O O ok O", [](ClientInfo i) { CORBA::Any_var a = i->received_exception(); }},
      {"received_exception_id", "O O ok O", [](ClientInfo i) { CORBA::String_var s = i->received_exception_id(); }},
      {"get_effective_component", "ok ok ok ok", [](ClientInfo i) { IOP::TaggedComponent_var c = i->get_effective_component(0); }},
      {"get_effective_component of none", "P P P P", [](ClientInfo i) { IOP::TaggedComponent_var c = i->get_effective_component(0x7777); }},
      {"get_effective_components", "ok ok ok ok", [](ClientInfo i) { IOP::TaggedComponentSeq_var c = i->get_effective_components(0); }},
      {"get_effective_components of none", "P P P P", [](ClientInfo i) { IOP::TaggedComponentSeq_var c = i->get_effective_components(0x7777); }},
      {"get_request_policy of no type", "V V V V", [](ClientInfo i) { CORBA::Policy_var p = i->get_request_policy(0x7777); }},
      {"add_request_service_context", "ok O O O", [](ClientInfo i) { IOP::ServiceContext c; c.context_id = 78; i->add_request_service_context(c, true); }},
  };
  return rows;
}
const std::vector<Row<ServerInfo>>& server_rows() {
  static const std::vector<Row<ServerInfo>> rows{
      {"request_id", "ok ok ok ok ok", [](ServerInfo i) { i->request_id(); }},
      {"operation", "ok ok ok ok ok", [](ServerInfo i) { CORBA::String_var s = i->operation(); }},
      {"response_expected", "ok ok ok ok ok", [](ServerInfo i) { i->response_expected(); }},
      {"sync_scope", "ok ok ok ok ok", [](ServerInfo i) { i->sync_scope(); }},
      {"arguments", "O H H H H", [](ServerInfo i) { Dynamic::ParameterList_var l = i->arguments(); }},
      {"exceptions", "O H H H H", [](ServerInfo i) { Dynamic::ExceptionList_var l = i->exceptions(); }},
      {"contexts", "O H H H H", [](ServerInfo i) { Dynamic::ContextList_var l = i->contexts(); }},
      {"operation_context", "O H H O O", [](ServerInfo i) { Dynamic::RequestContext_var l = i->operation_context(); }},
      {"result", "O O H O O", [](ServerInfo i) { CORBA::Any_var a = i->result(); }},
      {"reply_status", "O O ok ok ok", [](ServerInfo i) { i->reply_status(); }},
      {"forward_reference", "O O O O ok", [](ServerInfo i) { CORBA::Object_var o = i->forward_reference(); }},
      {"get_slot", "ok ok ok ok ok", [](ServerInfo i) { CORBA::Any_var a = i->get_slot(0); }},
      {"get_slot of none", "S S S S S", [](ServerInfo i) { CORBA::Any_var a = i->get_slot(9); }},
      {"set_slot", "ok ok ok ok ok", [](ServerInfo i) { CORBA::Any a; i->set_slot(0, a); }},
      {"get_request_service_context", "C C C C C", [](ServerInfo i) { IOP::ServiceContext_var c = i->get_request_service_context(77); }},
      {"get_reply_service_context", "O O C C C", [](ServerInfo i) { IOP::ServiceContext_var c = i->get_reply_service_context(77); }},
      {"sending_exception", "O O O ok O", [](ServerInfo i) { CORBA::Any_var a = i->sending_exception(); }},
      {"object_id", "O ok ok ok ok", [](ServerInfo i) { CORBA::OctetSeq_var d = i->object_id(); }},
      {"adapter_id", "O ok ok ok ok", [](ServerInfo i) { CORBA::OctetSeq_var d = i->adapter_id(); }},
      {"adapter_name", "O ok ok ok ok", [](ServerInfo i) { PortableInterceptor::AdapterName_var n = i->adapter_name(); }},
      {"server_id", "O ok ok ok ok", [](ServerInfo i) { CORBA::String_var s = i->server_id(); }},
      {"orb_id", "O ok ok ok ok", [](ServerInfo i) { CORBA::String_var s = i->orb_id(); }},
      {"target_most_derived_interface", "O ok O O O", [](ServerInfo i) { CORBA::String_var s = i->target_most_derived_interface(); }},
      {"target_is_a", "O ok O O O", [](ServerInfo i) { EXPECT_TRUE(i->target_is_a("IDL:Broad/Basics:1.0")); }},
      {"get_server_policy of no type", "I I I I I", [](ServerInfo i) { CORBA::Policy_var p = i->get_server_policy(0x7777); }},
      {"add_reply_service_context", "ok ok ok ok ok", [](ServerInfo i) { IOP::ServiceContext c; c.context_id = 79; i->add_reply_service_context(c, true); }},
  };
  return rows;
}
// clang-format on
const Words client_points{"send_request", "receive_reply", "receive_exception", "receive_other"};
const Words server_points{"receive_request_service_contexts", "receive_request", "send_reply",
                          "send_exception", "send_other"};

template <class Info>
void check(const std::vector<Row<Info>>& rows, const Words& points, const std::string& point, Info info) {
  const auto column = std::find(points.begin(), points.end(), point) - points.begin();
  for (const Row<Info>& row : rows) {
    std::istringstream answers(row.answers);
    std::string answer;
    for (auto i = column; i >= 0; --i) answers >> answer;
    EXPECT_EQ(outcome_of([&] { row.use(info); }), spelled(answer)) << point << ": " << row.member;
  }
}

class Infos : public Pair {
 protected:
  void SetUp() override {
    script().pre_init = [](PortableInterceptor::ORBInitInfo_ptr info) { info->allocate_slot_id(); };
    Pair::SetUp();
    other_ = publish();
  }
  // Calls that reach each point. The first one is forwarded to the other object.
  void call_each() {
    EXPECT_EQ(echo_->twice(3), 6);
    EXPECT_EQ(echo_->twice(3), 6);
    EXPECT_THROW(echo_->refuse("no"), Broad::Refused);
  }
  void TearDown() override {
    other_ = Broad::Basics::_nil();
    Pair::TearDown();
  }
  Broad::Basics_var other_;
};

TEST_F(Infos, OfCallsHaveTheMembersOfTheTable) {
  std::map<std::string, int> reached;
  bool forwarded = false;
  script().server = [&](const std::string& point, ServerInfo) {
    if (point == "receive_request" && !forwarded) {
      forwarded = true;
      throw PortableInterceptor::ForwardRequest(other_.in());
    }
  };
  script().client = [&](const std::string& point, ClientInfo info) {
    ++reached[point];
    check(client_rows(), client_points, point, info);
  };
  call_each();
  EXPECT_EQ(reached.size(), client_points.size());
}

TEST_F(Infos, OfRequestsHaveTheMembersOfTheTable) {
  std::map<std::string, int> reached;
  bool forwarded = false;
  script().server = [&](const std::string& point, ServerInfo info) {
    ++reached[point];
    check(server_rows(), server_points, point, info);
    if (point == "receive_request" && !forwarded) {
      forwarded = true;
      throw PortableInterceptor::ForwardRequest(other_.in());
    }
  };
  call_each();
  EXPECT_EQ(reached.size(), server_points.size());
}

TEST_F(Infos, EndWithTheirPoint) {
  PortableInterceptor::ClientRequestInfo_var kept;
  PortableInterceptor::ServerRequestInfo_var kept_of_server;
  script().client = [&](const std::string&, ClientInfo info) {
    kept = PortableInterceptor::ClientRequestInfo::_duplicate(info);
  };
  script().server = [&](const std::string&, ServerInfo info) {
    kept_of_server = PortableInterceptor::ServerRequestInfo::_duplicate(info);
  };
  echo_->twice(3);
  EXPECT_EQ(outcome_of([&] { kept->request_id(); }), "BAD_INV_ORDER 14");
  EXPECT_EQ(outcome_of([&] { kept_of_server->request_id(); }), "BAD_INV_ORDER 14");
}

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

}  // namespace
}  // namespace intercepted
