// Operations of an adapter on objects, ids, references and servants.
#include <takt/adapter/poa.h>

#include "adapter/poa/adapter_tree.h"
#include "adapter/poa/upcall.h"
#include "reference/object_ref.h"

namespace PortableServer {

using takt::adapter::ActiveObject;
using takt::adapter::Entered;
using takt::adapter::ObjectTable;
using takt::adapter::PoaCore;
using takt::adapter::ServantLinks;
using takt::adapter::SlotName;
using takt::adapter::UpcallFrame;

namespace {

using Priority = std::int16_t;
constexpr Priority no_priority = -1;

// Also throws if the adapter has been destroyed.
void require(const PoaCore& poa, bool policy) {
  poa.require_present();
  if (!policy) throw POA::WrongPolicy();
}

void require_servant(const CORBA::servant_reference<Servant>& servant) {
  if (!servant)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "a nil servant; make one with CORBA::make_reference");
}

void require_alive(const PoaCore& poa) {
  if (poa.destroying)
    throw CORBA::OBJECT_NOT_EXIST(CORBA::omg_minor(4), CORBA::COMPLETED_NO, "the POA has been destroyed");
}

// Call with the table's mutex held.
const ActiveObject& activate(PoaCore& poa, const CORBA::servant_reference<Servant>& servant,
                             std::unique_ptr<const ObjectId> id, Priority priority) {
  ActiveObject& object = poa.tree.table.add(poa, servant.shared(), std::move(id));
  object.priority = priority;
  object.turnstile.open();
  return object;
}

const ActiveObject& activate_with_new_id(PoaCore& poa, const CORBA::servant_reference<Servant>& servant,
                                         Priority priority = no_priority) {
  return activate(poa, servant,
                  poa.policies.ids_name_slots() ? nullptr : std::make_unique<const ObjectId>(poa.make_id()),
                  priority);
}

// Throws unless the object may have this priority of its own.
void require_priority(const PoaCore& poa, Priority priority) {
  const auto* extension = poa.policies.extension.get();
  require(poa, extension && extension->declares(no_priority));
  if (priority == no_priority || !extension->declares(priority))
    throw CORBA::BAD_PARAM(
        0, CORBA::COMPLETED_NO,
        "priority " + std::to_string(priority) +
            " is out of range, has no native priority, or is in no lane or band of the adapter");
}

// This thread's upcall on `servant` in the adapter; null `servant`: any of its servants. Null if there is
// none.
const UpcallFrame* upcall_in(const PoaCore& poa, const Servant* servant) {
  const UpcallFrame* upcall = UpcallFrame::innermost();
  while (upcall && (&poa_of(*upcall) != &poa || (servant && &servant_of(*upcall) != servant)))
    upcall = upcall->outer();
  return upcall;
}

}  // namespace

ObjectId POA::activate_object(CORBA::servant_reference<Servant> servant) {
  return activate_new(std::move(servant), no_priority);
}

ObjectId POA::activate_object_with_priority(CORBA::servant_reference<Servant> servant, Priority priority) {
  require_priority(*core_, priority);
  return activate_new(std::move(servant), priority);
}

ObjectId POA::activate_new(CORBA::servant_reference<Servant> servant, Priority priority) {
  require(*core_, core_->policies.system_ids() && core_->policies.retain());
  require_servant(servant);
  std::lock_guard lock(core_->tree.table.mutex);
  require_alive(*core_);
  if (core_->policies.unique() && ServantLinks::find(*servant, *core_)) throw ServantAlreadyActive();
  return core_->id_of(activate_with_new_id(*core_, servant, priority));
}

void POA::activate_object_with_id(const ObjectId& id, CORBA::servant_reference<Servant> servant) {
  activate_named(id, std::move(servant), no_priority);
}

void POA::activate_object_with_id_and_priority(const ObjectId& id, CORBA::servant_reference<Servant> servant,
                                               Priority priority) {
  require_priority(*core_, priority);
  activate_named(id, std::move(servant), priority);
}

void POA::activate_named(const ObjectId& id, CORBA::servant_reference<Servant> servant, Priority priority) {
  require(*core_, core_->policies.retain());
  require_servant(servant);
  if (core_->policies.system_ids() && !core_->could_be_own_id(id))
    throw CORBA::BAD_PARAM(CORBA::omg_minor(14), CORBA::COMPLETED_NO, "the POA has not made this object id");
  if (!core_->by_id->admits(id))
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           "the table of servants in the POA's look-up policy does not have the id '" +
                               std::string(id.begin(), id.end()) +
                               "'; add it to the list that the table is made of");
  ObjectTable& table = core_->tree.table;
  const bool active = static_cast<bool>(Entered(table, table.enter_to_change(*core_, id)));
  if (active) throw ObjectAlreadyActive();
  std::unique_lock lock(table.mutex);
  // Waits for a closing object of that id, except where that may wait for this thread.
  const bool gone = table.wait(
      lock,
      [&] {
        const ActiveObject* object = table.find_closing_too(*core_, id);
        return !object || object->turnstile.is_open();
      },
      upcall_in(*core_, nullptr) || takt::adapter::AdapterTree::Consulting::locks(core_->tree)
          ? std::chrono::steady_clock::now()
          : std::chrono::steady_clock::now() + core_->tree.server.options.hold_timeout.get());
  if (!gone || table.find_closing_too(*core_, id)) throw ObjectAlreadyActive();
  require_alive(*core_);
  if (core_->policies.unique() && ServantLinks::find(*servant, *core_)) throw ServantAlreadyActive();
  activate(*core_, servant, std::make_unique<const ObjectId>(id), priority);
}

