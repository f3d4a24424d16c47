// References, servants and adapters of the classic mapping in one process. The same source runs against
// omniORB.
#include <gtest/gtest.h>

#include <string>
#include <type_traits>

#include "checks.h"
#include "passing.h"
#include "servants.h"

namespace {

// A servant that says when it is deleted.
class Counted : public virtual POA_Broad::Listener {
 public:
  explicit Counted(int& living) : living_(living) { ++living_; }
  CORBA::Long told(CORBA::Long value) {
    caller_saw_ = value;
    return value + 1;
  }
  CORBA::Long caller_saw_ = 0;

 protected:
  ~Counted() { --living_; }

 private:
  int& living_;
};

// Servants whose destructor asks adapters about themselves, and says how often it runs.
class Departing : public virtual POA_Broad::Listener {
 public:
  Departing(int& ended, PortableServer::POA_ptr poa)
      : ended_(ended), poa_(PortableServer::POA::_duplicate(poa)) {}
  CORBA::Long told(CORBA::Long value) { return value; }

 protected:
  ~Departing() {
    if (++ended_ > 1) return;
    PortableServer::POA_var chosen = _default_POA();
    EXPECT_THROW(PortableServer::ObjectId_var(poa_->servant_to_id(this)),
                 PortableServer::POA::ServantNotActive);
  }

 private:
  int& ended_;
  PortableServer::POA_var poa_;
};
class CountingItself : public virtual POA_Broad::Listener {
 public:
  explicit CountingItself(int& ended) : ended_(ended) {}
  CORBA::Long told(CORBA::Long value) { return value; }
  void _add_ref() { ++count_; }
  void _remove_ref() {
    if (--count_ == 0) delete this;
  }

 protected:
  ~CountingItself() {
    if (++ended_ > 1) return;
    PortableServer::POA_var chosen = _default_POA();
  }

 private:
  int& ended_;
  int count_ = 1;
};

struct Tied {
  CORBA::Long told(CORBA::Long value) { return 10 * value; }
};

class Objects : public testing::Test {
 protected:
  Objects() {
    int argc = 1;
    char name[] = "test";
    char* argv[] = {name, nullptr};
    orb_ = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb_->resolve_initial_references("RootPOA");
    root_ = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = root_->the_POAManager();
    manager->activate();
  }
  ~Objects() { orb_->destroy(); }

  PortableServer::POA_var child(const char* name, PortableServer::IdAssignmentPolicyValue assignment) {
    CORBA::PolicyList policies;
    policies.length(2);
    policies[0] = root_->create_id_assignment_policy(assignment);
    policies[1] = root_->create_lifespan_policy(PortableServer::PERSISTENT);
    PortableServer::POAManager_var manager = root_->the_POAManager();
    return root_->create_POA(name, manager, policies);
  }

