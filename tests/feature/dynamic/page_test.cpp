// The code of docs/user/dynamic.md.
#include <takt/dynamic/dyn_any.h>
#include <takt/dynamic/server_request.h>

#include "requests.h"

namespace feature {
namespace {

class Adder final : public virtual PortableServer::DynamicImplementation {
  void invoke(IDL::traits<CORBA::ServerRequest>::ref_type request) override {
    auto arguments = CORBA::make_reference<CORBA::NVList>();
    for (int i = 0; i < 2; ++i) arguments->add(CORBA::ARG_IN)->value().type(IDL::type_code<std::int32_t>());
    request->arguments(arguments);
    std::int32_t a = 0, b = 0;
    arguments->item(0)->value() >>= a;
    arguments->item(1)->value() >>= b;
    CORBA::Any sum;
    sum <<= a + b;
    request->set_result(sum);
  }
  std::string _primary_interface(const PortableServer::ObjectId&,
                                 IDL::traits<PortableServer::POA>::ref_type) override {
    return "IDL:Adder:1.0";
  }
};

TEST(DynamicPage, CallsWork) {
  ServerAndClient orbs;
  const auto object = orbs.publish<CORBA::Object>(CORBA::make_reference<Adder>());
  const auto request = object->_request("add");
  request->add_in_arg() <<= std::int32_t{1};
  request->add_in_arg() <<= std::int32_t{2};
  request->set_return_type(IDL::type_code<std::int32_t>());
  request->invoke();
  std::int32_t sum = 0;
  request->return_value() >>= sum;
  EXPECT_EQ(sum, 3);
  request->_reset();
  request->arguments()->item(0)->value() <<= std::int32_t{5};
  request->invoke();
  request->return_value() >>= sum;
  EXPECT_EQ(sum, 7);
  EXPECT_TRUE(object->_is_a("IDL:Adder:1.0"));
}

TEST(DynamicPage, ValuesWork) {
  const auto orb = make_orb({}, "page");
  const auto longs = IDL::type_code<std::int32_t>();
  const auto point = orb->create_struct_tc("IDL:Point:1.0", "Point", {{"x", longs}, {"y", longs}});
  const auto list = orb->create_struct_tc(  // a recursive type
      "IDL:List:1.0", "List",
      {{"rest", orb->create_sequence_tc(1, orb->create_recursive_tc("IDL:List:1.0"))}});
  EXPECT_EQ(list->member_type(0)->content_type()->name(), "List");
  const auto factory =
      IDL::traits<DynamicAny::DynAnyFactory>::narrow(orb->resolve_initial_references("DynAnyFactory"));
  const auto value =
      IDL::traits<DynamicAny::DynStruct>::narrow(factory->create_dyn_any_from_type_code(point));
  value->insert_long(3);  // the current component, x
  value->next();
  value->insert_long(4);
  const CORBA::Any any = value->to_any();
  EXPECT_EQ(IDL::traits<DynamicAny::DynStruct>::narrow(factory->create_dyn_any(any))->get_members()[1].id(),
            "y");
  orb->destroy();
}

}  // namespace
}  // namespace feature
