// Objects of local interfaces of the classic mapping, as local objects of the runtime.
#include <atomic>
#include <string>

#include <takt/classic/local.h>
#include <takt/reference/local_object.h>

#include "classic/bridge/orb_bridge.h"
#include "classic/bridge/runtime.h"

namespace takt::classic {

namespace {

class LocalHost final : public CORBA::LocalObject {
 public:
  LocalHost(LocalImplementation& object, bool keeps) : object_(&object), keeps_(keeps) {
    if (keeps_) object._takt_add_ref();
  }
  ~LocalHost() override {
    if (keeps_) object_.load()->_takt_remove_ref();
  }
  LocalImplementation* object() const { return object_; }
  void forget() { object_ = nullptr; }

  bool _is_a_local(const std::string& repository_id) const override {
    const LocalImplementation* const object = object_;
    return object && object->_takt_supports(repository_id.c_str());
  }

 private:
  std::atomic<LocalImplementation*> object_;  // null once it is destroyed
  const bool keeps_;
};

}  // namespace

Reference* refer_to_local(LocalImplementation& object, bool keeps) {
  return refer(CORBA::make_reference<LocalHost>(object, keeps));
}
void forget_local(Reference& reference) {
  if (auto* const host = dynamic_cast<LocalHost*>(reference.object().get())) host->forget();
}
LocalImplementation* local_behind(Reference& reference) {
  auto* const host = dynamic_cast<LocalHost*>(reference.object().get());
  return host ? host->object() : nullptr;
}

}  // namespace takt::classic