  CORBA::ORB_var orb_;
  PortableServer::POA_var root_;
};

TEST_F(Objects, AVarIsNilUntilItIsGivenAReference) {
  Broad::Basics_var basics;
  EXPECT_TRUE(CORBA::is_nil(basics));
  EXPECT_TRUE(CORBA::is_nil(Broad::Basics::_nil()));
  EXPECT_TRUE(CORBA::is_nil(Broad::Basics::_duplicate(Broad::Basics::_nil())));
  CORBA::release(Broad::Basics::_nil());
  Broad::Base_var base = Broad::Base::_narrow(CORBA::Object::_nil());
  EXPECT_TRUE(CORBA::is_nil(base));
}

TEST_F(Objects, TheAdapterHoldsAServantUntilItsObjectIsDeactivated) {
  int living = 0;
  Counted* const servant = new Counted(living);
  PortableServer::ObjectId_var id = root_->activate_object(servant);
  Broad::Listener_var listener = servant->_this();
  servant->_remove_ref();
  EXPECT_EQ(living, 1);
  EXPECT_EQ(listener->told(4), 5);
  EXPECT_EQ(servant->caller_saw_, 4);
  PortableServer::ServantBase_var found = root_->id_to_servant(id);
  EXPECT_EQ(found.in(), static_cast<PortableServer::ServantBase*>(servant));
  found = root_->reference_to_servant(listener);
  PortableServer::ObjectId_var same_id = root_->servant_to_id(servant);
  EXPECT_EQ(same_id->length(), id->length());
  root_->deactivate_object(id);
  found = static_cast<PortableServer::ServantBase*>(nullptr);
  EXPECT_THROW(listener->told(1), CORBA::OBJECT_NOT_EXIST);
#ifndef CLASSIC_BY_OMNIORB  // where the servant still has a reference here
  EXPECT_EQ(living, 0);
#endif
}

TEST_F(Objects, AServantThatIsNowhereActiveBelongsToItsReferences) {
  int living = 0;
  Counted* const servant = new Counted(living);
  servant->_add_ref();
  EXPECT_EQ(servant->_refcount_value(), 2u);
  servant->_remove_ref();
  PortableServer::Servant_var<Counted> var = servant;
  EXPECT_EQ(living, 1);
  var = static_cast<Counted*>(nullptr);
  EXPECT_EQ(living, 0);
}

TEST_F(Objects, AServantsDestructorRunsOnceThoughItAsksAdapters) {
  PortableServer::POA_var apart = child("apart", PortableServer::USER_ID);
  static int ended = 0, ended_active = 0, ended_itself = 0;  // a servant may live until the ORB is destroyed
  (new Departing(ended, apart))->_remove_ref();
  EXPECT_EQ(ended, 1);
  Departing* const servant = new Departing(ended_active, apart);
  PortableServer::ObjectId_var id = root_->activate_object(servant);
  servant->_remove_ref();
  root_->deactivate_object(id);
  (new CountingItself(ended_itself))->_remove_ref();
  EXPECT_EQ(ended_itself, 1);
#ifndef CLASSIC_BY_OMNIORB
  EXPECT_EQ(ended_active, 1);
#endif
}

TEST_F(Objects, ElementsOfSequencesAreDuplicatedWhereTheyAreAssigned) {
  static int living = 0;  // the servant lives until the ORB is destroyed
  Counted* const servant = new Counted(living);
  PortableServer::ServantBase_var owner = servant;
  Broad::Listeners listeners;
  listeners.length(1);
  listeners[0] = servant->_this();
  const Broad::Listeners& same_listeners = listeners;
  for (int i = 0; i < 3; ++i) {
    Broad::Listener_var from_element = listeners[0], from_const = same_listeners[0], assigned, assigned_const;
    assigned = listeners[0];
    assigned_const = same_listeners[0];
    Broad::Heard heard;
    heard.by = listeners[0];
    heard.by = same_listeners[0];
    EXPECT_EQ(assigned_const->told(i), i + 1);
    EXPECT_EQ(heard.by->told(i), i + 1);
  }
  EXPECT_EQ(same_listeners[0]->told(1), 2);
  const Broad::Listener_ptr plain = same_listeners[0];
  EXPECT_FALSE(CORBA::is_nil(plain));
}
// Ownership would be unclear.
static_assert(!std::is_assignable<Broad::Listener_out, decltype(std::declval<Broad::Listeners&>()[0])>::value,
              "");

TEST_F(Objects, CollocatedCallsPassEveryType) {
  Basics_i* const servant = new Basics_i(orb_);
  PortableServer::ServantBase_var owner = servant;
  Broad::Basics_var basics = servant->_this();
  Checks checks;
  EXPECT_EQ(basics->cube_octet(3), 27);
  pass_numbers(checks, basics);
  pass_texts(checks, basics);
  pass_structures(checks, basics);
  pass_unions(checks, basics);
  pass_arrays(checks, basics);
  EXPECT_EQ(checks.result(), 0);
}

TEST_F(Objects, CollocatedCallsThrowTheSameExceptions) {
  Basics_i* const servant = new Basics_i(orb_);
  PortableServer::ServantBase_var owner = servant;
  Broad::Basics_var basics = servant->_this();
  EXPECT_THROW(basics->refuse(""), Broad::Empty);
  EXPECT_THROW(basics->refuse("why"), Broad::Refused);
  EXPECT_THROW(basics->fail(0), CORBA::NO_PERMISSION);
#ifndef CLASSIC_BY_OMNIORB  // which lets any exception pass to a collocated caller
  EXPECT_THROW(basics->fail(1), CORBA::UNKNOWN);
  EXPECT_THROW(basics->fail(2), CORBA::UNKNOWN);
#endif
}

TEST_F(Objects, ReferencesAreStringsAndBack) {
  Basics_i* const servant = new Basics_i(orb_);
  PortableServer::ServantBase_var owner = servant;
  Broad::Basics_var basics = servant->_this();
  CORBA::String_var text = orb_->object_to_string(basics);
  CORBA::Object_var object = orb_->string_to_object(text);
  Broad::Basics_var same_basics = Broad::Basics::_narrow(object);
  ASSERT_FALSE(CORBA::is_nil(same_basics));
  EXPECT_TRUE(same_basics->_is_equivalent(basics));
  EXPECT_EQ(same_basics->_hash(100), basics->_hash(100));
  Broad::Base_var base = Broad::Base::_duplicate(same_basics);
  EXPECT_EQ(base->twice(2), 4);
  CORBA::String_var nil = orb_->object_to_string(CORBA::Object::_nil());
  object = orb_->string_to_object(nil);
  EXPECT_TRUE(CORBA::is_nil(object));
  EXPECT_THROW(orb_->string_to_object("nonsense"), CORBA::BAD_PARAM);
}

TEST_F(Objects, InitialReferencesThatAreNotThereAreInvalidNames) {
  EXPECT_THROW(orb_->resolve_initial_references("NoSuchThing"), CORBA::ORB::InvalidName);
}

TEST_F(Objects, ChildrenHaveTheirPoliciesAndNames) {
  PortableServer::POA_var poa = child("child", PortableServer::USER_ID);
  CORBA::String_var name = poa->the_name();
  EXPECT_STREQ(name.in(), "child");
  PortableServer::POA_var parent = poa->the_parent();
  name = parent->the_name();
  EXPECT_STREQ(name.in(), "RootPOA");
  PortableServer::POA_var found = root_->find_POA("child", false);
  EXPECT_TRUE(found->_is_equivalent(poa));
  EXPECT_THROW(child("child", PortableServer::USER_ID), PortableServer::POA::AdapterAlreadyExists);
  EXPECT_THROW(root_->find_POA("none", false), PortableServer::POA::AdapterNonExistent);

  int living = 0;
  Counted* const servant = new Counted(living);
  PortableServer::ServantBase_var owner = servant;
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("an id");
  poa->activate_object_with_id(id, servant);
  EXPECT_THROW(poa->activate_object_with_id(id, servant), PortableServer::POA::ObjectAlreadyActive);
  EXPECT_THROW(poa->activate_object(servant), PortableServer::POA::WrongPolicy);
  CORBA::Object_var object = poa->id_to_reference(id);
  PortableServer::ObjectId_var back = poa->reference_to_id(object);
  CORBA::String_var text = PortableServer::ObjectId_to_string(back);
  EXPECT_STREQ(text.in(), "an id");
  EXPECT_THROW(root_->reference_to_id(object), PortableServer::POA::WrongAdapter);
  Broad::Listener_var listener = Broad::Listener::_narrow(object);
  EXPECT_EQ(listener->told(1), 2);
  object = poa->create_reference_with_id(id, "IDL:Broad/Listener:1.0");
  listener = Broad::Listener::_narrow(object);
  EXPECT_EQ(listener->told(2), 3);
  poa->destroy(false, true);
}

TEST_F(Objects, ContradictoryPoliciesAreNamedByTheirPlace) {
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = root_->create_servant_retention_policy(PortableServer::NON_RETAIN);
  PortableServer::POAManager_var none = PortableServer::POAManager::_nil();
  EXPECT_THROW(root_->create_POA("bad", none, policies), PortableServer::POA::InvalidPolicy);
}

TEST_F(Objects, ManagersHoldDiscardAndDeactivate) {
  PortableServer::POAManager_var none = PortableServer::POAManager::_nil();
  CORBA::PolicyList policies;
  PortableServer::POA_var poa = root_->create_POA("managed", none, policies);
  PortableServer::POAManager_var manager = poa->the_POAManager();
  EXPECT_EQ(manager->get_state(), PortableServer::POAManager::HOLDING);
  manager->activate();
  EXPECT_EQ(manager->get_state(), PortableServer::POAManager::ACTIVE);
  manager->discard_requests(true);
  EXPECT_EQ(manager->get_state(), PortableServer::POAManager::DISCARDING);
  manager->deactivate(false, true);
  EXPECT_EQ(manager->get_state(), PortableServer::POAManager::INACTIVE);
  EXPECT_THROW(manager->activate(), PortableServer::POAManager::AdapterInactive);
}

TEST_F(Objects, TiesCallTheObjectThatIsTied) {
  Tied tied;
  POA_Broad::Listener_tie<Tied>* const tie = new POA_Broad::Listener_tie<Tied>(tied);
  PortableServer::ServantBase_var owner = tie;
  Broad::Listener_var listener = tie->_this();
  EXPECT_EQ(listener->told(4), 40);
  EXPECT_EQ(tie->_tied_object(), &tied);
  EXPECT_FALSE(tie->_is_owner());
  tie->_tied_object(new Tied, true);
  EXPECT_TRUE(tie->_is_owner());
  EXPECT_EQ(listener->told(5), 50);
}

TEST_F(Objects, ATieActivatesInThePoaThatItIsGiven) {
  PortableServer::POAManager_var manager = root_->the_POAManager();
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = root_->create_implicit_activation_policy(PortableServer::IMPLICIT_ACTIVATION);
  PortableServer::POA_var poa = root_->create_POA("ties", manager, policies);
  POA_Broad::Listener_tie<Tied>* const tie = new POA_Broad::Listener_tie<Tied>(new Tied, poa);
  PortableServer::ServantBase_var owner = tie;
  Broad::Listener_var listener = tie->_this();
  PortableServer::ObjectId_var id = poa->reference_to_id(listener);
  EXPECT_GT(id->length(), 0u);
}

// Asks what the thread serves, from within an upcall.
class Asking : public virtual POA_Broad::Listener {
 public:
  explicit Asking(PortableServer::Current_ptr current)
      : current_(PortableServer::Current::_duplicate(current)) {}
  CORBA::Long told(CORBA::Long) {
    PortableServer::ObjectId_var id = current_->get_object_id();
    PortableServer::POA_var poa = current_->get_POA();
    CORBA::String_var name = poa->the_name();
    PortableServer::ServantBase_var servant = current_->get_servant();
    CORBA::Object_var object = current_->get_reference();
    PortableServer::ObjectId_var same = poa->reference_to_id(object);
    const bool right = servant.in() == this && same->length() == id->length();
    return right && std::string(name.in()) == "RootPOA" ? static_cast<CORBA::Long>(id->length()) : -1;
  }

