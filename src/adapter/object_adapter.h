// All adapters of one ORB: from an object key to an upcall.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <takt/adapter/poa.h>
#include <takt/base/changeable.h>
#include <takt/base/probe_site.h>

#include "adapter/keys/key_aliases.h"
#include "adapter/keys/object_key.h"
#include "adapter/lookup/configured_lookups.h"
#include "adapter/objects/active_object.h"
#include "adapter/objects/slot_table.h"
#include "adapter/poa/adapter_paths.h"
#include "adapter/poa/adapters_complete.h"
#include "adapter/poa/poa_core.h"
#include "connection/dispatcher.h"
#include "connection/orb_core.h"
#include "connection/probes/step.h"
#include "os/threads/priority_condition.h"
#include "os/threads/priority_mutex.h"

namespace takt::adapter {

struct AdapterOptions {
  // For a request that a manager holds, and how many one holds; more get TRANSIENT.
  Changeable<std::chrono::nanoseconds> hold_timeout{std::chrono::seconds(10)};
  Changeable<std::size_t> held_requests = 1000;
  LookupStrategies lookup = {};    // of adapters without a policy for it
  ConfiguredLookups lookups = {};  // of single ones, before that
  bool complete_when_activated =
      true;  // the first manager that holds no more says that adapters are complete
};

// An adapter's place in the table of adapters, which transient keys name.
struct PoaSlot {
  Turnstile turnstile;
  std::uint32_t index = 0;
  std::shared_ptr<PoaCore> poa;  // does not change while somebody is in
  // The last one, for comparing, if its objects are where their keys say.
  std::atomic<const PoaCore*> by_slots = nullptr;
};

// One table holds the objects of all adapters, so that one access leads from a key to servant and adapter
// together, however deep the adapter's path is (de-layered active demultiplexing). Requests take no lock and
// no memory on that way; all changes take `mutex`, which is never held while application code runs.
class ObjectAdapter final : public connection::Dispatcher {
 public:
  // `core` outlives the adapter.
  explicit ObjectAdapter(connection::OrbCore& core);
  ~ObjectAdapter() override;
  ObjectAdapter(const ObjectAdapter&) = delete;
  ObjectAdapter& operator=(const ObjectAdapter&) = delete;

  void dispatch(connection::ServerCall& call) noexcept override;
  connection::LocateAnswer locate(ByteView object_key) noexcept override;
  connection::LocalAnswer call_local(const OperationId& operation, void* arguments,
                                     const ByteView& object_key) override;

  AdapterOptions options;                 // set before the first request, but for what is Changeable
  AdapterExtension* extension = nullptr;  // likewise; outlives the adapter
  connection::OrbCore& core;
  const std::uint32_t instance;  // a random number, by which keys of an earlier process are known
  KeyFormat keys;
  KeyAliases aliases;

  // The root POA, made on first use; null once the ORB has been shut down.
  std::shared_ptr<PoaCore> root();
  // Destroys all adapters. Requests get OBJECT_NOT_EXIST from then on.
  void shut_down(bool wait_for_completion);

  // What is not there from now on is not there: collocated calls need not wait for it, and `when_complete`,
  // set before the first request, is called, perhaps again. Throws what that throws.
  void adapters_complete();
  AdaptersComplete completeness;
  std::function<void()> when_complete;

  // The rest is for the adapters.

  // A manager holds its requests no more, because the program said so.
  void manager_released() {
    if (options.complete_when_activated) adapters_complete();
  }

  // Takes `mutex` itself.
  std::shared_ptr<PoaCore> make_poa(const std::shared_ptr<PoaCore>& parent, const std::string& name,
                                    std::shared_ptr<ManagerCore> manager, const PolicySet& policies);
  void destroy_poa(PoaCore& poa, bool etherealize, bool wait_for_completion);
  // Asks adapter activators on the way if `activate`; null: there is none.
  std::shared_ptr<PoaCore> find_child(const std::shared_ptr<PoaCore>& parent, const std::string& name,
                                      bool activate);
  std::shared_ptr<ManagerCore> make_manager();
  // Null: there is one of that name already.
  std::shared_ptr<ManagerCore> make_manager(const std::string& id);
  std::vector<std::shared_ptr<ManagerCore>> managers();

