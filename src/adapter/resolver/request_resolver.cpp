#include "adapter/resolver/request_resolver.h"

namespace takt::adapter {

// The following functions end in calls that need no state of their callers, so fast paths save few registers.
ActiveObject* RequestResolver::enter_by_object_or_path(const ByteView& key) {
  return tree.keys.is_delayered(key) ? enter_delayered(key) : tree.enter_in_layers(key);
}

ActiveObject* RequestResolver::enter_delayered(const ByteView& key) {
  const SlotName name = KeyFormat::object_of(key);
  ActiveObject* object = tree.table.objects.enter(name.index, name.generation);
  if (!object) return nullptr;
  const bool right = object->poa->self == KeyFormat::poa_of(key) &&
                     equal(object->id ? ByteView(*object->id) : ByteView(), KeyFormat::id_of(key));
  return right ? object : refuse(*object);
}

// An id that names a slot may meanwhile belong to an object in another slot.
ActiveObject* RequestResolver::enter_in(PoaCore& poa, const KeyParts& key) {
  if (ActiveObject* const object = tree.table.enter(poa, key)) return object;
  return key.id.empty() ? tree.table.enter(poa, poa.id_of(key), key.object.index) : nullptr;
}

// The adapter is the one in the slot that the key names. It stays alive while any of its objects has users,
// and is closed after all of them, so it need not be entered as well.
ActiveObject* RequestResolver::enter_by_slots(const ByteView& key) {
  // A copy, because after the atomic operation of entering memory would be read again.
  const ByteView octets = key;
  const SlotName name = KeyFormat::object_of(octets), poa_name = KeyFormat::poa_of(octets);
  if (name.index >= tree.table.objects.used()) [[unlikely]]
    return tree.enter_in_layers(key);
  ActiveObject& object = tree.table.objects.at(name.index);
  if (!object.turnstile.enter(name.generation)) [[unlikely]]
    return leave_and_enter_in_layers(object, key);
  // If the adapter's `self` equals the name, the adapter is in that slot, so the index needs no check.
  const PoaCore* const poa = object.poa;
  if (word_of(poa->self) != word_of(poa_name) || tree.table.poas.at(poa_name.index).by_slots.load() != poa)
      [[unlikely]]
    return leave_and_enter_in_layers(object, key);
  if (object.id || octets.size() != transient_key_size) [[unlikely]]
    return enter_if_id_matches(key, object);
  return &object;
}

ActiveObject* RequestResolver::enter_if_id_matches(const ByteView& key, ActiveObject& entered) {
  const ByteView id = tree.keys.is_perfect(key) ? KeyFormat::path_and_id_of(key)->id : KeyFormat::id_of(key);
  return entered.id && equal(*entered.id, id) ? &entered : leave_and_enter_in_layers(entered, key);
}

ActiveObject* RequestResolver::leave_and_enter_in_layers(ActiveObject& other, const ByteView& key) {
  tree.table.leave(other);
  return tree.enter_in_layers(key);
}

// As in enter_by_slots(), the adapter stays alive while one of its objects has users. Its slot name in the
// key proves that it is the right one, whatever path led here. All rare cases end in a call, so that no
// registers are saved.
// `long_names`: uses the fast hash, for which path and id may be too short.
template <bool long_names>
inline ActiveObject* RequestResolver::enter_known(const ByteView& key) {
  const auto named = KeyFormat::path_and_id_of(key);
  const KnownPaths* const paths = tree.paths().known_paths();
  if (!named || !paths) [[unlikely]]
    return tree.enter_in_layers(key);
  if (long_names && !paths->lookup.is_long_enough(named->path)) [[unlikely]]
    return enter_by_perfect_hashing_of_short_ids(key);
  const KnownServants* const servants = paths->find(named->path);
  if (!servants) [[unlikely]]
    return tree.enter_in_layers(key);
  if (long_names && !servants->lookup.is_long_enough(named->id)) [[unlikely]]
    return enter_by_perfect_hashing_of_short_ids(key);
  ActiveObject* const object = servants->find(named->id);
  if (!object) [[unlikely]]
    return tree.enter_in_layers(key);
  if (!object->turnstile.enter_any()) [[unlikely]]
    return leave_and_enter_in_layers(*object, key);
  if (word_of(object->poa->self) != word_of(KeyFormat::poa_of(key)) || !object->id) [[unlikely]]
    return leave_and_enter_in_layers(*object, key);
  const ObjectId& id = *object->id;
  if (id.size() != named->id.size() || !is_short(id)) [[unlikely]]
    return enter_if_id_matches(key, *object);
  return equal_short(id, named->id) ? object : leave_and_enter_in_layers(*object, key);
}

ActiveObject* RequestResolver::enter_by_perfect_hashing(const ByteView& key) {
  return enter_known<true>(key);
}
ActiveObject* RequestResolver::enter_by_perfect_hashing_of_short_ids(const ByteView& key) {
  return enter_known<false>(key);
}

}  // namespace takt::adapter