 private:
  PortableServer::Current_var current_;
};

TEST_F(Objects, CurrentKnowsTheObjectOfAnUpcall) {
  CORBA::Object_var object = orb_->resolve_initial_references("POACurrent");
  PortableServer::Current_var current = PortableServer::Current::_narrow(object);
  EXPECT_THROW(current->get_POA(), PortableServer::Current::NoContext);
  EXPECT_THROW(current->get_reference(), PortableServer::Current::NoContext);
  EXPECT_THROW(current->get_servant(), PortableServer::Current::NoContext);
  Asking* const servant = new Asking(current);
  PortableServer::ServantBase_var owner = servant;
  Broad::Listener_var listener = servant->_this();
  EXPECT_GT(listener->told(0), 0);
}

// The standard leaves it open what these tell of nil.
TEST_F(Objects, NilDoesNotExist) {
  const CORBA::Object_ptr nil = CORBA::Object::_nil();
  EXPECT_TRUE(nil->_non_existent());
  EXPECT_FALSE(nil->_is_a("IDL:Broad/Listener:1.0"));
  EXPECT_FALSE(nil->_is_a("IDL:omg.org/CORBA/Object:1.0"));
  EXPECT_TRUE(nil->_is_a(""));
  EXPECT_EQ(nil->_hash(100), 0u);
}

TEST_F(Objects, ExceptionsAreNarrowedByTheOlderNameToo) {
  CORBA::TRANSIENT transient;
  PortableServer::POA::AdapterAlreadyExists exists;
  CORBA::PolicyError wrong;
  EXPECT_EQ(CORBA::SystemException::_narrow(&transient), &transient);
  EXPECT_EQ(CORBA::UserException::_narrow(&transient), static_cast<CORBA::UserException*>(nullptr));
  EXPECT_EQ(CORBA::UserException::_narrow(&exists), &exists);
  EXPECT_EQ(PortableServer::POA::AdapterAlreadyExists::_narrow(&exists), &exists);
  EXPECT_EQ(CORBA::PolicyError::_narrow(&wrong), &wrong);
  EXPECT_EQ(CORBA::Exception::_narrow(&wrong), &wrong);
}

}  // namespace
