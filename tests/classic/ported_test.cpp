// Programs that were written for other ORBs rely on this; omniORB has it, too.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "servants.h"

namespace {

std::string said_by(const std::function<void()>& action) {
  testing::internal::CaptureStderr();
  EXPECT_THROW(action(), CORBA::SystemException);
  return testing::internal::GetCapturedStderr();
}

CORBA::ORB_ptr orb_with(const char* option, const char* value) {
  int argc = 3;
  const std::string kept[] = {"test", option, value};
  char* argv[] = {const_cast<char*>(kept[0].c_str()), const_cast<char*>(kept[1].c_str()),
                  const_cast<char*>(kept[2].c_str()), nullptr};
  return CORBA::ORB_init(argc, argv, value);  // an ORB of its own
}

TEST(Ported, AnOrbThatCannotStartSaysWhyOnStandardError) {
  EXPECT_NE(said_by([] { orb_with("-ORBRoundTripTimeout", "soon"); }).find("soon"), std::string::npos);
}

TEST(Ported, AnAddressThatIsNotThisMachinesIsNamedOnStandardError) {
  CORBA::ORB_var orb = orb_with("-ORBListenEndpoints", "iiop://192.0.2.5:0");
  const std::string said = said_by([&] {
    CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(root);
    CORBA::Object_var reference = poa->create_reference("IDL:Broad/Basics:1.0");
    CORBA::String_var text = orb->object_to_string(reference);
  });
  EXPECT_NE(said.find("192.0.2.5"), std::string::npos) << said;
  orb->destroy();
}

class Activator : public POA_PortableServer::ServantActivator {
 public:
  PortableServer::Servant incarnate(const PortableServer::ObjectId&, PortableServer::POA_ptr) override {
    throw CORBA::OBJECT_NOT_EXIST();
  }
  void etherealize(const PortableServer::ObjectId&, PortableServer::POA_ptr, PortableServer::Servant,
                   CORBA::Boolean, CORBA::Boolean) override {}
};

TEST(Ported, AServantManagerMayBeWrittenAsAServant) {
  CORBA::ORB_var orb = orb_with("-ORBListenEndpoints", "iiop://127.0.0.1:0");
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var root = PortableServer::POA::_narrow(object);
  CORBA::PolicyList policies(1);
  policies.length(1);
  policies[0] = root->create_request_processing_policy(PortableServer::USE_SERVANT_MANAGER);
  PortableServer::POAManager_var manager = root->the_POAManager();
  PortableServer::POA_var poa = root->create_POA("managed", manager, policies);
  Activator* const servant = new Activator;
  PortableServer::ServantActivator_var activator = servant->_this();
  servant->_remove_ref();
  poa->set_servant_manager(activator);
  PortableServer::ServantManager_var found = poa->get_servant_manager();
  EXPECT_EQ(dynamic_cast<Activator*>(found.in()), servant);
  orb->destroy();
}

}  // namespace
