// How programs of TAO use sequences and variables, and the small classes of <tao/Utils/...>.
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <tao/ORB_Constants.h>
#include <tao/PortableServer/PortableServer.h>
#include <tao/Utils/Implicit_Deactivator.h>
#include <tao/Utils/ORB_Destroyer.h>
#include <tao/Utils/ORB_Manager.h>
#include <tao/Utils/PolicyList_Destroyer.h>
#include <tao/Utils/RIR_Narrow.h>
#include <tao/Utils/Servant_Var.h>
#include <tao/debug.h>

namespace {

CORBA::StringSeq two_names() {
  CORBA::StringSeq names;
  names.length(2);
  names[0] = CORBA::string_dup("a");
  names[1] = CORBA::string_dup("b");
  return names;
}

TEST(IdiomsOfTao, ElementsOfConstSequencesOfStringsHaveIn) {
  const CORBA::StringSeq names = two_names();
  EXPECT_STREQ(names[1].in(), "b");
  const CORBA::String_var copy = names[1];
  std::string text(names[0]);
  text = names[1];
  EXPECT_EQ(text, copy.in());
}

TEST(IdiomsOfTao, SequencesAreGoneThrough) {
  CORBA::LongSeq numbers;
  numbers.length(3);
  for (CORBA::Long& number : numbers) number = 7;
  const CORBA::LongSeq& fixed = numbers;
  EXPECT_EQ(std::vector<CORBA::Long>(fixed.begin(), fixed.end()), std::vector<CORBA::Long>(3, 7));
  CORBA::StringSeq names = two_names();
  for (CORBA::StringSeq::iterator name = names.begin(); name != names.end(); ++name)
    *name = (std::string((*name).in()) + "!").c_str();
  std::string all;
  const CORBA::StringSeq& read = names;
  for (const auto& name : read) all += name.in();
  EXPECT_EQ(all, "a!b!");
  CORBA::StringSeq empty;
  names.swap(empty);
  EXPECT_EQ(names.length(), 0u);
  EXPECT_TRUE(names.begin() == names.end());
  EXPECT_EQ(empty.length(), 2u);
}

TEST(IdiomsOfTao, VariablesArePointersWhereOneIsNeeded) {
  CORBA::StringSeq_var names = new CORBA::StringSeq(two_names());
  CORBA::StringSeq* const pointer = names;
  EXPECT_EQ(pointer, names.ptr());
  EXPECT_EQ((*names).length(), 2u);
  EXPECT_STREQ(names[1], "b");
  for (long i = 0; i < 2; ++i) EXPECT_STREQ(names[i], (*pointer)[static_cast<CORBA::ULong>(i)].in());
  CORBA::Any any;
  any <<= names;  // a copy
  const CORBA::StringSeq* inside = nullptr;
  EXPECT_TRUE(any >>= inside);
  EXPECT_NE(inside, pointer);
  CORBA::StringSeq_var none;
  EXPECT_TRUE(none == nullptr);
}

void make_names(CORBA::StringSeq_out names) {
  names = new CORBA::StringSeq(two_names());
  names->length(3);
  const long last = 2;
  names[last] = CORBA::string_dup("c");
  EXPECT_STREQ(names[0], "a");
}
TEST(IdiomsOfTao, OutSequencesHaveTheirElements) {
  CORBA::StringSeq_var names;
  make_names(names.out());
  EXPECT_STREQ(names[2], "c");
  make_names(names);
  EXPECT_EQ(names->length(), 3u);
}

TEST(IdiomsOfTao, MinorCodesAreMadeOfTheirNumbers) {
  EXPECT_EQ(CORBA::BAD_PARAM(CORBA::OMGVMCID | 4, CORBA::COMPLETED_NO).minor(), 0x4f4d0004u);
  EXPECT_EQ(TAO::VMCID, 0x54410000u);
  EXPECT_EQ(TAO_debug_level, 0u);
}

class Nothing : public PortableServer::DynamicImplementation {
  void invoke(CORBA::ServerRequest_ptr) override {}
  char* _primary_interface(const PortableServer::ObjectId&, PortableServer::POA_ptr) override {
    return CORBA::string_dup("IDL:Nothing:1.0");
  }
};

TEST(UtilitiesOfTao, AManagerHasAnOrbWithTwoPoas) {
  char name[] = "test", option[] = "-ORBIgnoreDefaultSvcConfFile";
  char* arguments[] = {name, option, nullptr};
  int count = 2;
  TAO_ORB_Manager manager;
  EXPECT_EQ(manager.activate_poa_manager(), -1);
  EXPECT_EQ(manager.init_child_poa(count, arguments, "child"), 0);
  EXPECT_EQ(manager.activate_poa_manager(), 0);
  const TAO::Utils::Servant_Var<Nothing> servant(new Nothing), other(new Nothing);
  const CORBA::String_var reference = manager.activate(servant.in());
  const CORBA::String_var named = manager.activate_under_child_poa("other", other.in());
  const PortableServer::POAManager_var states = manager.poa_manager();
  const CORBA::String_var id = states->get_id();
  EXPECT_STRNE(id.in(), "");
  const CORBA::ORB_var orb = manager.orb();
  const CORBA::Object_var object = orb->string_to_object(reference.in()),
                          child = orb->string_to_object(named.in());
  EXPECT_FALSE(object->_non_existent());
  EXPECT_FALSE(child->_non_existent());
  manager.deactivate(reference.in());
  manager.deactivate_under_child_poa("other");
  EXPECT_TRUE(object->_non_existent());
  EXPECT_EQ(manager.fini(), 0);
  EXPECT_TRUE(CORBA::is_nil(manager.orb()));
}

TEST(UtilitiesOfTao, BlocksEndWhatTheyUse) {
  char name[] = "test", option[] = "-ORBIgnoreDefaultSvcConfFile";
  char* arguments[] = {name, option, nullptr};
  int count = 2;
  CORBA::ORB_var orb = CORBA::ORB_init(count, arguments);
  {
    const TAO::Utils::ORB_Destroyer destroyer(orb);
    const PortableServer::POA_var poa =
        TAO::Utils::RIR_Narrow<PortableServer::POA>::narrow(orb.in(), "RootPOA");
    EXPECT_THROW(TAO::Utils::RIR_Narrow<PortableServer::Current>::narrow(orb.in(), "RootPOA"),
                 CORBA::INV_OBJREF);
    TAO::Utils::PolicyList_Destroyer policies(2);
    policies.length(2);  // one stays nil
    policies[0] = poa->create_lifespan_policy(PortableServer::TRANSIENT);
    const TAO::Utils::Servant_Var<Nothing> servant(new Nothing);
    CORBA::Object_var object;
    {
      const TAO::Utils::Implicit_Deactivator deactivator(servant.in());
      const PortableServer::ObjectId_var id = poa->activate_object(servant.in());
      object = poa->id_to_reference(id.in());
      EXPECT_NO_THROW(PortableServer::ServantBase_var(poa->reference_to_servant(object.in())));
    }
    EXPECT_THROW(poa->reference_to_servant(object.in()), PortableServer::POA::ObjectNotActive);
  }
  EXPECT_THROW(orb->resolve_initial_references("RootPOA"), CORBA::SystemException);
}

}  // namespace