void POA::deactivate_object(const ObjectId& id) {
  require(*core_, core_->policies.retain());
  ObjectTable& table = core_->tree.table;
  const Entered object(table, table.enter_to_change(*core_, id));
  if (!object || !table.deactivate(ObjectTable::name_of(*object))) throw ObjectNotActive();
}

CORBA::object_reference<CORBA::Object> POA::create_reference(const std::string& repository_id) {
  require(*core_, core_->policies.system_ids());
  return core_->tree.reference(*core_, repository_id, core_->key_of(SlotName(), core_->make_id()),
                               no_priority);
}

CORBA::object_reference<CORBA::Object> POA::create_reference_with_priority(const std::string& repository_id,
                                                                           Priority priority) {
  require_priority(*core_, priority);
  require(*core_, core_->policies.system_ids());
  return core_->tree.reference(*core_, repository_id, core_->key_of(SlotName(), core_->make_id()), priority);
}

CORBA::object_reference<CORBA::Object> POA::create_reference_with_id(const ObjectId& id,
                                                                     const std::string& repository_id) {
  return refer_to(id, repository_id, no_priority);
}

CORBA::object_reference<CORBA::Object> POA::create_reference_with_id_and_priority(
    const ObjectId& id, const std::string& repository_id, Priority priority) {
  require_priority(*core_, priority);
  return refer_to(id, repository_id, priority);
}

CORBA::object_reference<CORBA::Object> POA::refer_to(const ObjectId& id, const std::string& repository_id,
                                                     Priority priority) {
  core_->require_present();
  if (core_->policies.system_ids() && !core_->could_be_own_id(id))
    throw CORBA::BAD_PARAM(CORBA::omg_minor(14), CORBA::COMPLETED_NO, "the POA has not made this object id");
  const Entered object(core_->tree.table, core_->tree.table.enter_to_change(*core_, id));
  const auto key = object ? core_->key_of(*object) : core_->key_of(SlotName(), id);
  return core_->tree.reference(*core_, repository_id, key,
                               object && priority < 0 ? object->priority : priority);
}

ObjectId POA::servant_to_id(CORBA::servant_reference<Servant> servant) {
  const auto& policies = core_->policies;
  require(*core_, policies.default_servant() ||
                      (policies.retain() && (policies.unique() || policies.implicit_activation())));
  require_servant(servant);
  if (policies.retain()) {
    std::lock_guard lock(core_->tree.table.mutex);
    require_alive(*core_);
    const ActiveObject* object = policies.unique() ? ServantLinks::find(*servant, *core_) : nullptr;
    if (object) return core_->id_of(*object);
    if (policies.implicit_activation()) return core_->id_of(activate_with_new_id(*core_, servant));
  }
  const UpcallFrame* upcall = upcall_in(*core_, servant.get());
  if (!upcall) throw ServantNotActive();
  return core_->id_in(upcall->key()).value();
}

CORBA::object_reference<CORBA::Object> POA::servant_to_reference(CORBA::servant_reference<Servant> servant) {
  if (servant)
    if (const UpcallFrame* upcall = upcall_in(*core_, servant.get()))
      return core_->tree.reference(*core_, servant->_repository_id(), upcall->key(), priority_of(*upcall));
  require(*core_,
          core_->policies.retain() && (core_->policies.unique() || core_->policies.implicit_activation()));
  const ObjectId id = servant_to_id(servant);
  return create_reference_with_id(id, servant->_repository_id_of(id, core_->reference()));
}

CORBA::servant_reference<Servant> POA::reference_to_servant(
    CORBA::object_reference<CORBA::Object> reference) {
  require(*core_, core_->policies.retain() || core_->policies.default_servant());
  return id_to_servant(reference_to_id(reference));
}

ObjectId POA::reference_to_id(CORBA::object_reference<CORBA::Object> reference) {
  core_->require_present();
  if (!reference || !reference->_ref() || reference->_ref()->references().get() != &core_->tree.references)
    throw WrongAdapter();
  const auto key = reference->_ref()->local_key();
  auto id = core_->id_in(key);
  if (!id) throw WrongAdapter();
  return *std::move(id);
}

CORBA::servant_reference<Servant> POA::id_to_servant(const ObjectId& id) {
  require(*core_, core_->policies.retain() || core_->policies.default_servant());
  if (core_->policies.retain()) {
    const Entered object(core_->tree.table, core_->tree.table.enter_to_change(*core_, id));
    if (object) return CORBA::servant_reference<Servant>(object->servant);
  }
  if (core_->policies.default_servant()) {
    const auto servant = core_->tree.table.default_servant_of(*core_);
    if (servant) return CORBA::servant_reference<Servant>(servant);
  }
  throw ObjectNotActive();
}

CORBA::object_reference<CORBA::Object> POA::id_to_reference(const ObjectId& id) {
  require(*core_, core_->policies.retain());
  const Entered object(core_->tree.table, core_->tree.table.enter_to_change(*core_, id));
  if (!object) throw ObjectNotActive();
  return core_->tree.reference(*core_, object->servant->_repository_id_of(id, core_->reference()),
                               core_->key_of(*object), object->priority);
}

}  // namespace PortableServer
