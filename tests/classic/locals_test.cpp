// Local interfaces of the classic mapping. The same source runs against omniORB; under ASan, leaks and double
// frees fail it.
#include <gtest/gtest.h>

#include <string>

#ifdef CLASSIC_BY_OMNIORB
#include "locals.hh"
#else
#include "localsS.h"
#endif

namespace {

int specials_alive = 0;

class Special_i : public virtual Locals::Special, public virtual CORBA::LocalObject {
 public:
  explicit Special_i(CORBA::Long value) : value_(value) { ++specials_alive; }
  ~Special_i() { --specials_alive; }

  CORBA::Long value() { return value_; }
  void value(CORBA::Long value) { value_ = value; }
  char* text(const char* prefix, CORBA::Long& times, CORBA::String_out last) {
    if (times < 0) throw Locals::Full(prefix);
    std::string all;
    for (; times > 0; --times) all += prefix;
    last = CORBA::string_dup(prefix);
    return CORBA::string_dup(all.c_str());
  }
  Locals::Counter_ptr next(Locals::Counter_ptr after, Locals::Counter_out same) {
    same = Locals::Counter::_duplicate(after);
    return new Special_i(after->value() + 1);
  }
  Locals::Counters* all(const Locals::Counters& some) { return new Locals::Counters(some); }
  Locals::Shelf* arrange(const Locals::Shelf& from) {
    if (CORBA::is_nil(from.first.in())) throw Locals::Broken(this);
    return new Locals::Shelf(from);
  }
  Locals::Slot* place(const Locals::Slot& where) { return new Locals::Slot(where); }
  Locals::Remote_ptr far(Locals::Remote_ptr given) { return Locals::Remote::_duplicate(given); }
  char* name() { return CORBA::string_dup("special"); }
  Locals::Special::List* twins() {
    Locals::Special::List_var list = new Locals::Special::List;
    list->length(2);
    list[0u] = Locals::Special::_duplicate(this);
    list[1u] = Locals::Special::_duplicate(this);
    return list._retn();
  }