  // The open object that the key leads to by itself, entered; null if there is more to it.
  ActiveObject* enter(const ByteView& key) {
    if (keys.is_active(key)) return enter_by_slots(key);
    return keys.is_perfect(key) ? enter_by_tables(key) : enter_otherwise(key);
  }
  // An open object of `poa`, entered; null if there is none of that id. No lock.
  ActiveObject* enter(PoaCore& poa, ByteView id, std::uint32_t hint = IdLookup::no_hint);
  // The same for who activates, deactivates or makes references, found so that it does not depend on their
  // number.
  ActiveObject* enter_to_change(PoaCore& poa, ByteView id);
  void leave(ActiveObject& object) { left(object, object.turnstile.leave()); }
  // Of somebody who has left by the turnstile itself, which said so.
  void left(ActiveObject& object, bool last) {
    if (last) [[unlikely]]
      finish(object);
    if (waiting_.load() != 0) [[unlikely]]
      wake_waiting();
  }
  void leave(PoaSlot& slot) {
    if (slot.turnstile.leave()) [[unlikely]]
      finish(slot);
    if (waiting_.load() != 0) [[unlikely]]
      wake_waiting();
  }

  // With `mutex` held. A null id: named by its slot. The object is not open yet.
  ActiveObject& add(PoaCore& poa, std::shared_ptr<PortableServer::Servant> servant,
                    std::unique_ptr<const ObjectId> id);
  static SlotName name_of(const ActiveObject& object) {
    return {object.index, object.turnstile.generation()};
  }
  // False: it was not open in that generation. Must not hold `mutex`.
  bool deactivate(SlotName object);
  // An object of `poa` with that id, open or closing; with `mutex` held.
  ActiveObject* find_closing_too(PoaCore& poa, ByteView id);

  // Null: it has none. Neither takes `mutex`.
  DefaultServant* enter_default_servant(const PoaCore& poa);
  std::shared_ptr<PortableServer::Servant> default_servant_of(const PoaCore& poa);
  void leave(DefaultServant& servant) {
    if (servant.turnstile.leave()) [[unlikely]]
      finish(servant);
  }
  // The one before goes when the last request has left it. Null: the adapter has none from now on. Takes
  // `mutex` itself.
  void set_default_servant(PoaCore& poa, std::shared_ptr<PortableServer::Servant> servant);

  // Waits, with `lock` on `mutex`, until done() says true; false: not until `deadline`.
  bool wait(std::unique_lock<os::PriorityMutex>& lock, const std::function<bool()>& done,
            std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max());
  // Until no upcall is in an adapter of that manager.
  void wait_until_idle(const ManagerCore& manager);
  // Each adapter of the manager loses its objects, etherealized.
  void etherealize_all(const ManagerCore& manager);
  bool in_upcall() const;  // the calling thread, of this ORB
  // BAD_INV_ORDER (OMG minor 3) if the calling thread is in an upcall of this ORB.
  void refuse_in_upcall() const;

  std::shared_ptr<connection::OrbCore> orb() const { return core.shared_from_this(); }
  // A reference to an object of `poa`; `priority`: its own, or -1.
  CORBA::object_reference<CORBA::Object> reference(const PoaCore& poa, const std::string& repository_id,
                                                   ByteView key, std::int16_t priority) const;

  os::PriorityMutex mutex;
  SlotTable<ActiveObject> objects;
  SlotTable<PoaSlot> poas;
  SlotTable<DefaultServant> default_servants;

