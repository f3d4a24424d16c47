#include "adapter/poa/poa_core.h"

#include <algorithm>

#include "adapter/poa/adapter_tree.h"
#include "lookup/dynamic_lookup.h"

namespace takt::adapter {

namespace {

OperationSearch search_of(Lookup operation) {
  if (operation == Lookup::linear) return OperationSearch::linear;
  if (operation == Lookup::dynamic) return OperationSearch::dynamic;
  return OperationSearch::perfect;
}

constinit const std::atomic<ManagerCore::State> never_active{ManagerCore::State::HOLDING};

}  // namespace

PoaCore::PoaCore(AdapterTree& of_tree, std::shared_ptr<PoaCore> parent_poa, std::string poa_name,
                 const PolicySet& policy_set, std::shared_ptr<ManagerCore> poa_manager,
                 std::shared_ptr<KnownServants> table)
    : tree(of_tree),
      parent(std::move(parent_poa)),
      name(std::move(poa_name)),
      path(parent ? append_to_path(parent->path, name) : std::string()),
      policies(policy_set),
      manager(std::move(poa_manager)),
      search(search_of(policies.lookup.operation)),
      plain(!policies.serialized() && !policies.extension && search == OperationSearch::perfect),
      by_table(std::move(table)),
      by_id(by_table ? std::shared_ptr<IdLookup>(by_table, &by_table->lookup)
                     : make_lookup(policies.lookup.servant, {})),
      by_id_for_changes(policies.lookup.servant == Lookup::linear ? std::make_shared<DynamicLookup>()
                                                                  : by_id),
      unobserved_(plain && !of_tree.observed),
      admission_(unobserved_ ? &manager->state_word() : &never_active) {}

void PoaCore::begin_preparation(AdapterActivation& by) {
  activation = &by;
  preparer_ = by.thread;
  in_preparation_ = true;
  admission_ = &never_active;
}

void PoaCore::end_preparation() {
  activation = nullptr;
  in_preparation_ = false;
  if (unobserved_) admission_ = &manager->state_word();
}

void PoaCore::require_present() const {
  if (gone)
    throw CORBA::OBJECT_NOT_EXIST(CORBA::omg_minor(4), CORBA::COMPLETED_NO, "the POA has been destroyed");
}

void PoaCore::enlist(ActiveObject& object) {
  if (!object.id) return;
  by_id->insert(*object.id, object.index);
  if (by_table) by_table->lead(*object.id, &object);
  if (by_id_for_changes != by_id) by_id_for_changes->insert(*object.id, object.index);
}

void PoaCore::remove_from_lookups(const ActiveObject& object) {
  if (!object.id) return;
  if (by_table) by_table->lead(*object.id, nullptr);
  by_id->erase(*object.id, object.index);
  if (by_id_for_changes != by_id) by_id_for_changes->erase(*object.id, object.index);
}

void PoaCore::link(ActiveObject& object) {
  object.previous_of_poa = SlotTable<ActiveObject>::none;
  object.next_of_poa = first_object;
  if (first_object != SlotTable<ActiveObject>::none)
    tree.table.objects.at(first_object).previous_of_poa = object.index;
  first_object = object.index;
  ++objects;
}

void PoaCore::unlink(ActiveObject& object) {
  constexpr auto none = SlotTable<ActiveObject>::none;
  if (object.previous_of_poa == none)
    first_object = object.next_of_poa;
  else
    tree.table.objects.at(object.previous_of_poa).next_of_poa = object.next_of_poa;
  if (object.next_of_poa != none)
    tree.table.objects.at(object.next_of_poa).previous_of_poa = object.previous_of_poa;
  --objects;
}

[[gnu::cold]] void PoaCore::reserve_for_turn() {
  if (policies.serialized() && policies.servant_manager() && left_to_turn_.capacity() <= objects)
    left_to_turn_.reserve(std::max<std::size_t>(16, 2 * objects));
}

[[gnu::cold]] void PoaCore::leave_to_turn(const ActiveObject& object) {
  left_to_turn_.push_back(object.index);
  leaves_to_turn_ = true;
}

[[gnu::cold]] std::uint32_t PoaCore::take_left_to_turn() {
  if (left_to_turn_.empty()) {
    leaves_to_turn_ = false;
    return SlotTable<ActiveObject>::none;
  }
  const std::uint32_t index = left_to_turn_.back();
  left_to_turn_.pop_back();
  return index;
}

// Differs in length from a slot name. The instance prevents a persistent adapter from reusing ids of an
// earlier process.
ObjectId PoaCore::make_id() {
  const std::uint64_t number = next_id_.fetch_add(1, std::memory_order_relaxed);
  ObjectId id(12);
  put_u32(id.data(), tree.instance);
  put_u32(id.data() + 4, static_cast<std::uint32_t>(number >> 32));
  put_u32(id.data() + 8, static_cast<std::uint32_t>(number));
  return id;
}

bool PoaCore::could_be_own_id(ByteView id) const {
  if (const auto slot = slot_of_id(id))
    return policies.ids_name_slots() && slot->index < tree.table.objects.used();
  if (id.size() != 12) return false;
  const std::uint64_t number = std::uint64_t{get_u32(id.data() + 4)} << 32 | get_u32(id.data() + 8);
  return policies.persistent() ||
         (get_u32(id.data()) == tree.instance && number < next_id_.load(std::memory_order_relaxed));
}

ObjectId PoaCore::key_of(SlotName slot, ByteView id) const {
  return tree.keys.make({.transient = !policies.persistent(),
                         .adapter = policies.lookup.adapter,
                         .object = slot,
                         .poa = self,
                         .path = bytes_of(path),
                         .id = id});
}

ObjectId PoaCore::key_of(const ActiveObject& object) const {
  return key_of(ObjectTable::name_of(object), object.id ? ByteView(*object.id) : ByteView());
}

ObjectId PoaCore::id_of(const ActiveObject& object) const {
  return object.id ? *object.id : id_of_slot(ObjectTable::name_of(object));
}

std::optional<ObjectId> PoaCore::id_in(ByteView key) const {
  const auto parts = tree.keys.read(key);
  if (!parts || parts->transient == policies.persistent()) return std::nullopt;
  const bool mine = parts->transient ? parts->poa == self : text_of(parts->path) == path;
  return mine ? std::optional(id_of(*parts)) : std::nullopt;
}

ObjectId PoaCore::id_of(const KeyParts& parts) const {
  if (parts.id.empty() && policies.ids_name_slots()) return id_of_slot(parts.object);
  return {parts.id.begin(), parts.id.end()};
}

CORBA::object_reference<PortableServer::POA> PoaCore::reference() {
  std::lock_guard lock(reference_mutex_);
  auto poa = reference_.lock();
  if (!poa) {
    poa = std::make_shared<PortableServer::POA>(tree.orb(), shared_from_this());
    reference_ = poa;
  }
  return CORBA::object_reference<PortableServer::POA>(std::move(poa));
}

}  // namespace takt::adapter
