#include <takt/adapter/direct.h>

#include <type_traits>

#include "adapter/object_adapter.h"
#include "adapter/upcalls/dispatcher_stage.h"
#include "connection/references/object_ref.h"

namespace takt::adapter {

#ifdef __cpp_lib_is_pointer_interconvertible
// By which DirectEntry goes from one to the other.
static_assert(std::is_pointer_interconvertible_with_class(&ActiveObject::turnstile));
#endif

namespace {

[[noreturn]] void refuse(const char* why) { throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, why); }

ObjectAdapter& adapter_of(connection::Dispatcher* dispatcher) {
  if (auto* stage = dynamic_cast<DispatcherStage*>(dispatcher)) return stage->adapter();
  if (auto* adapter = dynamic_cast<ObjectAdapter*>(dispatcher)) return *adapter;
  refuse("takt::Direct: the object's ORB has no adapters");
}

}  // namespace

DirectTarget::DirectTarget(const CORBA::Object& object) : ref_(object._ref()) {
  if (!ref_ || ref_->local_key().empty())
    refuse("takt::Direct: the object is not in this process; call it by its stub");
  adapter_ = &adapter_of(ref_->core()->dispatcher);
  ByteView& key = *this;
  key = ref_->local_key();
  const Entered entered(*adapter_, adapter_->enter(key));
  if (!entered)
    refuse("takt::Direct: the object is not active; a stub asks servant managers and default servants");
  const PoaCore& poa = *entered->poa;
  if (poa.policies.serialized() || poa.policies.extension)
    refuse("takt::Direct: the object's adapter has a single thread, or priorities; call it by its stub");
  manager_ = poa.manager;
  state_ = &manager_->state_word();
  waiting_ = &adapter_->waiting_;
  object_ = &*entered;
  generation_ = object_->turnstile.generation();
  servant_ = object_->servant.get();
}

void DirectTarget::throw_other_interface() {
  refuse("takt::Direct: the object's servant is of another interface");
}

void DirectTarget::enter_otherwise() const {
  do {
    adapter_->leave(*object_);
    manager_->admit(adapter_->options.hold_timeout, adapter_->options.held_requests);
    if (!object_->turnstile.enter(generation_)) {
      adapter_->leave(*object_);
      throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "takt::Direct: the object is no longer active");
    }
  } while (state_->load() != State::ACTIVE);
}

void DirectTarget::leave_otherwise(bool last) const { adapter_->left(*object_, last); }

}  // namespace takt::adapter
