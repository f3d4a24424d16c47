// omniORB's adapter for keys that corbaloc names. omniORB itself passes the same test.
#include <string>

#include <gtest/gtest.h>
#include <omniORB4/CORBA.h>
#include <omniORB4/omniORB.h>
#include <echo.hh>

namespace {

class Saying : public POA_Echo {
 public:
  char* echoString(const char* text) override { return CORBA::string_dup(text); }
};

// The port in a reference of this process, whose octets are in little-endian order: it follows the closing
// zero of the host 127.0.0.1.
std::string port_in(const std::string& ior) {
  const std::size_t host = ior.find("3132372e302e302e3100");
  if (host == std::string::npos) return {};
  const std::string port = ior.substr(host + 20, 4);
  return std::to_string(std::stoi(port.substr(2) + port.substr(0, 2), nullptr, 16));
}

class InsPoa : public testing::Test {
 protected:
  void SetUp() override {
    static char name[] = "test", option[] = "-ORBendPoint", endpoint[] = "giop:tcp:127.0.0.1:";
    char* arguments[] = {name, option, endpoint, nullptr};
    int count = 3;
    orb_ = CORBA::ORB_init(count, arguments);
    CORBA::Object_var object = orb_->resolve_initial_references("RootPOA");
    PortableServer::POA_var root = PortableServer::POA::_narrow(object);
    object = root->create_reference("IDL:Echo:1.0");
    CORBA::String_var ior = orb_->object_to_string(object);
    port_ = port_in(ior.in());
    ASSERT_NE(port_, "");
  }
  void TearDown() override { orb_->destroy(); }

  PortableServer::POA_ptr adapter() {
    CORBA::Object_var object = orb_->resolve_initial_references("omniINSPOA");
    return PortableServer::POA::_narrow(object);
  }
  Echo_ptr at(const std::string& key) {
    CORBA::Object_var object = orb_->string_to_object(("corbaloc::127.0.0.1:" + port_ + "/" + key).c_str());
    return Echo::_narrow(object);
  }

  std::string port_;
  CORBA::ORB_var orb_;
};

TEST_F(InsPoa, serves_objects_by_keys_that_are_their_ids) {
  PortableServer::POA_var poa = adapter();
  PortableServer::POAManager_var manager = poa->the_POAManager();
  Saying* const servant = new Saying;
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("My Object");
  poa->activate_object_with_id(id, servant);
  servant->_remove_ref();
  manager->activate();
  Echo_var echo = at("My%20Object");
  CORBA::String_var said = echo->echoString("yes");
  EXPECT_STREQ(said, "yes");
  CORBA::Object_var object = poa->id_to_reference(id);
  echo = Echo::_narrow(object);
  said = echo->echoString("again");
  EXPECT_STREQ(said, "again");
  EXPECT_THROW(at("Nobody"), CORBA::OBJECT_NOT_EXIST);
  poa->deactivate_object(id);
  EXPECT_THROW(at("My%20Object"), CORBA::OBJECT_NOT_EXIST);
}

TEST_F(InsPoa, is_one_and_has_persistent_objects_with_ids_of_the_program) {
  PortableServer::POA_var poa = adapter(), again = adapter();
  EXPECT_TRUE(poa->_is_equivalent(again));
  Saying servant;
  EXPECT_THROW(poa->activate_object(&servant), PortableServer::POA::WrongPolicy);
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("one");
  CORBA::Object_var object = poa->create_reference_with_id(id, "IDL:Echo:1.0");
  EXPECT_FALSE(CORBA::is_nil(object));
}

TEST_F(InsPoa, is_made_anew_after_it_was_destroyed) {
  PortableServer::POA_var poa = adapter();
  poa->destroy(true, true);
  EXPECT_THROW(at("one"), CORBA::SystemException);
  poa = adapter();
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  Saying* const servant = new Saying;
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("one");
  poa->activate_object_with_id(id, servant);
  servant->_remove_ref();
  Echo_var echo = at("one");
  CORBA::String_var said = echo->echoString("yes");
  EXPECT_STREQ(said, "yes");
}

TEST(DestroyedOrbs, that_the_program_keeps_or_that_had_the_adapter_take_no_timeouts) {
  static char name[] = "test";
  char* arguments[] = {name, nullptr};
  int count = 1;
  CORBA::ORB_var kept;
  for (const char* const reference : {"RootPOA", "omniINSPOA"}) {
    CORBA::ORB_var orb = CORBA::ORB_init(count, arguments);
    CORBA::Object_var object = orb->resolve_initial_references(reference);
    object = CORBA::Object::_nil();
    orb->destroy();
    if (CORBA::is_nil(kept)) kept = orb._retn();
    EXPECT_NO_THROW(omniORB::setClientCallTimeout(0)) << reference;
  }
}

}  // namespace
