// Custom valuetypes, whose classes write and read their state themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>

#include "odd_valuesS.h"

namespace {

const CORBA::ULong hostile = 0xfffffff0u;

// The room of the array that was read last, in elements.
std::atomic<CORBA::ULong> last_room{0};

class Packed : public virtual OBV_OddPacked, public virtual CORBA::DefaultValueRefCountBase {
 public:
  bool lies = false;  // about the length of its array
  void marshal(CORBA::DataOutputStream* to) override {
    to->write_string(word());
    to->write_ulong(lies ? hostile : values().length());
    to->write_long_array(values(), 0, values().length());
    to->write_boolean(true);
    to->write_any(rest());
    to->write_Object(CORBA::Object::_nil());
    to->write_Value(nullptr);
    to->write_TypeCode(CORBA::_tc_long);
    to->write_longlong(-5);
    to->write_wstring(L"wide");
  }
  void unmarshal(CORBA::DataInputStream* from) override {
    word(from->read_string());
    const CORBA::ULong count = from->read_ulong();
    from->read_long_array(values(), 0, count);
    last_room = std::max(values().length(), values().maximum());
    const bool is_true = from->read_boolean();
    CORBA::Any_var any = from->read_any();
    rest(any.in());
    CORBA::Object_var object = from->read_Object();
    CORBA::ValueBase_var value = from->read_Value();
    CORBA::TypeCode_var type = from->read_TypeCode();
    const CORBA::LongLong number = from->read_longlong();
    CORBA::WString_var wide = from->read_wstring();
    all_read = is_true && CORBA::is_nil(object.in()) && !value.in() && type->kind() == CORBA::tk_long &&
               number == -5 && std::wstring(wide.in()) == L"wide";
  }
  bool all_read = false;
  CORBA::Any& kept() { return rest(); }
};

class Factory : public virtual CORBA::ValueFactoryBase {
  CORBA::ValueBase* create_for_unmarshal() override { return new Packed; }
};

class Packer : public virtual POA_OddPacker {
 public:
  OddPacked* pass(OddPacked* value, CORBA::Any& also) override {
    CORBA::Any within;
    within <<= value;
    also = within;
    CORBA::add_ref(value);
    return value;
  }
};

class CustomValues : public testing::Test {
 protected:
  void SetUp() override {
    int argc = 0;
    orb_ = CORBA::ORB_init(argc, nullptr);
    CORBA::ValueFactoryBase* const factory = new Factory;
    CORBA::release(orb_->register_value_factory("IDL:OddPacked:1.0", factory));
    factory->_remove_ref();
    CORBA::Object_var object = orb_->resolve_initial_references("RootPOA");
    PortableServer::POA_var root = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = root->the_POAManager();
    manager->activate();
    Packer* const servant = new Packer;
    PortableServer::ServantBase_var owner = servant;
    packer_ = servant->_this();
    sent_ = new Packed;
    owner_ = sent_;
    sent_->word("word");
    sent_->values().length(3);
    for (CORBA::ULong i = 0; i < 3; ++i) sent_->values()[i] = static_cast<CORBA::Long>(i) - 1;
    sent_->kept() <<= "rest";
  }
  void TearDown() override {
    packer_ = OddPacker::_nil();
    orb_->destroy();
  }
  CORBA::ORB_var orb_;
  OddPacker_var packer_;
  Packed* sent_ = nullptr;
  OddPacked_var owner_;
};

TEST_F(CustomValues, WriteAndReadTheirState) {
  CORBA::Any any;
  OddPacked_var back = packer_->pass(sent_, any);
  Packed* const packed = dynamic_cast<Packed*>(back.in());
  ASSERT_NE(packed, nullptr);
  EXPECT_NE(packed, sent_);
  EXPECT_TRUE(packed->all_read);
  EXPECT_STREQ(packed->word(), "word");
  ASSERT_EQ(packed->values().length(), 3u);
  EXPECT_EQ(packed->values()[0], -1);
  const char* text = nullptr;
  EXPECT_TRUE(packed->kept() >>= text);
  EXPECT_STREQ(text, "rest");
  OddPacked* within = nullptr;
  ASSERT_TRUE(any >>= within);
  EXPECT_STREQ(within->word(), "word");
  EXPECT_EQ(OddPacked::_downcast(within), within);
  EXPECT_EQ(_tc_OddPacked->type_modifier(), CORBA::VM_CUSTOM);
}

TEST_F(CustomValues, AllocateNoMoreThanHasArrived) {
  sent_->lies = true;
  CORBA::Any any;
  EXPECT_THROW(packer_->pass(sent_, any), CORBA::MARSHAL);
  EXPECT_GT(last_room.load(), 0u) << "the array has been read";
  EXPECT_LT(last_room.load(), 100000u) << "not the length that the message claims";
}

TEST_F(CustomValues, ArraysEndWithTheirSequences) {
  struct Wrong : Packed {
    void marshal(CORBA::DataOutputStream* to) override { to->write_long_array(values(), 2, hostile); }
  };
  OddPacked_var wrong = new Wrong;
  CORBA::Any any;
  EXPECT_THROW(packer_->pass(wrong, any), CORBA::BAD_PARAM);
}

bool has_factory(CORBA::ORB_ptr orb, const char* id) {
  try {
    orb->unregister_value_factory(id);
    return true;
  } catch (const CORBA::BAD_PARAM&) {
    return false;
  }
}

// As generated code in a plug-in makes them, which is loaded and unloaded.
TEST(ValueRegistrations, HoldForAllOrbsAsLongAsTheyLive) {
  typedef takt::classic::ValueRegistration Registration;
  const char* const id = "IDL:Plugged/Thing:1.0";
  const auto make = []() -> takt::classic::ValueImplementation* { return nullptr; };
  int argc = 0;
  CORBA::ORB_var before = CORBA::ORB_init(argc, nullptr, "before");
  {
    const Registration registration(id, make);
    CORBA::ORB_var after = CORBA::ORB_init(argc, nullptr, "after");
    EXPECT_TRUE(has_factory(before, id));
    EXPECT_TRUE(has_factory(after, id));
    after->destroy();
  }
  {
    const Registration registration(id, make);
  }
  EXPECT_FALSE(has_factory(before, id));
  {
    const Registration same(id, make);
    {
      const Registration registration(id, make);
    }
    EXPECT_TRUE(has_factory(before, id));
  }
  std::unique_ptr<Registration> first(new Registration(id, make));
  const Registration second(id, make);
  first.reset();
  EXPECT_TRUE(has_factory(before, id));
  CORBA::ORB_var last = CORBA::ORB_init(argc, nullptr, "last");
  EXPECT_TRUE(has_factory(last, id));
  last->destroy();
  before->destroy();
}

}  // namespace
