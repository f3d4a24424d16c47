// Resolves object keys to active objects.
#pragma once

#include <takt/base/bytes.h>
#include <takt/base/probe_site.h>

#include "adapter/poa/adapter_tree.h"
#include "adapter/poa/object_table.h"
#include "adapter/resolver/key_aliases.h"
#include "base/step.h"
#include "lookup/keys/object_key.h"

namespace takt::adapter {

// Resolves keys to the active objects of its tree. Each look-up strategy has its own path here, which is
// shorter the more the key contains; if the shortest does not find the object, a longer one is used. Takes no
// lock, does not allocate. Any thread.
class RequestResolver {
 public:
  RequestResolver(reference::References& references, server::Server& server) : tree(references, server) {}

  AdapterTree tree;
  KeyAliases aliases;  // keys that stand for other references

  // The shortest path, for usual keys: one table access. Returns a candidate object, entered; the caller
  // checks it with names(). Null if there is none or another path must be tried. Reports each step to
  // `probe`.
  template <class Probe = NoStepLog>
  ActiveObject* enter_at_once(const ByteView& key, Probe probe = {}) {
    if (!tree.keys.is_usual(key)) [[unlikely]]
      return nullptr;
    TAKT_PROBE(server_servant_demux);
    probe(Step::server_servant_demux);
    const SlotName name = KeyFormat::object_of(key);
    ActiveObject* object = tree.table.objects.enter(name.index, name.generation);
    TAKT_PROBE(server_poa_demux);
    probe(Step::server_poa_demux);
    return object;
  }
  // Whether the key names the object. All parts of the key must match, so that keys put together from others
  // are rejected.
  static bool names(const ByteView& key, const ActiveObject& object) {
    return word_of(object.poa->self) == word_of(KeyFormat::poa_of(key)) && !object.id;
  }

  // Enters the open object to which the key alone leads; null if more is needed. Not inlined, so that the
  // usual path saves fewer registers.
  [[gnu::noinline]] ActiveObject* enter(const ByteView& key) {
    if (tree.keys.is_active(key)) return enter_by_slots(key);
    return tree.keys.is_perfect(key) ? enter_by_perfect_hashing(key) : enter_by_object_or_path(key);
  }
  // Enters the open object of the adapter, also one that has been activated since the key was made. Allocates
  // if the key contains no id, and its slot has another object.
  ActiveObject* enter_in(PoaCore& poa, const KeyParts& key);
  // `other` is entered, but is not the object that the key names.
  [[gnu::noinline]] ActiveObject* leave_and_enter(ActiveObject& other, const ByteView& key) {
    tree.table.leave(other);
    return enter(key);
  }

 private:
  [[gnu::noinline]] ActiveObject* enter_by_object_or_path(const ByteView& key);
  // Find the adapter first, then the object in it: by the short paths of the strategies with constant cost,
  // else in layers.
  [[gnu::noinline]] ActiveObject* enter_delayered(const ByteView& key);
  [[gnu::noinline]] ActiveObject* enter_by_slots(const ByteView& key);
  [[gnu::noinline]] ActiveObject* enter_by_perfect_hashing(const ByteView& key);
  [[gnu::noinline]] ActiveObject* enter_by_perfect_hashing_of_short_ids(const ByteView& key);
  template <bool long_names>
  ActiveObject* enter_known(const ByteView& key);
  // `entered` may be the right object or another.
  [[gnu::noinline]] ActiveObject* enter_if_id_matches(const ByteView& key, ActiveObject& entered);
  [[gnu::noinline]] ActiveObject* leave_and_enter_in_layers(ActiveObject& other, const ByteView& key);
  [[gnu::noinline]] ActiveObject* refuse(ActiveObject& object) {
    tree.table.leave(object);
    return nullptr;
  }
};

}  // namespace takt::adapter
