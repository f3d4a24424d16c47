// The types of out arguments as omniORB's `omniidl -Wbexample` writes them into servants. omniORB itself
// passes the same test.
#include <gtest/gtest.h>
#include <omniORB4/CORBA.h>

namespace {

void give(CORBA::Any_OUT_arg any, CORBA::Object_OUT_arg object, CORBA::TypeCode_OUT_arg type) {
  any = new CORBA::Any;
  object = CORBA::Object::_nil();
  type = CORBA::TypeCode::_duplicate(CORBA::_tc_long);
}

TEST(OutArguments, HaveTheNamesOfWrittenServants) {
  CORBA::Any_var any;
  CORBA::Object_var object;
  CORBA::TypeCode_var type;
  give(any.out(), object.out(), type.out());
  EXPECT_TRUE(any.operator->());
  EXPECT_TRUE(CORBA::is_nil(object));
  EXPECT_EQ(type->kind(), CORBA::tk_long);
}

}  // namespace
