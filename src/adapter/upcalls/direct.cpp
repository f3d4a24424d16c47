#include <takt/adapter/direct.h>

#include "adapter/poa/adapter_tree.h"
#include "adapter/poa/default_adapter.h"
#include "reference/object_ref.h"

namespace takt::adapter {

namespace {

[[noreturn]] void refuse(const char* why) { throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, why); }

}  // namespace

DirectTarget::DirectTarget(const CORBA::Object& object) : ref_(object._ref()) {
  if (!ref_ || ref_->local_key().empty())
    refuse("takt::Direct: the object is not in this process; call it by its stub");
  AdapterTree* const tree = adapters_of(*ref_->references());
  if (!tree) refuse("takt::Direct: the object's ORB has no adapters");
  table_ = &tree->table;
  key_ = ref_->local_key();
  const Entered entered(*table_, tree->enter_in_layers(key_));
  if (!entered)
    refuse("takt::Direct: the object is not active; a stub asks servant managers and default servants");
  const PoaCore& poa = *entered->poa;
  tree->wait_until_prepared(poa);
  if (poa.policies.serialized() || poa.policies.extension)
    refuse("takt::Direct: the object's adapter has a single thread, or priorities; call it by its stub");
  manager_ = poa.manager;
  state_ = &manager_->state_word();
  waiting_ = &table_->waiting();
  object_ = &*entered;
  generation_ = object_->turnstile.generation();
  servant_ = entered->servant.get();
}

void DirectTarget::throw_other_interface() {
  refuse("takt::Direct: the object's servant is of another interface");
}

void DirectTarget::wait_and_enter() const {
  do {
    table_->leave(static_cast<ActiveObject&>(*object_));
    manager_->wait_for_admission();
    if (!object_->turnstile.enter(generation_)) {
      table_->leave(static_cast<ActiveObject&>(*object_));
      throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "takt::Direct: the object is no longer active");
    }
  } while (state_->load() != State::ACTIVE);
}

void DirectTarget::end_leaving(bool last) const { table_->left(static_cast<ActiveObject&>(*object_), last); }

}  // namespace takt::adapter
