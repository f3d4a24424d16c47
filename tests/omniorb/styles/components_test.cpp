// As frameworks of components do it: servants in an adapter of their own with policies, found by their names,
// and one proxy for each reference that is met.
#include <cstring>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "styles.hh"

namespace {

class Component_i : public virtual POA_Plant::Task, public virtual PortableServer::RefCountServantBase {
 public:
  typedef std::map<std::string, Component_i*> Servants;

  Component_i(PortableServer::POA_ptr adapter, const std::string& name, Servants& servants)
      : adapter_(PortableServer::POA::_duplicate(adapter)),
        name_(name),
        servants_(servants),
        started_(false) {
    servants_[name_] = this;
  }
  ~Component_i() { servants_.erase(name_); }

  PortableServer::POA_ptr _default_POA() { return PortableServer::POA::_duplicate(adapter_); }
  char* name() { return CORBA::string_dup(name_.c_str()); }
  CORBA::Boolean start() { return !started_ && (started_ = true); }
  Plant::Task_ptr peer(const char* name) {
    for (CORBA::ULong i = 0; i < peers_.length(); ++i) {
      CORBA::String_var other = peers_[i]->name();
      if (std::strcmp(other, name) == 0) return Plant::Task::_duplicate(peers_[i]);
    }
    const Servants::const_iterator found = servants_.find(name);
    return found == servants_.end() ? Plant::Task::_nil() : found->second->_this();
  }
  CORBA::Boolean connect(Plant::Task_ptr other) {
    if (CORBA::is_nil(other)) return false;
    const CORBA::ULong count = peers_.length();
    peers_.length(count + 1);
    peers_[count] = Plant::Task::_duplicate(other);
    return true;
  }

 private:
  PortableServer::POA_var adapter_;
  const std::string name_;
  Servants& servants_;
  Plant::Tasks peers_;
  bool started_;
};

class Components : public testing::Test {
 protected:
  Components() {
    int count = 0;
    orb_ = CORBA::ORB_init(count, nullptr);
    CORBA::Object_var object = orb_->resolve_initial_references("RootPOA");
    root_ = PortableServer::POA::_narrow(object.in());
    CORBA::PolicyList policies(4);
    policies.length(4);
    policies[0] = root_->create_lifespan_policy(PortableServer::PERSISTENT);
    policies[1] = root_->create_id_assignment_policy(PortableServer::USER_ID);
    policies[2] = root_->create_implicit_activation_policy(PortableServer::NO_IMPLICIT_ACTIVATION);
    policies[3] = root_->create_thread_policy(PortableServer::ORB_CTRL_MODEL);
    PortableServer::POAManager_var manager = root_->the_POAManager();
    adapter_ = root_->create_POA("components", manager, policies);
    for (CORBA::ULong i = 0; i < policies.length(); ++i) policies[i]->destroy();
    manager->activate();
  }
  ~Components() {
    try {
      adapter_->destroy(true, true);
      orb_->destroy();
    } catch (const CORBA::Exception& failure) {
      ADD_FAILURE() << failure._name();
    }
  }
  Plant::Task_ptr made(const char* name) {
    Component_i* const servant = new Component_i(adapter_, name, servants_);
    PortableServer::ServantBase_var owner(servant);
    PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId(name);
    adapter_->activate_object_with_id(id.in(), servant);
    return servant->_this();
  }

  CORBA::ORB_var orb_;
  PortableServer::POA_var root_, adapter_;
  Component_i::Servants servants_;
};

TEST_F(Components, FindEachOtherByTheirNames) {
  Plant::Task_var one = made("one"), two = made("two");
  EXPECT_TRUE(one->start());
  EXPECT_FALSE(one->start());
  Plant::Task_var found = one->peer("two");
  ASSERT_FALSE(CORBA::is_nil(found));
  EXPECT_TRUE(found->_is_equivalent(two));
  Plant::Task_var nobody = one->peer("three");
  EXPECT_TRUE(CORBA::is_nil(nobody));
  EXPECT_TRUE(one->connect(two));
  EXPECT_FALSE(one->connect(Plant::Task::_nil()));
  found = one->peer("two");
  CORBA::String_var name = found->name();
  EXPECT_STREQ(name, "two");
}

TEST_F(Components, AreServantsIdsAndReferences) {
  Plant::Task_var one = made("one");
  PortableServer::ServantBase_var servant = adapter_->reference_to_servant(one);
  EXPECT_EQ(dynamic_cast<Component_i*>(servant.in()), servants_["one"]);
  PortableServer::ObjectId_var id = adapter_->reference_to_id(one);
  CORBA::String_var text = PortableServer::ObjectId_to_string(id);
  EXPECT_STREQ(text, "one");
  CORBA::Object_var object = adapter_->id_to_reference(id);
  EXPECT_TRUE(object->_is_equivalent(one));
  EXPECT_THROW(adapter_->activate_object_with_id(id, servant.in()), PortableServer::POA::ObjectAlreadyActive);
  PortableServer::ObjectId_var other = PortableServer::string_to_ObjectId("other");
  EXPECT_THROW(adapter_->id_to_servant(other), PortableServer::POA::ObjectNotActive);
}

TEST_F(Components, EndWithTheirDeactivation) {
  Plant::Task_var one = made("one");
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("one");
  adapter_->deactivate_object(id);
  EXPECT_THROW(one->start(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_TRUE(servants_.empty());
}

TEST_F(Components, AreFoundAgainAsText) {
  Plant::Task_var one = made("one");
  CORBA::String_var text = orb_->object_to_string(one.in());
  CORBA::Object_var object = orb_->string_to_object(text.in());
  Plant::Task_var same = Plant::Task::_narrow(object.in());
  ASSERT_FALSE(CORBA::is_nil(same.in()));
  EXPECT_TRUE(same->start());
  std::map<std::string, Plant::Task_var> proxies;
  proxies["one"] = same;
  EXPECT_FALSE(proxies["one"]->start());
}

}  // namespace
