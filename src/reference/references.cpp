#include "reference/references.h"

#include <utility>

#include "os/net/unix_socket.h"
#include "os/shared_memory/machine_identity.h"
#include "reference/forwarder.h"
#include "reference/object_ref.h"
#include "reference/policies/overrides.h"
#include "reference/profiles.h"

namespace takt::reference {

References::References(const giop::ProtocolOptions& protocol_options,
                       const ConnectionOptions& connection_options)
    : protocol(protocol_options),
      connections(connection_options),
      here{os::host_name(), os::machine_identity(), os::process_identity()} {}
References::~References() = default;

std::shared_ptr<ObjectRef> References::make_reference(std::string type_id, ByteView object_key,
                                                      const Publication* where) {
  cdr::Ior ior{std::move(type_id), make_profiles(*this, object_key, where)};
  return std::make_shared<ObjectRef>(shared(), make_target(*this, std::move(ior), object_key));
}

std::shared_ptr<ObjectRef> References::from_ior(cdr::Ior ior) {
  if (ior.type_id.empty() && ior.profiles.empty()) return nullptr;
  return std::make_shared<ObjectRef>(shared(), make_target(*this, std::move(ior)));
}

std::shared_ptr<const Overrides> References::overrides() const {
  std::lock_guard lock(mutex_);
  return overrides_;
}

void References::override_policies(const CORBA::PolicyList& policies, CORBA::SetOverrideType set_add) {
  std::lock_guard lock(mutex_);
  overrides_ = Overrides::changed(overrides_, policies, set_add);
  begin_generation();
}

bool References::set_forwarder(std::shared_ptr<const Forwarder> forwarder) {
  std::lock_guard lock(mutex_);
  if (owned_forwarder_) return false;
  owned_forwarder_ = std::move(forwarder);
  forwarder_.store(owned_forwarder_.get(), std::memory_order_release);
  return true;
}

}  // namespace takt::reference
