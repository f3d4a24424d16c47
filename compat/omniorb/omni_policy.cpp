#include <omniORB4/omniPolicy.h>

namespace omniPolicy {

namespace {

class Shortcut final : public LocalShortcutPolicy {
 public:
  explicit Shortcut(LocalShortcutPolicyValue value) : value_(value) {}
  LocalShortcutPolicyValue value() override { return value_; }

 private:
  const LocalShortcutPolicyValue value_;
};

}  // namespace

LocalShortcutPolicy_ptr LocalShortcutPolicy::_duplicate(LocalShortcutPolicy_ptr policy) {
  return takt::classic::Locals<LocalShortcutPolicy>::duplicate(policy);
}
LocalShortcutPolicy_ptr LocalShortcutPolicy::_narrow(CORBA::Object_ptr object) {
  return takt::classic::Locals<LocalShortcutPolicy>::narrow(object);
}

LocalShortcutPolicy_ptr create_local_shortcut_policy(LocalShortcutPolicyValue value) {
  if (value > LOCAL_CALLS_SHORTCUT) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO);
  return new Shortcut(value);
}

}  // namespace omniPolicy