 private:
  CORBA::Long value_;
};

class LocalsTest : public testing::Test {
 protected:
  void SetUp() override { specials_alive = 0; }
#ifndef CLASSIC_BY_OMNIORB  // which does not count local objects
  void TearDown() override { EXPECT_EQ(specials_alive, 0); }
#endif
};

#ifndef CLASSIC_BY_OMNIORB
TEST_F(LocalsTest, TheLastReferenceDeletes) {
  Locals::Special_var special = new Special_i(1);
  {
    Locals::Counter_var counter = Locals::Counter::_duplicate(special);
    counter->value(5);
  }
  EXPECT_EQ(special->value(), 5);
  EXPECT_EQ(specials_alive, 1);
  special = Locals::Special::_nil();
  EXPECT_EQ(specials_alive, 0);
}
#endif

TEST_F(LocalsTest, OperationsAreCallsOfTheObject) {
  Locals::Counter_var counter = new Special_i(7);
  CORBA::Long times = 2;
  CORBA::String_var last;
  CORBA::String_var text = counter->text("ab", times, last.out());
  EXPECT_STREQ(text, "abab");
  EXPECT_STREQ(last, "ab");
  EXPECT_EQ(times, 0);
  times = -1;
  try {
    text = counter->text("why", times, last.out());
    FAIL();
  } catch (const Locals::Full& full) {
    EXPECT_STREQ(full.what, "why");
  }
  Locals::Counter_var same;
  Locals::Counter_var next = counter->next(counter, same.out());
  EXPECT_EQ(next->value(), 8);
  EXPECT_EQ(same.in(), counter.in());
}

TEST_F(LocalsTest, NarrowingAsksNobody) {
  CORBA::Object_var object = new Special_i(1);
  EXPECT_FALSE(CORBA::is_nil(object));
  Locals::Named_var named = Locals::Named::_narrow(object);
  ASSERT_FALSE(CORBA::is_nil(named));
  CORBA::String_var name = named->name();
  EXPECT_STREQ(name, "special");
  Locals::Special_var special = Locals::Special::_unchecked_narrow(object);
  EXPECT_FALSE(CORBA::is_nil(special));
  Locals::Settings_var settings = Locals::Settings::_narrow(object);
  EXPECT_TRUE(CORBA::is_nil(settings));
  Locals::Remote_var remote = Locals::Remote::_narrow(object);
  EXPECT_TRUE(CORBA::is_nil(remote));
  Locals::Special_var none = Locals::Special::_narrow(CORBA::Object::_nil());
  EXPECT_TRUE(CORBA::is_nil(none));
}

TEST_F(LocalsTest, CallsOnNilAreRefused) {
  Locals::Special_var none;
  EXPECT_TRUE(CORBA::is_nil(none));
  EXPECT_THROW(none->value(), CORBA::INV_OBJREF);
  EXPECT_THROW(none->value(1), CORBA::INV_OBJREF);
  EXPECT_THROW(none->name(), CORBA::INV_OBJREF);
  EXPECT_THROW(none->twins(), CORBA::INV_OBJREF);
  Locals::Counter_var also = Locals::Counter::_nil(), third = also;
  EXPECT_THROW(third->far(Locals::Remote::_nil()), CORBA::INV_OBJREF);
}

TEST_F(LocalsTest, StructsSequencesAndUnionsHoldThem) {
  Locals::Counter_var counter = new Special_i(3);
  Locals::Shelf shelf;
  shelf.label = static_cast<const char*>("label");
  try {
    counter->arrange(shelf);
    FAIL();
  } catch (const Locals::Broken& broken) {
    EXPECT_EQ(broken.which->value(), 3);
  }
  shelf.first = Locals::Counter::_duplicate(counter);
  shelf.others.length(2);
  shelf.others[1] = new Special_i(4);
  Locals::Shelf_var arranged = counter->arrange(shelf);
  EXPECT_STREQ(arranged->label, "label");
  EXPECT_EQ(arranged->first->value(), 3);
  EXPECT_TRUE(CORBA::is_nil(arranged->others[0]));
  EXPECT_EQ(arranged->others[1]->value(), 4);
  EXPECT_EQ(specials_alive, 2);
  Locals::Counters_var all = counter->all(shelf.others);
  EXPECT_EQ(all->length(), 2u);
  Locals::Slot slot;
  slot.here(counter);
  Locals::Slot_var placed = counter->place(slot);
  EXPECT_EQ(placed->here()->value(), 3);
  slot.why("none");
  placed = counter->place(slot);
  EXPECT_STREQ(placed->why(), "none");
  Locals::Pair_var pair = Locals::Pair_alloc();
  pair[0] = Locals::Counter::_duplicate(counter);
  Locals::Special_var special = Locals::Special::_narrow(counter);
  Locals::Special::List_var twins = special->twins();
  EXPECT_EQ(twins[1u]->value(), 3);
}

class Settings_i : public virtual Locals::Settings, public virtual CORBA::LocalObject {
 public:
  CORBA::Long number() { return 77; }
};

TEST_F(LocalsTest, AnInitialReferenceIsTheObjectItself) {
  int argc = 0;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, nullptr);
  {
    Locals::Settings_var settings = new Settings_i;
    orb->register_initial_reference("Settings", settings);
  }
  CORBA::Object_var object = orb->resolve_initial_references("Settings");
  Locals::Settings_var settings = Locals::Settings::_narrow(object);
  ASSERT_FALSE(CORBA::is_nil(settings));
  EXPECT_EQ(settings->number(), 77);
  EXPECT_TRUE(object->_is_equivalent(settings));
  EXPECT_FALSE(object->_non_existent());
  EXPECT_THROW(orb->object_to_string(object), CORBA::MARSHAL);
}

// omniORB has no such types in its IDL, and its proxies are not of the interface classes.
#ifndef CLASSIC_BY_OMNIORB
class MyCurrent_i : public virtual Locals::MyCurrent, public virtual CORBA::LocalObject {
 public:
  CORBA::Long number() { return 8; }
  void spare(CORBA::Policy_ptr policy, CORBA::Environment_ptr environment) {
    EXPECT_TRUE(CORBA::is_nil(policy));
    environment->exception(new CORBA::BAD_PARAM(3));
  }
};

