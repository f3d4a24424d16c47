// Requests without generated code, and the ORB's functions on types and policies. The same source runs
// against omniORB; under ASan, leaks and double frees fail it.
#include <gtest/gtest.h>

#include <string>

#include "servants.h"
#ifndef CLASSIC_BY_OMNIORB
#include <takt/classic/messaging.h>
#endif

namespace {

class Requests : public testing::Test {
 protected:
  void SetUp() override {
    int argc = 0;
    orb_ = CORBA::ORB_init(argc, nullptr);
    CORBA::Object_var object = orb_->resolve_initial_references("RootPOA");
    root_ = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = root_->the_POAManager();
    manager->activate();
    Basics_i* const servant = new Basics_i(orb_);
    PortableServer::ObjectId_var id = root_->activate_object(servant);
    servant->_remove_ref();
    CORBA::Object_var local = root_->id_to_reference(id);
    // Without the proxy's type, as a program without stubs has it.
    CORBA::String_var text = orb_->object_to_string(local);
    object_ = orb_->string_to_object(text);
  }
  void TearDown() override {
    object_ = CORBA::Object::_nil();
    orb_->destroy();
  }
  CORBA::ORB_var orb_;
  PortableServer::POA_var root_;
  CORBA::Object_var object_;
};

TEST_F(Requests, ArgumentsGoAndResultsCome) {
  CORBA::Request_var request = object_->_request("pass_longs");
  EXPECT_STREQ(request->operation(), "pass_longs");
  request->add_in_arg() <<= static_cast<CORBA::Long>(1);
  request->add_inout_arg("b") <<= static_cast<CORBA::Long>(2);
  request->add_out_arg("c") <<= static_cast<CORBA::Long>(0);
  request->set_return_type(CORBA::_tc_long);
  request->invoke();
  ASSERT_EQ(request->env()->exception(), nullptr);
  CORBA::Long result = 0, b = 0, c = 0;
  EXPECT_TRUE((request->return_value() >>= result) && result == 1);
  EXPECT_TRUE((*request->arguments()->item(1)->value() >>= b) && b == 1);
  EXPECT_TRUE((*request->arguments()->item(2)->value() >>= c) && c == 2);
  EXPECT_STREQ(request->arguments()->item(2)->name(), "c");
  EXPECT_EQ(request->arguments()->count(), 3u);
  EXPECT_TRUE(request->target()->_is_equivalent(object_));
}

TEST_F(Requests, StringsAndStructsAreReceived) {
  CORBA::Request_var request = object_->_request("pass_strings");
  request->add_in_arg() <<= "a text";
  request->add_inout_arg() <<= "before";
  request->add_out_arg() <<= "";
  request->set_return_type(CORBA::_tc_string);
  request->invoke();
  const char* result = nullptr;
  ASSERT_TRUE(request->return_value() >>= result);
  EXPECT_STREQ(result, "a text");
  request = object_->_request("_get_origin");
  request->set_return_type(Broad::_tc_Point);
  request->invoke();
  const Broad::Point* point = nullptr;
  ASSERT_TRUE(request->return_value() >>= point);
  EXPECT_EQ(point->x, 0);
}

TEST_F(Requests, APolledResponseIsThere) {
  CORBA::Request_var request = object_->_request("twice");
  request->add_in_arg() <<= static_cast<CORBA::Long>(21);
  request->set_return_type(CORBA::_tc_long);
  request->send_deferred();
  while (!request->poll_response()) {
  }
  CORBA::Long result = 0;
  EXPECT_TRUE((request->return_value() >>= result) && result == 42);
}
TEST_F(Requests, DeferredOnesAreWaitedFor) {
  CORBA::Request_var request = object_->_request("twice");
  request->add_in_arg() <<= static_cast<CORBA::Long>(21);
  request->set_return_type(CORBA::_tc_long);
  EXPECT_THROW(request->get_response(), CORBA::BAD_INV_ORDER);
  EXPECT_THROW(request->poll_response(), CORBA::BAD_INV_ORDER);
  request->send_deferred();
  while (!request->poll_response()) {
  }
  request->get_response();
  CORBA::Long result = 0;
  ASSERT_TRUE(request->return_value() >>= result);
  EXPECT_EQ(result, 42);
  EXPECT_THROW(request->get_response(), CORBA::BAD_INV_ORDER);
  EXPECT_THROW(request->send_deferred(), CORBA::BAD_INV_ORDER);
}

#ifndef CLASSIC_BY_OMNIORB
template <class Action>
CORBA::ULong order_minor_of(Action action) {
  try {
    action();
  } catch (const CORBA::BAD_INV_ORDER& failure) {
    return failure.minor() - 0x4f4d0000;
  }
  return 0;
}

TEST_F(Requests, TheMinorTellsWhichOrderIsWrong) {
  CORBA::Request_var request = object_->_request("twice");
  EXPECT_EQ(order_minor_of([&] { request->poll_response(); }), 11u);
  request->add_in_arg() <<= static_cast<CORBA::Long>(21);
  request->set_return_type(CORBA::_tc_long);
  request->send_deferred();
  EXPECT_EQ(order_minor_of([&] { request->add_out_arg(); }), 10u);
  EXPECT_EQ(order_minor_of([&] { request->add_inout_arg("b"); }), 10u);
  EXPECT_EQ(order_minor_of([&] { request->set_return_type(CORBA::_tc_short); }), 10u);
  EXPECT_EQ(order_minor_of([&] { request->ctx(CORBA::Context::_nil()); }), 10u);
  request->arguments()->add(CORBA::ARG_OUT);  // too late: the reply has no value for it
  request->get_response();
  CORBA::Long result = 0;
  EXPECT_TRUE((request->return_value() >>= result) && result == 42);
  EXPECT_EQ(order_minor_of([&] { request->get_response(); }), 12u);
  EXPECT_EQ(order_minor_of([&] { request->poll_response(); }), 12u);
  request = object_->_request("twice");
  request->add_in_arg() <<= static_cast<CORBA::Long>(21);
  request->invoke();
  EXPECT_EQ(order_minor_of([&] { request->get_response(); }), 13u);
}

TEST_F(Requests, ANilTypeIsABadParameter) {
  CORBA::Request_var request = object_->_request("refuse");
  EXPECT_THROW(request->exceptions()->add(CORBA::TypeCode::_nil()), CORBA::BAD_PARAM);
  EXPECT_THROW(request->exceptions()->add_consume(CORBA::TypeCode::_nil()), CORBA::BAD_PARAM);
  EXPECT_EQ(request->exceptions()->count(), 0u);
  EXPECT_THROW(CORBA::_tc_long->equal(CORBA::TypeCode::_nil()), CORBA::BAD_PARAM);
  EXPECT_THROW(CORBA::_tc_long->equivalent(CORBA::TypeCode::_nil()), CORBA::BAD_PARAM);
}
#endif

TEST_F(Requests, ListedExceptionsAreInTheEnvironment) {
  CORBA::Request_var request = object_->_request("refuse");
  request->add_in_arg() <<= "because";
  request->exceptions()->add(Broad::_tc_Refused);
  request->exceptions()->add(Broad::_tc_Empty);
  request->invoke();
  CORBA::UnknownUserException* const unknown =
      CORBA::UnknownUserException::_downcast(request->env()->exception());
  ASSERT_NE(unknown, nullptr);
  const Broad::Refused* refused = nullptr;
  ASSERT_TRUE(unknown->exception() >>= refused);
  EXPECT_STREQ(refused->why, "because");
}

TEST_F(Requests, OtherExceptionsAreUnknown) {
  CORBA::Request_var request = object_->_request("refuse");
  request->add_in_arg() <<= "because";
  request->invoke();
  EXPECT_NE(CORBA::UNKNOWN::_downcast(request->env()->exception()), nullptr);
  request = object_->_request("no_such_operation");
  request->invoke();
  EXPECT_NE(CORBA::BAD_OPERATION::_downcast(request->env()->exception()), nullptr);
}

TEST_F(Requests, AreMadeFromLists) {
  CORBA::NVList_var arguments;
  orb_->create_list(1, arguments.out());
  CORBA::Any value;
  value <<= static_cast<CORBA::Long>(8);
  arguments->add_value("value", value, CORBA::ARG_IN);
  CORBA::NamedValue_var result;
  orb_->create_named_value(result.out());
  result->value()->operator=(CORBA::Any());
  *result->value() <<= static_cast<CORBA::Long>(0);
  CORBA::Request_var request;
  object_->_create_request(CORBA::Context::_nil(), "twice", arguments, result, request.out(), 0);
  request->invoke();
  CORBA::Long doubled = 0;
  ASSERT_TRUE(*request->result()->value() >>= doubled);
  EXPECT_EQ(doubled, 16);
}

TEST_F(Requests, OnewaysAreSent) {
  CORBA::Request_var request = object_->_request("note");
  request->add_in_arg() <<= static_cast<CORBA::Long>(5);
  request->send_oneway();
  EXPECT_EQ(request->env()->exception(), nullptr);
}

TEST_F(Requests, ListsRefuseWhatIsNotThere) {
  CORBA::NVList_var list;
  orb_->create_list(0, list.out());
  EXPECT_THROW(list->item(0), CORBA::NVList::Bounds);
  list->add(CORBA::ARG_IN);
  list->add_item("second", CORBA::ARG_OUT);
  list->remove(0);
  EXPECT_EQ(list->count(), 1u);
  EXPECT_STREQ(list->item(0)->name(), "second");
  EXPECT_EQ(list->item(0)->flags(), CORBA::ARG_OUT);
  EXPECT_THROW(list->remove(1), CORBA::NVList::Bounds);
  CORBA::ExceptionList_var exceptions;
  orb_->create_exception_list(exceptions.out());
  exceptions->add(Broad::_tc_Empty);
  CORBA::TypeCode_var type = CORBA::TypeCode::_duplicate(exceptions->item(0));
  EXPECT_TRUE(type->equal(Broad::_tc_Empty));
  EXPECT_THROW(exceptions->item(1), CORBA::ExceptionList::Bounds);
  CORBA::ContextList_var contexts;
  orb_->create_context_list(contexts.out());
  contexts->add("a*");
  contexts->add_consume(CORBA::string_dup("b"));
  contexts->remove(0);
  EXPECT_STREQ(contexts->item(0), "b");
  EXPECT_THROW(contexts->item(1), CORBA::ContextList::Bounds);
}

TEST_F(Requests, ContextsHaveValuesOfTheirParents) {
  CORBA::Context_var root, child;
  orb_->get_default_context(root.out());
  CORBA::Any value;
  value <<= "from the root";
  root->set_one_value("k5_place", value);
  root->create_child("inner", child.out());
  EXPECT_STREQ(child->context_name(), "inner");
  CORBA::NVList_var found;
  child->get_values("", 0, "k5_pl*", found.out());
  ASSERT_EQ(found->count(), 1u);
  const char* text = nullptr;
  ASSERT_TRUE(*found->item(0)->value() >>= text);
  EXPECT_STREQ(text, "from the root");
  root->delete_values("k5_place");
  EXPECT_THROW(child->get_values("", 0, "k5_place", found.out()), CORBA::BAD_CONTEXT);
}

TEST_F(Requests, TheOrbMakesTypes) {
  CORBA::StructMemberSeq members;
  members.length(2);
  members[0].name = static_cast<const char*>("x");
  members[0].type = CORBA::TypeCode::_duplicate(CORBA::_tc_long);
  members[1].name = static_cast<const char*>("y");
  members[1].type = CORBA::TypeCode::_duplicate(CORBA::_tc_double);
  CORBA::TypeCode_var point = orb_->create_struct_tc("IDL:Broad/Point:1.0", "Point", members);
  EXPECT_TRUE(point->equal(Broad::_tc_Point));
  CORBA::EnumMemberSeq colours;
  colours.length(3);
  colours[0] = static_cast<const char*>("red");
  colours[1] = static_cast<const char*>("green");
  colours[2] = static_cast<const char*>("blue");
  CORBA::TypeCode_var colour = orb_->create_enum_tc("IDL:Broad/Colour:1.0", "Colour", colours);
  EXPECT_TRUE(colour->equal(Broad::_tc_Colour));
  CORBA::TypeCode_var list = orb_->create_sequence_tc(0, CORBA::_tc_long);
  CORBA::TypeCode_var longs = orb_->create_alias_tc("IDL:Broad/Longs:1.0", "Longs", list);
  EXPECT_TRUE(longs->equal(Broad::_tc_Longs));
  CORBA::TypeCode_var word = orb_->create_string_tc(5);
  EXPECT_EQ(word->length(), 5u);
  CORBA::TypeCode_var wide = orb_->create_wstring_tc(0);
  EXPECT_TRUE(wide->equal(CORBA::_tc_wstring));
  CORBA::TypeCode_var array = orb_->create_array_tc(3, colour);
  EXPECT_EQ(array->kind(), CORBA::tk_array);
  CORBA::TypeCode_var fixed = orb_->create_fixed_tc(7, 2);
  EXPECT_EQ(fixed->fixed_digits(), 7);
  EXPECT_EQ(fixed->fixed_scale(), 2);
  CORBA::TypeCode_var interface = orb_->create_interface_tc("IDL:Broad/Basics:1.0", "Basics");
  EXPECT_TRUE(interface->equal(Broad::_tc_Basics));
  CORBA::UnionMemberSeq cases;
  cases.length(1);
  cases[0].name = static_cast<const char*>("at");
  cases[0].label <<= CORBA::Any::from_boolean(true);
  cases[0].type = CORBA::TypeCode::_duplicate(point);
  CORBA::TypeCode_var optional =
      orb_->create_union_tc("IDL:Broad/Optional:1.0", "Optional", CORBA::_tc_boolean, cases);
  EXPECT_TRUE(optional->equal(Broad::_tc_Optional));
  members.length(0);
  CORBA::TypeCode_var empty = orb_->create_exception_tc("IDL:Broad/Empty:1.0", "Empty", members);
  EXPECT_TRUE(empty->equal(Broad::_tc_Empty));
  CORBA::TypeCode_var again = orb_->create_recursive_tc("IDL:Broad/Node:1.0");
  CORBA::TypeCode_var children = orb_->create_sequence_tc(0, again);
  members.length(2);
  members[0].name = static_cast<const char*>("value");
  members[0].type = CORBA::TypeCode::_duplicate(CORBA::_tc_long);
  members[1].name = static_cast<const char*>("children");
  members[1].type = children;
  CORBA::TypeCode_var node = orb_->create_struct_tc("IDL:Broad/Node:1.0", "Node", members);
  EXPECT_TRUE(node->equal(Broad::_tc_Node));
  EXPECT_THROW(orb_->create_alias_tc("no id", "Name", CORBA::_tc_long), CORBA::BAD_PARAM);
}

TEST_F(Requests, SystemExceptionsAreInAnys) {
  CORBA::Any any;
  any <<= CORBA::BAD_PARAM(7, CORBA::COMPLETED_YES);
  CORBA::TypeCode_var type = any.type();
  EXPECT_TRUE(type->equal(CORBA::_tc_BAD_PARAM));
  EXPECT_EQ(type->kind(), CORBA::tk_except);
#ifndef CLASSIC_BY_OMNIORB  // which extracts each type alone
  const CORBA::SystemException* base = nullptr;
  ASSERT_TRUE(any >>= base);
  EXPECT_STREQ(base->_name(), "BAD_PARAM");
  any <<= static_cast<CORBA::SystemException*>(new CORBA::TIMEOUT(3));
  const CORBA::TIMEOUT* timeout = nullptr;
  ASSERT_TRUE(any >>= timeout);
  EXPECT_EQ(timeout->minor(), 3u);
  const CORBA::BAD_PARAM* other = nullptr;
  EXPECT_FALSE(any >>= other);
  any <<= CORBA::BAD_PARAM(7, CORBA::COMPLETED_YES);
#endif
  const CORBA::BAD_PARAM* bad = nullptr;
  ASSERT_TRUE(any >>= bad);
  EXPECT_EQ(bad->minor(), 7u);
  EXPECT_EQ(bad->completed(), CORBA::COMPLETED_YES);
  any <<= "text";
  EXPECT_FALSE(any >>= bad);
}

#ifndef CLASSIC_BY_OMNIORB  // which has no policies of clients
TEST_F(Requests, PoliciesLimitCalls) {
  CORBA::Any timeout;
  timeout <<= static_cast<TimeBase::TimeT>(600000000);
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = orb_->create_policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, timeout);
  EXPECT_EQ(policies[0]->policy_type(), 32u);
  CORBA::Object_var limited = object_->_set_policy_overrides(policies, CORBA::SET_OVERRIDE);
  Broad::Basics_var basics = Broad::Basics::_narrow(limited);
  EXPECT_EQ(basics->twice(3), 6);
  CORBA::Policy_var policy = limited->_get_policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE);
  ASSERT_FALSE(CORBA::is_nil(policy));
  policy = object_->_get_policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE);
  EXPECT_TRUE(CORBA::is_nil(policy));
  CORBA::PolicyList_var overrides = limited->_get_policy_overrides(CORBA::PolicyTypeSeq());
  EXPECT_EQ(overrides->length(), 1u);
  CORBA::PolicyList_var inconsistent;
  EXPECT_TRUE(limited->_validate_connection(inconsistent.out()));
  EXPECT_EQ(inconsistent->length(), 0u);
  try {
    orb_->create_policy(4711, timeout);
    FAIL();
  } catch (const CORBA::PolicyError& error) {
    EXPECT_EQ(error.reason, CORBA::BAD_POLICY);
  }
  policies.length(2);
  policies[1] = CORBA::Policy::_duplicate(policies[0]);
  try {
    limited = object_->_set_policy_overrides(policies, CORBA::ADD_OVERRIDE);
    FAIL();
  } catch (const CORBA::InvalidPolicies& invalid) {
    EXPECT_GE(invalid.indices.length(), 1u);
  }
}

