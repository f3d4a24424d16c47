// The implementation of a POA, and of the manager that admits its requests.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <takt/adapter/operation_search.h>
#include <takt/adapter/poa.h>
#include <takt/adapter/poa_manager.h>

#include "adapter/objects/active_object.h"
#include "adapter/poa/adapter_paths.h"
#include "adapter/policies/policy_set.h"
#include "lookup/id_lookup.h"
#include "lookup/keys/object_key.h"
#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"
#include "threads/locks/recursive_priority_mutex.h"

namespace takt::adapter {

class AdapterTree;
class PoaCore;

// The implementation of a POAManager. Any thread. Reading the state is one load; only requests that must wait
// take the lock.
class ManagerCore {
 public:
  using State = PortableServer::POAManager::State;

  ManagerCore(AdapterTree& tree, std::string id) : tree_(tree), id_(std::move(id)) {}

  // Unique in the process.
  std::int32_t number() const { return number_; }

  bool active() const { return state_.load() == State::ACTIVE; }
  State state() const { return state_.load(); }
  const std::atomic<State>& state_word() const { return state_; }
  const std::string& id() const { return id_; }
  AdapterTree& tree() const { return tree_; }

  // False if the manager is inactive, which is final.
  bool change(State to);
  // Returns when requests may proceed. Else throws the exception for the caller: TRANSIENT (held too long,
  // too many held, or discarding) or OBJ_ADAPTER (inactive).
  void wait_for_admission();

  // The POAManager that applications see. There is at most one at a time.
  CORBA::object_reference<PortableServer::POAManager> reference(const std::shared_ptr<ManagerCore>& self);

 private:
  AdapterTree& tree_;
  const std::string id_;
  static inline std::atomic<std::int32_t> next_number_{1};
  const std::int32_t number_ = next_number_.fetch_add(1, std::memory_order_relaxed);
  std::atomic<State> state_{State::HOLDING};
  os::PriorityMutex mutex_;
  os::PriorityCondition changed_;
  std::size_t held_ = 0;
  std::weak_ptr<PortableServer::POAManager> reference_;
};

// An adapter that an activator makes, while unknown_adapter() runs. The table's mutex guards it.
struct AdapterActivation {
  const std::thread::id thread = std::this_thread::get_id();  // which runs unknown_adapter()
  std::vector<std::shared_ptr<PoaCore>> made = {};            // the adapter and its descendants
};

// Lives as long as it is referenced and, in the table, until it has been destroyed and the last request has
// left it. The table's mutex guards fields without a comment; const fields may be read in any thread. It is
// large because the policies of the adapter are constant members, which requests read without a search.
class PoaCore : public std::enable_shared_from_this<PoaCore> {
 public:
  PoaCore(AdapterTree& of_tree, std::shared_ptr<PoaCore> parent_poa, std::string poa_name,
          const PolicySet& policy_set, std::shared_ptr<ManagerCore> poa_manager,
          std::shared_ptr<KnownServants> table);

  AdapterTree& tree;
  const std::shared_ptr<PoaCore> parent;  // null for the root POA
  const std::string name;
  const std::string path;
  const PolicySet policies;
  const std::shared_ptr<ManagerCore> manager;
  SlotName self;                        // in the table; set before the POA is shared
  std::shared_ptr<const void> watched;  // the AdapterWatcher's; set before the POA is shared
  // How skeletons find an operation.
  const OperationSearch search;
  // Whether upcalls need only an active manager: no serialisation, extension, or other operation search.
  const bool plain;
  // Whether a request may take the usual path.
  bool admits() const {
    return admission_.load(std::memory_order_acquire)->load() == ManagerCore::State::ACTIVE;
  }
  // The same for requests with an UpcallObserver.
  bool takes_observed() const { return plain && active(); }
  // Whether the calling thread's requests may begin. They may while it prepares the adapter itself.
  bool active() const { return manager->active() && !prepared_elsewhere(); }
  // Whether an adapter activator that another thread has asked is still making the adapter.
  bool prepared_elsewhere() const {
    return in_preparation_.load(std::memory_order_acquire) && preparer_ != std::this_thread::get_id();
  }
  // Call before the adapter is shared; end_preparation() once.
  void begin_preparation(AdapterActivation& by);
  void end_preparation();

  const std::shared_ptr<KnownServants> by_table;  // a perfect table of its servants; else null

