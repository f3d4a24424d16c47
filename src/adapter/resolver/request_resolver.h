// From an object key to the object that it names.
#pragma once

#include <takt/base/bytes.h>
#include <takt/base/probe_site.h>

#include "adapter/keys/key_aliases.h"
#include "adapter/keys/object_key.h"
#include "adapter/poa/adapter_tree.h"
#include "adapter/poa/object_table.h"
#include "base/step.h"

namespace takt::adapter {

// Resolves keys to the active objects of its tree. Each strategy of look-up has a way of its own here, the
// shorter the more the key says; where the shortest does not find the object, a longer one does. No lock, no
// memory, any thread.
class RequestResolver {
 public:
  RequestResolver(reference::References& references, server::Server& server) : tree(references, server) {}

  AdapterTree tree;
  KeyAliases aliases;  // keys that stand for other references

  // The shortest way, for keys of one access to the table and no id of their own: an object that may be it,
  // entered; null if there is none, or another way is to be tried. Tells `probe` of each step.
  template <class Probe = Unprobed>
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
  // Whether it is. All parts of the key must agree on that object: one that somebody has put together of
  // several leads nowhere.
  static bool names(const ByteView& key, const ActiveObject& object) {
    return word_of(object.poa->self) == word_of(KeyFormat::poa_of(key)) && !object.id;
  }

  // The open object that the key leads to by itself, entered; null if there is more to it. Not inline, so
  // that the usual way saves less for it.
  [[gnu::noinline]] ActiveObject* enter(const ByteView& key) {
    if (tree.keys.is_active(key)) return enter_by_slots(key);
    return tree.keys.is_perfect(key) ? enter_by_tables(key) : enter_by_object_or_path(key);
  }
  // `other`: entered, and not the one that the key names.
  [[gnu::noinline]] ActiveObject* enter_instead_of(ActiveObject& other, const ByteView& key) {
    tree.table.leave(other);
    return enter(key);
  }

 private:
  [[gnu::noinline]] ActiveObject* enter_by_object_or_path(const ByteView& key);
  // First the adapter, then the object in it: by the short ways of the two strategies that are the same work
  // for any number of them, else in layers.
  [[gnu::noinline]] ActiveObject* enter_delayered(const ByteView& key);
  [[gnu::noinline]] ActiveObject* enter_by_slots(const ByteView& key);
  [[gnu::noinline]] ActiveObject* enter_by_tables(const ByteView& key);
  [[gnu::noinline]] ActiveObject* enter_by_tables_of_short_names(const ByteView& key);
  template <bool long_names>
  ActiveObject* enter_known(const ByteView& key);
  // `entered` may be the object or another.
  [[gnu::noinline]] ActiveObject* enter_if_named(const ByteView& key, ActiveObject& entered);
  [[gnu::noinline]] ActiveObject* enter_in_layers_instead_of(ActiveObject& other, const ByteView& key);
  [[gnu::noinline]] ActiveObject* refuse(ActiveObject& object) {
    tree.table.leave(object);
    return nullptr;
  }
};

}  // namespace takt::adapter