TEST_F(LocalsTest, ACurrentOfTheApplicationIsACurrent) {
  CORBA::Current_var current = new MyCurrent_i;
  Locals::MyCurrent_var mine = Locals::MyCurrent::_narrow(current);
  Locals::Tally_var tally = Locals::Tally::_narrow(current);
  EXPECT_TRUE(CORBA::is_nil(tally));
  EXPECT_EQ(mine->number(), 8);
  CORBA::Environment_var environment = new CORBA::Environment;
  mine->spare(CORBA::Policy::_nil(), environment);
  EXPECT_STREQ(environment->exception()->_name(), "BAD_PARAM");
}

class MyPolicy_i : public virtual Locals::MyPolicy, public virtual CORBA::LocalObject {
 public:
  CORBA::Long level() { return 4; }
  CORBA::PolicyType policy_type() { return 0x54410001; }
  CORBA::Policy_ptr copy() { return new MyPolicy_i; }
  void destroy() {}
};

TEST_F(LocalsTest, APolicyOfTheApplicationIsAPolicy) {
  CORBA::Policy_var policy = new MyPolicy_i;
  CORBA::Policy_var copy = policy->copy();
  EXPECT_EQ(copy->policy_type(), 0x54410001u);
  Locals::MyPolicy_var mine = Locals::MyPolicy::_narrow(copy);
  EXPECT_EQ(mine->level(), 4);
  copy->destroy();
}

class Near_i : public virtual Locals::Near, public virtual CORBA::LocalObject {
 public:
  char* id_of(const char* name) { return CORBA::string_dup((std::string("IDL:") + name).c_str()); }
  CORBA::WStringSeq* wide(const CORBA::WStringSeq& texts) { return new CORBA::WStringSeq(texts); }
  CORBA::ServiceOption option(CORBA::PolicyType type) { return type + 1; }
  char* name() { return CORBA::string_dup("near"); }
  CORBA::Long distance() { return 1; }
};

TEST_F(LocalsTest, ALocalObjectStandsForARemoteOne) {
  Locals::Remote_var remote = new Near_i;
  EXPECT_EQ(remote->option(3), 4u);
  CORBA::String_var id = remote->id_of("x");
  EXPECT_STREQ(id, "IDL:x");
  CORBA::WStringSeq texts;
  texts.length(1);
  texts[0] = CORBA::wstring_dup(L"w");
  CORBA::WStringSeq_var wide = remote->wide(texts);
  EXPECT_STREQ(static_cast<const CORBA::WChar*>(wide[0u].in()), L"w");
}

TEST_F(LocalsTest, AReferenceOfAnotherTypeOutlivesTheObject) {
  Locals::Remote_var remote;
  {
    CORBA::Object_var object = new Special_i(1);
    remote = Locals::Remote::_unchecked_narrow(object);
  }
  EXPECT_FALSE(remote->_is_a("IDL:Locals/Special:1.0"));
  EXPECT_THROW(remote->option(1), CORBA::NO_IMPLEMENT);
}

TEST_F(LocalsTest, AnEnvironmentOwnsItsException) {
  CORBA::Environment_var environment = new CORBA::Environment;
  EXPECT_EQ(environment->exception(), nullptr);
  environment->exception(new CORBA::BAD_PARAM(3));
  CORBA::Environment_var same = environment;
  EXPECT_STREQ(same->exception()->_name(), "BAD_PARAM");
  environment->exception(new CORBA::UNKNOWN);
  environment->clear();
  EXPECT_EQ(same->exception(), nullptr);
}

TEST_F(LocalsTest, TheOrbsTypesHaveTypeCodes) {
  EXPECT_EQ(CORBA::_tc_WStringSeq->kind(), CORBA::tk_alias);
  EXPECT_EQ(CORBA::_tc_InterfaceDef->kind(), CORBA::tk_objref);
  CORBA::TypeCode_var text = CORBA::_tc_Identifier->content_type();
  EXPECT_TRUE(text->equal(CORBA::_tc_string));
}
#endif

TEST_F(LocalsTest, TypeCodesTellThem) {
  EXPECT_EQ(Locals::_tc_Counter->kind(), CORBA::tk_local_interface);
  EXPECT_STREQ(Locals::_tc_Counter->id(), "IDL:Locals/Counter:1.0");
  EXPECT_EQ(Locals::_tc_Remote->kind(), CORBA::tk_objref);
}

}  // namespace
