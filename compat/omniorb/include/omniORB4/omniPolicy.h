// omniORB's own policies of adapters, as far as they are known here. C++14.
#pragma once

#include <omniORB4/takt_texts.h>
#include <takt/classic/corba.h>

namespace omniPolicy {

typedef CORBA::UShort LocalShortcutPolicyValue;
const LocalShortcutPolicyValue LOCAL_CALLS_THROUGH_POA = 0, LOCAL_CALLS_SHORTCUT = 1;
const CORBA::PolicyType LOCAL_SHORTCUT_POLICY_TYPE = 0x41545401;

class LocalShortcutPolicy;
typedef LocalShortcutPolicy* LocalShortcutPolicy_ptr;
typedef takt::classic::ObjectVar<LocalShortcutPolicy> LocalShortcutPolicy_var;
// create_POA() takes it, and it has no effect: calls within a process take the short way to the servant
// always, and obey the adapter and its manager.
class LocalShortcutPolicy : public virtual PortableServer::PolicyWithoutEffect {
 public:
  typedef LocalShortcutPolicy_ptr _ptr_type;
  typedef LocalShortcutPolicy_var _var_type;
  static LocalShortcutPolicy_ptr _duplicate(LocalShortcutPolicy_ptr policy);
  static LocalShortcutPolicy_ptr _narrow(CORBA::Object_ptr object);
  static LocalShortcutPolicy_ptr _nil() { return nullptr; }

  CORBA::PolicyType policy_type() override { return LOCAL_SHORTCUT_POLICY_TYPE; }
  virtual LocalShortcutPolicyValue value() = 0;

 protected:
  LocalShortcutPolicy() {}
  ~LocalShortcutPolicy() override {}
};

// The caller's. Throws BAD_PARAM for an unknown value.
LocalShortcutPolicy_ptr create_local_shortcut_policy(LocalShortcutPolicyValue value);

}  // namespace omniPolicy