  // Objects. The look-ups contain those with an id of their own; searching them needs no mutex.
  const std::shared_ptr<IdLookup> by_id;  // for requests, by the look-up policy
  // For activation and deactivation: by_id or, if that is linear, a look-up that avoids quadratic cost.
  const std::shared_ptr<IdLookup> by_id_for_changes;
  void enlist(ActiveObject& object);
  void remove_from_lookups(const ActiveObject& object);
  std::uint32_t first_object = 0xffffffff;
  std::size_t objects = 0;  // open or closing
  void link(ActiveObject& object);
  void unlink(ActiveObject& object);
  // The next id for an object that is not named by its slot. Any thread.
  ObjectId make_id();
  // Whether this id may come from make_id() or a slot, as far as one can tell.
  bool could_be_own_id(ByteView id) const;

  // The key for references to the object. `slot` is its slot if it is active.
  ObjectId key_of(SlotName slot, ByteView id) const;
  ObjectId key_of(const ActiveObject& object) const;
  ObjectId id_of(const ActiveObject& object) const;
  // The id in a key of this adapter; nullopt if the key is another adapter's.
  std::optional<ObjectId> id_in(ByteView key) const;
  ObjectId id_of(const KeyParts& parts) const;

  std::map<std::string, std::shared_ptr<PoaCore>> children;
  // The children that the activator is making, and the activation to which the adapter itself belongs.
  std::map<std::string, AdapterActivation*> activations;
  AdapterActivation* activation = nullptr;
  CORBA::object_reference<PortableServer::AdapterActivator> activator;
  // The adapter's slot in the table of default servants, as a word_of().
  std::atomic<std::uint64_t> default_servant = word_of(SlotName{});
  CORBA::object_reference<PortableServer::ServantActivator> servant_activator;
  CORBA::object_reference<PortableServer::ServantLocator> servant_locator;
  // One of the two managers was set. They are set only once, so a thread that has entered the adapter and
  // reads true may use them without the mutex.
  std::atomic<bool> has_servant_manager = false;
  // Throws OBJECT_NOT_EXIST once the adapter is gone.
  void require_present() const;
  // The last parts of an adapter that is gone; set under the mutex, and destroyed without it.
  struct Ended {
    CORBA::object_reference<PortableServer::AdapterActivator> activator = {};
    CORBA::object_reference<PortableServer::ServantActivator> servant_activator = {};
    CORBA::object_reference<PortableServer::ServantLocator> servant_locator = {};
    SlotName default_servant = {};
    std::shared_ptr<PoaCore> next = {};  // another adapter that is gone
  };
  Ended ended;
  std::atomic<bool> destroying = false;  // written under the mutex; read by any thread
  bool etherealizing = true;             // etherealize released servants
  bool left_for_good = false;            // destroyed, and no request is in it outside of its objects
  // Destroyed, and all its objects are gone. Set once, under the mutex; read by any thread.
  std::atomic<bool> gone = false;

  // Whether objects are etherealized only by a thread that has the turn.
  bool etherealizes_in_turn() const {
    return policies.serialized() && has_servant_manager.load(std::memory_order_relaxed);
  }
  // Objects whose last request has left, and that the thread with the turn is to etherealize. Call with the
  // table's mutex, but for leaves_to_turn(). Only the first may throw: it makes room for one more object.
  void reserve_for_turn();
  void leave_to_turn(const ActiveObject& object);
  std::uint32_t take_left_to_turn();  // none: there is none
  bool leaves_to_turn() const { return leaves_to_turn_.load(); }

  // Locked at the upcall's priority; the owner inherits the priority of waiting threads.
  os::RecursivePriorityMutex upcalls;          // for a POA with serialised upcalls
  os::RecursivePriorityMutex servant_manager;  // held while incarnate or etherealize runs

  // The POA that applications see. There is at most one at a time.
  CORBA::object_reference<PortableServer::POA> reference();

 private:
  const bool unobserved_;  // plain, and no request of the ORB has an UpcallObserver
  std::atomic<bool> in_preparation_ = false;
  std::thread::id preparer_;  // set before the adapter is shared
  std::atomic<std::uint64_t> next_id_{1};
  os::PriorityMutex reference_mutex_;
  std::weak_ptr<PortableServer::POA> reference_;
  std::vector<std::uint32_t> left_to_turn_;  // indices
  std::atomic<bool> leaves_to_turn_ = false;
  // The manager's state. While requests may not take the usual path, one that is never ACTIVE.
  std::atomic<const std::atomic<ManagerCore::State>*> admission_;
};

}  // namespace takt::adapter