 private:
  friend class Destination;
  friend class DirectTarget;
  friend class ProbedDispatcher;
  // Finds the object and runs the call, telling `probe` of each step.
  template <class Probe>
  void dispatch(connection::ServerCall& call, Probe probe) noexcept;
  // The quickest way, for keys of one access to the table and no id of their own: an object that may be it,
  // entered; null if there is none, or another way is to be tried.
  template <class Probe = connection::Unprobed>
  ActiveObject* enter_at_once(const ByteView& key, Probe probe = {}) {
    if (!keys.is_usual(key)) [[unlikely]]
      return nullptr;
    TAKT_PROBE(server_servant_demux);
    probe(connection::Step::server_servant_demux);
    const SlotName name = KeyFormat::object_of(key);
    ActiveObject* object = objects.enter(name.index, name.generation);
    TAKT_PROBE(server_poa_demux);
    probe(connection::Step::server_poa_demux);
    return object;
  }
  // Whether it is. All parts of the key must agree on that object: one that somebody has put together of
  // several leads nowhere.
  static bool names(const ByteView& key, const ActiveObject& object) {
    return word_of(object.poa->self) == word_of(KeyFormat::poa_of(key)) && !object.id;
  }
  [[gnu::noinline]] ActiveObject* enter_otherwise(const ByteView& key);
  // `entered`: in vain.
  [[gnu::noinline]] ActiveObject* enter_again(const ByteView& key, ActiveObject& entered) {
    leave(entered);
    return enter(key);
  }
  [[gnu::noinline]] ActiveObject* refuse(ActiveObject& object) {
    leave(object);
    return nullptr;
  }
  // First the adapter, then the object in it: by the quick ways of the two strategies that are the same work
  // for any number of them, else in general.
  [[gnu::noinline]] ActiveObject* enter_delayered(const ByteView& key);
  [[gnu::noinline]] ActiveObject* enter_by_slots(const ByteView& key);
  [[gnu::noinline]] ActiveObject* enter_by_tables(const ByteView& key);
  [[gnu::noinline]] ActiveObject* enter_by_tables_of_any(const ByteView& key);
  template <bool quickly>
  ActiveObject* enter_known(const ByteView& key);
  [[gnu::noinline]] ActiveObject* enter_in_layers(const ByteView& key);
  // `entered` may be the object or another.
  [[gnu::noinline]] ActiveObject* enter_if_named(const ByteView& key, ActiveObject& entered);
  [[gnu::noinline]] ActiveObject* enter_elsewhere(const ByteView& key, ActiveObject& entered);
  ActiveObject* enter(PoaCore& poa, const KeyParts& key);
  ActiveObject* enter_named(PoaCore& poa, SlotName name);
  ActiveObject* enter_by(const IdLookup& lookup, PoaCore& poa, ByteView id, std::uint32_t hint);
  // Where requests go whose adapter has policies for upcalls, and those that have to wait or whose object is
  // not found by its key. `object`: entered, and left there.
  [[gnu::noinline]] void dispatch_elsewhere(connection::ServerCall& call, ActiveObject& object);
  void dispatch_slowly(connection::ServerCall& call);
  using LocalAnswer = connection::LocalAnswer;
  [[gnu::noinline]] LocalAnswer call_local_otherwise(const OperationId& operation, void* arguments,
                                                     const ByteView& key);
  [[gnu::noinline]] LocalAnswer call_local_elsewhere(const OperationId& operation, void* arguments,
                                                     const ByteView& key, ActiveObject& object);
  LocalAnswer call_local_slowly(const OperationId& operation, void* arguments, const ByteView& key);
  void finish(ActiveObject& object);
  void etherealize(ActiveObject& object, PoaCore& poa);
  void finish(PoaSlot& slot);
  void finish(DefaultServant& servant);
  void close_default_servant(SlotName name);
  // With `mutex` held; what must go without it is put into `released`.
  using Released = std::vector<std::shared_ptr<void>>;
  void finish_if_empty(PoaCore& poa, Released& released);
  std::shared_ptr<void> to_close_default_servant(PoaCore& poa);
  void close_objects(PoaCore& poa);
  bool idle(const PoaCore& poa) const;
  void wake_waiting();
  PoaSlot* enter_poa(const KeyParts& key);

  os::PriorityMutex root_mutex_;  // before `mutex`
  std::shared_ptr<PoaCore> root_;
  bool down_ = false;
  AdapterPaths paths_;
  std::vector<std::weak_ptr<ManagerCore>> managers_;
  std::atomic<std::uint32_t> next_manager_{0};
  std::atomic<std::uint32_t> waiting_{0};
  os::PriorityCondition changed_;
};

// An object that somebody is in, for as long as this lives.
class Entered {
 public:
  Entered(ObjectAdapter& adapter, ActiveObject* object) : adapter_(adapter), object_(object) {}
  ~Entered() {
    if (object_) adapter_.leave(*object_);
  }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;
  ActiveObject* operator->() const { return object_; }
  ActiveObject& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  ObjectAdapter& adapter_;
  ActiveObject* const object_;
};

}  // namespace takt::adapter