TEST_F(Requests, ThreadsAndOrbsHavePolicies) {
  CORBA::Object_var object = orb_->resolve_initial_references("PolicyCurrent");
  CORBA::PolicyCurrent_var current = CORBA::PolicyCurrent::_narrow(object);
  ASSERT_FALSE(CORBA::is_nil(current));
  CORBA::Any scope;
  scope <<= Messaging::SYNC_WITH_TARGET;
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = orb_->create_policy(Messaging::SYNC_SCOPE_POLICY_TYPE, scope);
  current->set_policy_overrides(policies, CORBA::SET_OVERRIDE);
  CORBA::PolicyList_var now = current->get_policy_overrides(CORBA::PolicyTypeSeq());
  EXPECT_EQ(now->length(), 1u);
  current->set_policy_overrides(CORBA::PolicyList(), CORBA::SET_OVERRIDE);
  object = orb_->resolve_initial_references("ORBPolicyManager");
  CORBA::PolicyManager_var manager = CORBA::PolicyManager::_narrow(object);
  manager->set_policy_overrides(policies, CORBA::SET_OVERRIDE);
  now = manager->get_policy_overrides(CORBA::PolicyTypeSeq());
  ASSERT_EQ(now->length(), 1u);
  EXPECT_EQ(now[0u]->policy_type(), Messaging::SYNC_SCOPE_POLICY_TYPE);
}

TEST_F(Requests, ObjectsKnowTheirOrb) {
  CORBA::ORB_var orb = object_->_get_orb();
  CORBA::String_var mine = orb_->id(), its = orb->id();
  EXPECT_STREQ(mine, its);
  CORBA::Object_var component = object_->_get_component();
  EXPECT_TRUE(CORBA::is_nil(component));
}

TEST_F(Requests, WrongOnesAreRefused) {
  EXPECT_THROW(object_->_request(""), CORBA::BAD_PARAM);
  EXPECT_THROW(object_->_request("_is_a"), CORBA::BAD_PARAM);
  EXPECT_THROW(root_->_request("create_POA"), CORBA::NO_IMPLEMENT);
  EXPECT_THROW(CORBA::Object::_nil()->_request("f"), CORBA::INV_OBJREF);
  CORBA::Any hostile;
  hostile <<= CORBA::COMM_FAILURE(1);
  hostile.type(CORBA::_tc_COMM_FAILURE);
  const CORBA::UserException* const none =
      CORBA::UserException::_downcast(static_cast<CORBA::Exception*>(nullptr));
  EXPECT_EQ(none, nullptr);
}
#endif

}  // namespace
