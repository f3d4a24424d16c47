#include "adapter/upcalls/destination.h"

#include "connection/references/object_ref.h"

namespace takt::adapter {

namespace {

[[noreturn]] void throw_no_object(const char* why) {
  throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, why);
}
[[noreturn]] void throw_no_adapter() {
  throw CORBA::OBJECT_NOT_EXIST(CORBA::omg_minor(2), CORBA::COMPLETED_NO, "the object's adapter is not here");
}
[[noreturn]] void throw_no_servant(std::uint32_t minor, const char* why) {
  throw CORBA::OBJ_ADAPTER(CORBA::omg_minor(minor), CORBA::COMPLETED_NO, why);
}

}  // namespace

Destination::Destination(ObjectAdapter& adapter, ByteView key, std::string_view operation)
    : adapter_(adapter), key_(key) {
  try {
    follow_alias();
    enter_admitted_poa();
    if (poa_->policies.serialized()) serial_ = std::unique_lock(poa_->upcalls);
    find_servant(operation);
  } catch (...) {
    leave_poa();
    throw;
  }
}

Destination::~Destination() {
  if (locator_) {
    try {
      locator_->postinvoke(id_, poa_->reference(), operation_, cookie_, servant_->_lock());
    } catch (...) {
      // The reply is the servant's.
    }
  }
  servant_.reset();
  if (object_) adapter_.leave(*object_);
  leave_poa();
}

void Destination::follow_alias() {
  parts_ = adapter_.keys.read(key_);
  if (parts_) return;
  const auto target = adapter_.aliases.find(key_);
  if (!target) return;
  const ByteView local = target->_ref() ? target->_ref()->local_key() : ByteView();
  if (local.empty()) throw PortableServer::ForwardRequest(target);
  own_key_.assign(local.begin(), local.end());
  key_ = own_key_;
  parts_ = adapter_.keys.read(key_);
}

// A manager that holds requests is waited for outside of the adapter, which may be destroyed meanwhile.
void Destination::enter_admitted_poa() {
  for (;;) {
    enter_poa();
    if (poa_->manager->active()) return;
    const auto manager = poa_->manager;
    leave_poa();
    manager->admit(adapter_.options.hold_timeout, adapter_.options.held_requests);
  }
}

void Destination::enter_poa() {
  if (!parts_) throw_no_adapter();
  slot_ = adapter_.enter_poa(*parts_);
  if (!slot_ && !parts_->transient) {
    activate_path(parts_->path);
    slot_ = adapter_.enter_poa(*parts_);
  }
  if (!slot_) throw_no_adapter();
  poa_ = slot_->poa;
  id_ = poa_->id_of(*parts_);
}

void Destination::activate_path(ByteView path) {
  const auto names = names_of_path(path);
  auto poa = names ? adapter_.root() : nullptr;
  for (std::size_t i = 0; poa && i < names->size(); ++i) poa = adapter_.find_child(poa, (*names)[i], true);
}

void Destination::leave_poa() {
  if (serial_) serial_.unlock();
  poa_.reset();
  if (slot_) adapter_.leave(*std::exchange(slot_, nullptr));
}

void Destination::find_servant(std::string_view operation) {
  const PolicySet& policies = poa_->policies;
  if (policies.retain() && enter_active()) return;
  if (policies.default_servant()) {
    std::lock_guard lock(adapter_.mutex);
    servant_ = poa_->default_servant.shared();
    if (!servant_) throw_no_servant(3, "the adapter has been given no default servant");
  } else if (!policies.servant_manager()) {
    throw_no_object("no such object is active");
  } else if (policies.retain()) {
    incarnate();
  } else {
    preinvoke(operation);
  }
}

bool Destination::enter_active() {
  object_ = adapter_.enter(*poa_, id_, parts_->object.index);
  if (object_) servant_ = object_->servant;
  return object_ != nullptr;
}

// An object that is on its way out is incarnated anew only when it is gone.
void Destination::wait_for_etherealization() {
  const auto deadline = std::chrono::steady_clock::now() + adapter_.options.hold_timeout.get();
  std::unique_lock lock(adapter_.mutex);
  const bool gone = adapter_.wait(
      lock,
      [&] {
        const ActiveObject* object = adapter_.find_closing_too(*poa_, id_);
        return !object || object->turnstile.is_open();
      },
      deadline);
  if (!gone)
    throw CORBA::TRANSIENT(CORBA::omg_minor(1), CORBA::COMPLETED_NO, "the object is still being deactivated");
}

void Destination::incarnate() {
  if (!poa_->by_id->admits(id_))
    throw_no_object("the adapter's table of servants does not have this object id");
  for (;;) {
    wait_for_etherealization();
    std::lock_guard one_at_a_time(poa_->servant_manager);
    if (enter_active()) return;
    CORBA::object_reference<PortableServer::ServantActivator> activator;
    {
      std::lock_guard lock(adapter_.mutex);
      if (adapter_.find_closing_too(*poa_, id_)) continue;
      activator = poa_->servant_activator;
    }
    if (!activator) throw_no_servant(4, "the adapter has been given no servant activator");
    const auto servant = activator->incarnate(id_, poa_->reference());
    if (!servant) throw_no_servant(7, "the servant activator gave no servant");
    if (enter_active()) return;  // which it has activated itself
    std::lock_guard lock(adapter_.mutex);
    if (poa_->destroying) throw_no_adapter();
    if (poa_->policies.unique() && ServantLinks::find(*servant.get(), *poa_))
      throw_no_servant(0, "the servant activator gave a servant that is active already");
    if (adapter_.find_closing_too(*poa_, id_)) throw_no_object("the object was deactivated at once");
    object_ = &adapter_.add(*poa_, servant.shared(), std::make_unique<const ObjectId>(id_));
    const SlotName name = ObjectAdapter::name_of(*object_);
    object_->turnstile.open();
    object_->turnstile.enter(name.generation);
    servant_ = servant.shared();
    return;
  }
}

void Destination::preinvoke(std::string_view operation) {
  {
    std::lock_guard lock(adapter_.mutex);
    locator_ = poa_->servant_locator;
  }
  if (!locator_) throw_no_servant(4, "the adapter has been given no servant locator");
  operation_ = operation;
  const auto locator = std::exchange(locator_, nullptr);
  const auto servant = locator->preinvoke(id_, poa_->reference(), operation_, cookie_);
  if (!servant) throw_no_servant(7, "the servant locator gave no servant");
  servant_ = servant.shared();
  locator_ = locator;
}

}  // namespace takt::adapter
