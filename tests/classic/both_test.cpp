// One program with both mappings, whose halves call each other's objects in one ORB.
#include <gtest/gtest.h>

#include "both.h"
#include "cpp11_servants.h"

namespace {

class BothMappings : public testing::Test {
 protected:
  BothMappings() {
    int argc = 0;
    orb_ = CORBA::ORB_init(argc, nullptr);
    poa_ = IDL::traits<PortableServer::POA>::narrow(orb_->resolve_initial_references("RootPOA"));
    poa_->the_POAManager()->activate();
  }
  ~BothMappings() override {
    end_classic();
    orb_->destroy();
  }
  CORBA::object_reference<CORBA::ORB> orb_;
  CORBA::object_reference<PortableServer::POA> poa_;
};

TEST_F(BothMappings, AClassicStubCallsACpp11Servant) {
  const auto servant = CORBA::make_reference<Basics11>(orb_);
  EXPECT_EQ(call_in_classic(orb_->object_to_string(servant->_this())), "");
}

TEST_F(BothMappings, ACpp11StubCallsAClassicServant) {
  const auto basics = IDL::traits<Broad::Basics>::narrow(orb_->string_to_object(serve_in_classic()));
  ASSERT_TRUE(basics);
  EXPECT_EQ(basics->cube_octet(3), 27);
  std::string b = "before", c;
  EXPECT_EQ(basics->pass_strings("text", b, c), "text");
  EXPECT_EQ(b, "text");
  EXPECT_EQ(c, "before");
  EXPECT_THROW(basics->refuse(""), Broad::Empty);
  EXPECT_THROW(basics->fail(1), CORBA::UNKNOWN);
}

TEST_F(BothMappings, ServantsOfTheOtherMappingAreNotHandedOut) {
  const auto object = orb_->string_to_object(serve_in_classic());
  EXPECT_EQ(call_in_classic(orb_->object_to_string(object)), "");
  const auto servant = poa_->reference_to_servant(object);  // stands for the classic one
  ASSERT_TRUE(servant);
  EXPECT_EQ(servant->_repository_id(), "IDL:Broad/Basics:1.0");
}

}  // namespace
