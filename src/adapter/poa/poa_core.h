// What stands behind a POA.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <takt/adapter/operation_search.h>
#include <takt/adapter/poa.h>

#include "adapter/keys/object_key.h"
#include "adapter/lookup/id_lookup.h"
#include "adapter/objects/active_object.h"
#include "adapter/poa/adapter_paths.h"
#include "adapter/poa/manager_core.h"
#include "adapter/policies/policy_set.h"
#include "os/threads/priority_mutex.h"
#include "os/threads/recursive_priority_mutex.h"

namespace takt::adapter {

class AdapterTree;

// Lives as long as anything refers to it and, in the adapter's table, until it has been destroyed and the
// last request has left it. Fields without a comment of their own are guarded by the table's mutex; what is
// const, any thread reads.
class PoaCore : public std::enable_shared_from_this<PoaCore> {
 public:
  PoaCore(AdapterTree& of_tree, std::shared_ptr<PoaCore> parent_poa, std::string poa_name,
          const PolicySet& policy_set, std::shared_ptr<ManagerCore> poa_manager,
          std::shared_ptr<KnownServants> table);

  AdapterTree& tree;
  const std::shared_ptr<PoaCore> parent;  // null for the root
  const std::string name;
  const std::string path;
  const PolicySet policies;
  const std::shared_ptr<ManagerCore> manager;
  SlotName self;  // in the table; set before anybody else knows the POA
  // What a skeleton does to find an operation.
  const OperationSearch search;
  // Upcalls need nothing but an active manager: no turn to wait for, no extension, no search of its own.
  const bool plain;
  bool admits() const { return plain && manager->active(); }

  const std::shared_ptr<KnownServants> by_table;  // where they are known beforehand; else null

  // Objects. The look-ups have those that have an id of their own; finding there needs no mutex.
  const std::shared_ptr<IdLookup> by_id;  // for requests, as the policy wants it
  // For who activates and deactivates: the same, but where searching for n objects would take n^2
  // comparisons.
  const std::shared_ptr<IdLookup> by_id_for_changes;
  void enlist(ActiveObject& object);
  void strike_off(const ActiveObject& object);
  std::uint32_t first_object = 0xffffffff;
  std::size_t objects = 0;  // open or closing
  void link(ActiveObject& object);
  void unlink(ActiveObject& object);
  // The next id for an object that is not named by a slot. Any thread.
  ObjectId make_id();
  // Whether make_id() or a slot has given this id, as far as can be told.
  bool could_be_own_id(ByteView id) const;

  // The key that references to the object carry. `slot` is where it is active, if it is.
  ObjectId key_of(SlotName slot, ByteView id) const;
  ObjectId key_of(const ActiveObject& object) const;
  ObjectId id_of(const ActiveObject& object) const;
  // The id that a key of this adapter holds; nothing if it is another's.
  std::optional<ObjectId> id_in(ByteView key) const;
  ObjectId id_of(const KeyParts& parts) const;

  std::map<std::string, std::shared_ptr<PoaCore>> children;
  CORBA::object_reference<PortableServer::AdapterActivator> activator;
  // Its slot in the table of default servants, as word_of() has it.
  std::atomic<std::uint64_t> default_servant = word_of(SlotName{});
  CORBA::object_reference<PortableServer::ServantActivator> servant_activator;
  CORBA::object_reference<PortableServer::ServantLocator> servant_locator;
  // One of these two is set, once and for as long as the adapter can be entered: whoever is in it, and sees
  // this, reads them without the mutex.
  std::atomic<bool> has_servant_manager = false;
  bool destroying = false;
  bool etherealizing = true;   // servants that go are told so
  bool left_for_good = false;  // destroyed, and no request in it outside of its objects

  // Locked at the priority of the upcall, which its owner inherits from those that wait.
  os::RecursivePriorityMutex upcalls;          // of a POA that has one upcall at a time
  os::RecursivePriorityMutex servant_manager;  // held while incarnate or etherealize runs

  // The one POA that applications see for it, while one is in use.
  CORBA::object_reference<PortableServer::POA> reference();

 private:
  std::atomic<std::uint64_t> next_id_{1};
  os::PriorityMutex reference_mutex_;
  std::weak_ptr<PortableServer::POA> reference_;
};

}  // namespace takt::adapter
