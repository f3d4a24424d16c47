// An ORB with its root POA and one more, as small servers of TAO use them.
#pragma once

#include <tao/corba.h>

// Made and ended by one thread. CORBA's exceptions pass to the caller; -1 is a member that is called too
// early.
class TAO_ORB_Manager {
 public:
  explicit TAO_ORB_Manager(CORBA::ORB_ptr orb = nullptr, PortableServer::POA_ptr poa = nullptr,
                           PortableServer::POAManager_ptr manager = nullptr)
      : orb_(CORBA::ORB::_duplicate(orb)),
        poa_(PortableServer::POA::_duplicate(poa)),
        manager_(PortableServer::POAManager::_duplicate(manager)) {}
  TAO_ORB_Manager(const TAO_ORB_Manager&) = delete;
  TAO_ORB_Manager& operator=(const TAO_ORB_Manager&) = delete;
  ~TAO_ORB_Manager() {
    try {
      fini();
    } catch (const CORBA::Exception& failed) {
      failed._tao_print_exception("TAO_ORB_Manager");
    }
  }

  int init(int& argc, char* argv[], const char* orb_name = nullptr) {
    if (CORBA::is_nil(orb_.in())) orb_ = CORBA::ORB_init(argc, argv, orb_name);
    if (CORBA::is_nil(poa_.in())) {
      const CORBA::Object_var object = orb_->resolve_initial_references("RootPOA");
      poa_ = PortableServer::POA::_narrow(object.in());
    }
    if (CORBA::is_nil(manager_.in())) manager_ = poa_->the_POAManager();
    return 0;
  }
  // The child is persistent, and its objects have the program's ids.
  int init_child_poa(int& argc, char* argv[], const char* poa_name, const char* orb_name = nullptr) {
    init(argc, argv, orb_name);
    CORBA::PolicyList policies(2);
    policies.length(2);
    policies[0] = poa_->create_id_assignment_policy(PortableServer::USER_ID);
    policies[1] = poa_->create_lifespan_policy(PortableServer::PERSISTENT);
    child_ = poa_->create_POA(poa_name, manager_.in(), policies);
    for (CORBA::ULong i = 0; i < policies.length(); ++i) policies[i]->destroy();
    return 0;
  }
  int activate_poa_manager() {
    if (CORBA::is_nil(manager_.in())) return -1;
    manager_->activate();
    return 0;
  }

  // The object's reference as text, the caller's.
  char* activate(PortableServer::Servant servant) {
    const PortableServer::ObjectId_var id = poa_->activate_object(servant);
    return text_of(poa_.in(), id.in());
  }
  char* activate_under_child_poa(const char* name, PortableServer::Servant servant) {
    const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId(name);
    child_->activate_object_with_id(id.in(), servant);
    return text_of(child_.in(), id.in());
  }
  void deactivate(const char* reference) { deactivate_in(poa_.in(), reference); }
  void deactivate_under_child_poa(const char* name) {
    const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId(name);
    child_->deactivate_object(id.in());
  }

  int run() {
    if (activate_poa_manager()) return -1;
    orb_->run();
    return 0;
  }
  // For a time, an ACE_Time_Value; for ever if it is null.
  template <class Time>
  int run(Time* time) {
    if (!time) return run();
    if (activate_poa_manager()) return -1;
    orb_->run(*time);
    return 0;
  }
  int fini() {
    if (!CORBA::is_nil(poa_.in())) poa_->destroy(true, true);
    poa_ = PortableServer::POA::_nil();
    child_ = PortableServer::POA::_nil();
    manager_ = PortableServer::POAManager::_nil();
    if (!CORBA::is_nil(orb_.in())) orb_->destroy();
    orb_ = CORBA::ORB::_nil();
    return 0;
  }

  // Each the caller's.
  CORBA::ORB_ptr orb() { return CORBA::ORB::_duplicate(orb_.in()); }
  PortableServer::POA_ptr root_poa() { return PortableServer::POA::_duplicate(poa_.in()); }
  PortableServer::POA_ptr child_poa() { return PortableServer::POA::_duplicate(child_.in()); }
  PortableServer::POAManager_ptr poa_manager() {
    return PortableServer::POAManager::_duplicate(manager_.in());
  }

 private:
  char* text_of(PortableServer::POA_ptr poa, const PortableServer::ObjectId& id) {
    const CORBA::Object_var object = poa->id_to_reference(id);
    return orb_->object_to_string(object.in());
  }
  void deactivate_in(PortableServer::POA_ptr poa, const char* reference) {
    const CORBA::Object_var object = orb_->string_to_object(reference);
    const PortableServer::ObjectId_var id = poa->reference_to_id(object.in());
    poa->deactivate_object(id.in());
  }

  CORBA::ORB_var orb_;
  PortableServer::POA_var poa_, child_;
  PortableServer::POAManager_var manager_;
};
