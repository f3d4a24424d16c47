// Servant managers and adapter activators of the classic mapping. The same source runs against omniORB; under
// ASan, leaks and double frees fail it.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <string>
#include <thread>

#include "orb.h"

namespace {

std::atomic<int> walkers_alive(0);

class Walker_i : public virtual POA_Broad::Base {
 public:
  explicit Walker_i(const char* name) : name_(name) { ++walkers_alive; }
  ~Walker_i() { --walkers_alive; }
  char* name() { return CORBA::string_dup(name_.c_str()); }
  CORBA::Long twice(CORBA::Long value) { return 2 * value; }

 private:
  const std::string name_;
};

std::string text_of(const PortableServer::ObjectId& id) {
  CORBA::String_var text = PortableServer::ObjectId_to_string(id);
  return text.in();
}

class LoggingActivator : public virtual PortableServer::ServantActivator, public virtual CORBA::LocalObject {
 public:
  explicit LoggingActivator(bool deletes) : deletes_(deletes) {}
  PortableServer::Servant incarnate(const PortableServer::ObjectId& id, PortableServer::POA_ptr poa) {
    CORBA::String_var name = poa->the_name();
    log += std::string(" +") + name.in() + "/" + text_of(id);
    if (text_of(id) == "refused") throw CORBA::NO_PERMISSION(7, CORBA::COMPLETED_NO);
    if (text_of(id) == "forwarded") throw PortableServer::ForwardRequest(forward_to);
    return new Walker_i(text_of(id).c_str());
  }
  void etherealize(const PortableServer::ObjectId& id, PortableServer::POA_ptr,
                   PortableServer::Servant servant, CORBA::Boolean cleanup, CORBA::Boolean) {
    log += " -" + text_of(id);
    cleaned_up = cleanup;
    if (deletes_)
      delete servant;
    else
      servant->_remove_ref();
  }
  std::string log;
  bool cleaned_up = false;
  CORBA::Object_var forward_to;

 private:
  const bool deletes_;
};

class Locator : public virtual PortableServer::ServantLocator, public virtual CORBA::LocalObject {
 public:
  PortableServer::Servant preinvoke(const PortableServer::ObjectId& id, PortableServer::POA_ptr,
                                    const char* operation, Cookie& cookie) {
    log += std::string(" <") + operation;
    cookie = new int(42);
    if (text_of(id) == "refused") {
      delete static_cast<int*>(cookie);
      throw CORBA::OBJECT_NOT_EXIST(3, CORBA::COMPLETED_NO);
    }
    return new Walker_i(text_of(id).c_str());
  }
  void postinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char* operation,
                  Cookie cookie, PortableServer::Servant servant) {
    log += *static_cast<int*>(cookie) == 42 ? std::string(" >") + operation : " ?";
    delete static_cast<int*>(cookie);
    servant->_remove_ref();
  }
  std::string log;
};

class Adapters : public virtual PortableServer::AdapterActivator, public virtual CORBA::LocalObject {
 public:
  CORBA::Boolean unknown_adapter(PortableServer::POA_ptr parent, const char* name) {
    ++asked;
    if (std::string(name) != "known") return false;
    PortableServer::POAManager_var manager = parent->the_POAManager();
    PortableServer::POA_var made = parent->create_POA(name, manager, CORBA::PolicyList());
    return true;
  }
  int asked = 0;
};

class ServantManagers : public testing::Test {
 protected:
  void SetUp() override {
    int argc = 0;
    orb_ = CORBA::ORB_init(argc, nullptr);
    CORBA::Object_var object = orb_->resolve_initial_references("RootPOA");
    root_ = PortableServer::POA::_narrow(object);
    manager_ = root_->the_POAManager();
    manager_->activate();
  }
  void TearDown() override {
    orb_->destroy();
    EXPECT_EQ(walkers_alive.load(), 0);
  }
  PortableServer::POA_ptr child(const char* name, PortableServer::ServantRetentionPolicyValue retention) {
    CORBA::PolicyList policies;
    policies.length(3);
    policies[0] = root_->create_request_processing_policy(PortableServer::USE_SERVANT_MANAGER);
    policies[1] = root_->create_servant_retention_policy(retention);
    policies[2] = root_->create_id_assignment_policy(PortableServer::USER_ID);
    return root_->create_POA(name, manager_, policies);
  }
  Broad::Base_ptr reference(PortableServer::POA_ptr poa, const char* text) {
    PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId(text);
    CORBA::Object_var object = poa->create_reference_with_id(id, "IDL:Broad/Base:1.0");
    return Broad::Base::_unchecked_narrow(object);
  }
  CORBA::ORB_var orb_;
  PortableServer::POA_var root_;
  PortableServer::POAManager_var manager_;
};

void incarnates(PortableServer::POA_ptr poa, LoggingActivator& activator, Broad::Base_ptr base) {
  CORBA::String_var name = base->name();
  EXPECT_STREQ(name, "one");
  EXPECT_EQ(base->twice(4), 8);
  EXPECT_EQ(activator.log, " +activated/one");
  EXPECT_EQ(walkers_alive.load(), 1);
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("one");
  poa->deactivate_object(id);
  while (walkers_alive.load() > 0) std::this_thread::yield();  // omniORB etherealizes in a thread of its own
  EXPECT_EQ(activator.log, " +activated/one -one");
  EXPECT_FALSE(activator.cleaned_up);
}

