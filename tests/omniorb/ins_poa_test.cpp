// omniORB's adapter for keys that corbaloc names. omniORB itself passes the same test.
#include "port.h"

#include <string>

#include <gtest/gtest.h>
#include <omniORB4/CORBA.h>
#include <echo.hh>

namespace {

class Saying : public POA_Echo {
 public:
  char* echoString(const char* text) override { return CORBA::string_dup(text); }
};

class InsPoa : public testing::Test {
 protected:
  void SetUp() override {
    {
      const Port free("");
      port_ = std::to_string(ntohs(free.address().sin_port));
    }
    static char name[] = "test", option[] = "-ORBendPoint";
    std::string endpoint = "giop:tcp:127.0.0.1:" + port_;
    char* arguments[] = {name, option, &endpoint[0], nullptr};
    int count = 3;
    orb_ = CORBA::ORB_init(count, arguments);
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

}  // namespace
