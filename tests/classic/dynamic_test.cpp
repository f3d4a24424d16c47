// Servants without generated code. The same source runs against omniORB; under ASan, leaks and double frees
// fail it.
#include <gtest/gtest.h>

#include <sstream>

#include "dynamic_servants.h"

namespace {

class DynamicServants : public testing::Test {
 protected:
  void SetUp() override {
    int argc = 0;
    orb_ = CORBA::ORB_init(argc, nullptr);
    CORBA::Object_var object = orb_->resolve_initial_references("RootPOA");
    root_ = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = root_->the_POAManager();
    manager->activate();
  }
  void TearDown() override { orb_->destroy(); }
  Broad::Basics_ptr serve(PortableServer::ServantBase* servant) {
    PortableServer::ObjectId_var id = root_->activate_object(servant);
    servant->_remove_ref();
    CORBA::Object_var object = root_->id_to_reference(id);
    return Broad::Basics::_narrow(object);
  }
  CORBA::ORB_var orb_;
  PortableServer::POA_var root_;
};

TEST_F(DynamicServants, ServeCallersInTheProcess) {
  Broad::Basics_var basics = serve(new Dynamic_i(orb_));
  CORBA::Long b = 2, c = 0;
  EXPECT_TRUE(basics->pass_longs(1, b, c) == 1 && b == 1 && c == 2);
  CORBA::String_var text = CORBA::string_dup("before"), out;
  CORBA::String_var result = basics->pass_strings("a text", text.inout(), out.out());
  EXPECT_STREQ(result, "a text");
  EXPECT_STREQ(out, "before");
  try {
    basics->refuse("because");
    ADD_FAILURE();
  } catch (const Broad::Refused& refused) {
    EXPECT_STREQ(refused.why, "because");
  }
  EXPECT_THROW(basics->fail(1), CORBA::NO_PERMISSION);
  EXPECT_THROW(basics->twice(1), CORBA::BAD_OPERATION);
  basics->touch();
  EXPECT_TRUE(basics->_is_a("IDL:Broad/Basics:1.0"));
  EXPECT_TRUE(basics->_is_a("IDL:omg.org/CORBA/Object:1.0"));
  EXPECT_FALSE(basics->_is_a("IDL:Broad/Listener:1.0"));
}

TEST_F(DynamicServants, AreReleasedWithTheirObjects) {
  Dynamic_i* const servant = new Dynamic_i(orb_);
  PortableServer::ObjectId_var id = root_->activate_object(servant);
  servant->_remove_ref();
  EXPECT_EQ(Dynamic_i::alive(), 1);
  root_->deactivate_object(id);
  EXPECT_EQ(Dynamic_i::alive(), 0);
}

// Uses its requests in another order than the rules say.
class Wrong_i : public virtual PortableServer::DynamicImplementation {
 public:
  explicit Wrong_i(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)) {}
  char* _primary_interface(const PortableServer::ObjectId&, PortableServer::POA_ptr) {
    return CORBA::string_dup("IDL:Broad/Basics:1.0");
  }
  void invoke(CORBA::ServerRequest_ptr request) {
    const std::string operation = request->operation();
    CORBA::Any value;
    value <<= static_cast<CORBA::Long>(1);
    if (operation == "touch") return;  // asks for no arguments
    if (operation == "_get_counter") return request->set_result(value);
    CORBA::NVList_ptr arguments;
    orb_->create_list(0, arguments);
    arguments->add(CORBA::ARG_IN)->value()->replace(CORBA::_tc_long, nullptr);
    request->arguments(arguments);
    if (operation == "twice") return request->set_exception(value);  // is none
    request->set_result(value);
    request->set_result(value);
  }

 private:
  const CORBA::ORB_var orb_;
};
TEST_F(DynamicServants, AWrongOrderIsAnAnswer) {
  Broad::Basics_var basics = serve(new Wrong_i(orb_));
  EXPECT_THROW(basics->touch(), CORBA::BAD_INV_ORDER);
  EXPECT_THROW(basics->counter(), CORBA::BAD_INV_ORDER);
  EXPECT_THROW(basics->twice(1), CORBA::BAD_PARAM);
  Broad::Basics::Inner inner;
  EXPECT_THROW(basics->fail(1), CORBA::BAD_INV_ORDER);
}

#ifndef CLASSIC_BY_OMNIORB
class Keeps_i : public Dynamic_i {
 public:
  explicit Keeps_i(CORBA::ORB_ptr orb) : Dynamic_i(orb) {}
  void invoke(CORBA::ServerRequest_ptr request) {
    kept = CORBA::ServerRequest::_duplicate(request);
    Dynamic_i::invoke(request);
  }
  CORBA::ServerRequest_var kept;
};
TEST_F(DynamicServants, AKeptRequestIsOver) {
  Keeps_i* const servant = new Keeps_i(orb_);
  servant->_add_ref();
  PortableServer::Servant_var<Keeps_i> keeps(servant);
  Broad::Basics_var basics = serve(servant);
  basics->note(3);
  EXPECT_EQ(basics->counter(), 3);
  EXPECT_STREQ(servant->kept->operation(), "_get_counter");
  CORBA::Any value;
  EXPECT_THROW(servant->kept->set_result(value), CORBA::BAD_INV_ORDER);
  servant->kept = CORBA::ServerRequest::_nil();
  EXPECT_THROW(CORBA::Object_var(servant->_this()), PortableServer::POA::WrongPolicy);
}

// A servant whose objects have no interface.
class Nameless_i : public Dynamic_i {
 public:
  explicit Nameless_i(CORBA::ORB_ptr orb) : Dynamic_i(orb) {}
  char* _primary_interface(const PortableServer::ObjectId&, PortableServer::POA_ptr) { return nullptr; }
};
class Refusing_i : public Dynamic_i {
 public:
  explicit Refusing_i(CORBA::ORB_ptr orb) : Dynamic_i(orb) {}
  char* _primary_interface(const PortableServer::ObjectId&, PortableServer::POA_ptr) {
    throw CORBA::NO_RESOURCES(5, CORBA::COMPLETED_NO);
  }
};
TEST_F(DynamicServants, AMissingInterfaceIsRefused) {
  EXPECT_THROW(Broad::Basics_var(serve(new Nameless_i(orb_))), CORBA::OBJ_ADAPTER);
  EXPECT_THROW(Broad::Basics_var(serve(new Refusing_i(orb_))), CORBA::NO_RESOURCES);
}
// TAO's additions.
TEST_F(DynamicServants, ExceptionsTellWhatTheyAre) {
  EXPECT_EQ(Broad::Refused()._info(), "user exception, ID 'IDL:Broad/Refused:1.0'");
  const CORBA::NO_PERMISSION refused(7, CORBA::COMPLETED_NO);
  const std::string info = refused._info();
  EXPECT_EQ(info.find("system exception, ID 'IDL:omg.org/CORBA/NO_PERMISSION:1.0'\n"), 0u) << info;
  std::ostringstream out;
  out << refused;
  EXPECT_EQ(out.str(), info);
}
TEST_F(DynamicServants, AnAnyTakesNoValueByReplace) {
  CORBA::Any any(CORBA::_tc_long, nullptr);
  CORBA::TypeCode_var type = any.type();
  EXPECT_EQ(type->kind(), CORBA::tk_long);
  const CORBA::Long number = 3;
  EXPECT_THROW(any.replace(CORBA::_tc_long, &number), CORBA::NO_IMPLEMENT);
}
#endif

}  // namespace