TEST_F(ServantManagers, AnActivatorIncarnatesAndEtherealizes) {
  PortableServer::POA_var poa = child("activated", PortableServer::RETAIN);
  LoggingActivator* const activator = new LoggingActivator(false);
  PortableServer::ServantManager_var manager = activator;
  poa->set_servant_manager(manager);
  PortableServer::ServantManager_var same = poa->get_servant_manager();
  EXPECT_TRUE(same->_is_equivalent(manager));
  PortableServer::ServantActivator_var narrowed = PortableServer::ServantActivator::_narrow(same);
  EXPECT_FALSE(CORBA::is_nil(narrowed));
  Broad::Base_var one = reference(poa, "one"), two = reference(poa, "two");
  incarnates(poa, *activator, one);
  EXPECT_EQ(two->twice(1), 2);
  EXPECT_EQ(activator->log, " +activated/one -one +activated/two");
  poa->destroy(true, true);
  EXPECT_EQ(activator->log, " +activated/one -one +activated/two -two");
#ifndef CLASSIC_BY_OMNIORB  // which does not say so
  EXPECT_TRUE(activator->cleaned_up);
#endif
}

TEST_F(ServantManagers, AnActivatorMayDeleteItsServant) {
  PortableServer::POA_var poa = child("activated", PortableServer::RETAIN);
  LoggingActivator* const activator = new LoggingActivator(true);
  PortableServer::ServantManager_var manager = activator;
  poa->set_servant_manager(manager);
  Broad::Base_var one = reference(poa, "one");
  incarnates(poa, *activator, one);
  poa->destroy(true, true);
}

TEST_F(ServantManagers, AnActivatorRefusesOrForwards) {
  PortableServer::POA_var poa = child("activated", PortableServer::RETAIN);
  LoggingActivator* const activator = new LoggingActivator(false);
  PortableServer::ServantManager_var manager = activator;
  poa->set_servant_manager(manager);
  Broad::Base_var refused = reference(poa, "refused"), forwarded = reference(poa, "forwarded");
  activator->forward_to = reference(poa, "target");
  try {
    refused->twice(1);
    FAIL();
  } catch (const CORBA::NO_PERMISSION& refusal) {
    EXPECT_EQ(refusal.minor(), 7u);
  }
  CORBA::String_var name = forwarded->name();
  EXPECT_STREQ(name, "target");
  poa->destroy(true, true);
}

TEST_F(ServantManagers, ALocatorIsAskedForEachRequest) {
  PortableServer::POA_var poa = child("located", PortableServer::NON_RETAIN);
  Locator* const locator = new Locator;
  PortableServer::ServantLocator_var manager = locator;
  poa->set_servant_manager(manager);
  Broad::Base_var one = reference(poa, "one"), refused = reference(poa, "refused");
  CORBA::String_var name = one->name();
  EXPECT_STREQ(name, "one");
  EXPECT_EQ(one->twice(3), 6);
  EXPECT_EQ(locator->log, " <_get_name >_get_name <twice >twice");
  EXPECT_EQ(walkers_alive.load(), 0);
  EXPECT_THROW(refused->twice(1), CORBA::OBJECT_NOT_EXIST);
}

TEST_F(ServantManagers, WrongUsesAreRefused) {
  PortableServer::POA_var poa = child("refusing", PortableServer::RETAIN);
  PortableServer::ServantManager_var none = poa->get_servant_manager();
  EXPECT_TRUE(CORBA::is_nil(none));
  PortableServer::ServantManager_var manager = new LoggingActivator(false);
  poa->set_servant_manager(manager);
  EXPECT_THROW(poa->set_servant_manager(manager), CORBA::BAD_INV_ORDER);
  EXPECT_THROW(root_->set_servant_manager(manager), PortableServer::POA::WrongPolicy);
  EXPECT_THROW(root_->get_servant_manager(), PortableServer::POA::WrongPolicy);
  PortableServer::POA_var other = child("located", PortableServer::NON_RETAIN);
  EXPECT_THROW(other->set_servant_manager(manager), CORBA::OBJ_ADAPTER);
}

TEST_F(ServantManagers, AnAdapterActivatorMakesAdapters) {
  Adapters* const adapters = new Adapters;
  PortableServer::AdapterActivator_var activator = adapters;
  PortableServer::AdapterActivator_var none = root_->the_activator();
  EXPECT_TRUE(CORBA::is_nil(none));
  root_->the_activator(activator);
  PortableServer::POA_var known = root_->find_POA("known", true);
  CORBA::String_var name = known->the_name();
  EXPECT_STREQ(name, "known");
  EXPECT_THROW(root_->find_POA("unknown", true), PortableServer::POA::AdapterNonExistent);
  EXPECT_EQ(adapters->asked, 2);
  PortableServer::AdapterActivator_var same = root_->the_activator();
  EXPECT_TRUE(same->_is_equivalent(activator));
  PortableServer::POAList_var children = root_->the_children();
  ASSERT_EQ(children->length(), 1u);
  EXPECT_TRUE(known->_is_equivalent(children[0u]));
  root_->the_activator(PortableServer::AdapterActivator::_nil());
  EXPECT_THROW(root_->find_POA("unknown", true), PortableServer::POA::AdapterNonExistent);
  EXPECT_EQ(adapters->asked, 2);
}

}  // namespace
