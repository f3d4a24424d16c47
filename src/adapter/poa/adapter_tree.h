// The adapters of an ORB and their managers: creation, look-up and destruction.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <takt/adapter/poa.h>

#include "adapter/poa/adapter_options.h"
#include "adapter/poa/adapter_paths.h"
#include "adapter/poa/adapters_complete.h"
#include "adapter/poa/object_table.h"
#include "adapter/poa/poa_core.h"
#include "adapter/poa/upcall_observer.h"
#include "adapter/policies/adapter_watcher.h"
#include "lookup/keys/object_key.h"
#include "reference/references.h"
#include "server/server.h"
#include "threads/locks/priority_mutex.h"

namespace takt::adapter {

// Any thread. Locks the table's mutex itself. It is large because what all adapters of the ORB share is here.
class AdapterTree {
 public:
  // Both must outlive the tree.
  AdapterTree(reference::References& references, server::Server& server);
  ~AdapterTree();
  AdapterTree(const AdapterTree&) = delete;
  AdapterTree& operator=(const AdapterTree&) = delete;

  AdapterOptions options;                 // set before the first request, except what is LiveSetting
  AdapterExtension* extension = nullptr;  // set before the first request; must outlive the tree
  AdapterWatcher* watcher = nullptr;      // may be null; changed only while the ORB begins or ends
  bool observed = false;  // requests may have an UpcallObserver; holds for adapters made later
  reference::References& references;
  server::Server& server;
  // The object that describes the interface with a repository id; empty if there is no reflection. Set before
  // the first request. May throw INTF_REPOS.
  std::function<CORBA::object_reference<CORBA::Object>(const std::string& id)> interface_def;
  const std::uint32_t instance;  // a random number that distinguishes keys of other processes
  KeyFormat keys;
  ObjectTable table;

  // The root POA, created on first use; null after the ORB's shutdown. Throws BAD_INV_ORDER inside
  // AdapterWatcher::begin() for the root.
  std::shared_ptr<PoaCore> root();
  // Destroys all adapters. Requests get OBJECT_NOT_EXIST from then on.
  void shut_down(bool wait_for_completion);

  // Declares that the program has created its adapters, so missing ones do not exist and local calls need not
  // wait for them. Calls `when_complete`, which is set before the first request and may be called again.
  // Passes on its exceptions.
  void adapters_complete();
  AdaptersComplete completeness;
  std::function<void()> when_complete;
  // Call when the program has made a manager stop holding.
  void manager_released() {
    if (options.complete_when_activated) adapters_complete();
  }

  std::shared_ptr<PoaCore> make_poa(const std::shared_ptr<PoaCore>& parent, const std::string& name,
                                    std::shared_ptr<ManagerCore> manager, const PolicySet& policies);
  // Destroys the POA, its children first.
  void destroy_poa(PoaCore& poa, bool etherealize, bool wait_for_completion);
  // Null if there is no such child. If `activate`, asks the parent's adapter activator for it; waits
  // meanwhile if another thread asks already, or if the child is being destroyed. Throws TRANSIENT after
  // -ORBHoldTimeout.
  std::shared_ptr<PoaCore> find_child(const std::shared_ptr<PoaCore>& parent, const std::string& name,
                                      bool activate);
  // The adapter with that path, for a request: asks activators, once the managers of their adapters admit
  // requests. Null if there is none. Throws as ManagerCore::wait_for_admission() and find_child() do.
  std::shared_ptr<PoaCore> activate_path(ByteView path);
  // Whether there is an adapter with that path, or an activator that may make it. Takes the table's mutex.
  bool may_have(ByteView path);
  // Takes the table's mutex.
  bool has_activator(const PoaCore& poa);
  // Returns when no activator that another thread has asked prepares the adapter. Throws TRANSIENT after
  // -ORBHoldTimeout.
  void wait_until_prepared(const PoaCore& poa);
  std::shared_ptr<ManagerCore> make_manager();
  // Null if the name is taken.
  std::shared_ptr<ManagerCore> make_manager(const std::string& id);
  std::vector<std::shared_ptr<ManagerCore>> managers();

  // Enters the adapter that the key names; null if there is none. Takes no lock.
  PoaSlot* enter_poa(const KeyParts& key);
  // Enters the open object of the key: finds the adapter first, then the object in it. Null if there is none.
  // Takes no lock.
  [[gnu::noinline]] ActiveObject* enter_in_layers(const ByteView& key);
  const AdapterPaths& paths() const { return paths_; }

  // Waits until the manager's adapters have no upcalls.
  void wait_until_idle(const ManagerCore& manager);
  // Etherealizes the objects of all adapters of the manager.
  void etherealize_all(const ManagerCore& manager);
  // After shut_down(), waits until no call of this process is in an adapter. False: the deadline has passed.
  bool wait_until_gone(std::chrono::steady_clock::time_point deadline);
  // Whether the calling thread is in an upcall of this ORB, consults a servant manager or adapter activator
  // of it, or makes its root.
  bool in_upcall() const;
  // Throws BAD_INV_ORDER (OMG minor 3) in these cases.
  void refuse_in_upcall() const;
  // Both of them also for the points of a request, which are outside of its upcall.
  bool in_request() const { return in_upcall() || UpcallObserver::any_serves(*this); }
  void refuse_in_request() const;
  // During its lifetime the calling thread is in a servant manager or adapter activator of the tree.
  class Consulting {
   public:
    enum class Lock : std::uint8_t { none, servant_manager };  // held meanwhile, of one of the adapters
    explicit Consulting(const AdapterTree& tree, Lock lock = Lock::none)
        : tree_(tree), lock_(lock), outer_(innermost_) {
      innermost_ = this;
    }
    ~Consulting() { innermost_ = outer_; }
    Consulting(const Consulting&) = delete;
    Consulting& operator=(const Consulting&) = delete;
    static bool in(const AdapterTree& tree);
    // In one that holds the lock, for which an etherealization may wait.
    static bool locks(const AdapterTree& tree);

   private:
    const AdapterTree& tree_;
    const Lock lock_;
    const Consulting* const outer_;
    const UpcallObserver::Aside aside_;
    static inline thread_local constinit const Consulting* innermost_ = nullptr;
  };

  std::shared_ptr<reference::References> orb() const { return references.shared(); }
  // A reference to an object of `poa`. `priority`: the object's own, or -1.
  CORBA::object_reference<CORBA::Object> reference(const PoaCore& poa, const std::string& repository_id,
                                                   ByteView key, std::int16_t priority) const;

  // Adapters that are gone. Its destructor, which must run without the table's mutex, destroys what goes with
  // them.
  class Released {
   public:
    Released() = default;
    ~Released();
    Released(const Released&) = delete;
    Released& operator=(const Released&) = delete;
    void add(std::shared_ptr<PoaCore> poa);

   private:
    std::shared_ptr<PoaCore> first_;  // a list
  };
  // The table's mutex must be held. Does not allocate.
  void finish_if_empty(PoaCore& poa, Released& released);

 private:
  os::PriorityMutex root_mutex_;  // locked before table.mutex
  std::shared_ptr<PoaCore> root_;
  bool down_ = false;
  std::atomic<std::thread::id> root_maker_{};  // the thread that makes the root, which holds root_mutex_
  // Throws if the parent cannot have such a child. The table's mutex must be held.
  void require_new_child(const PoaCore* parent, const std::string& name) const;
  std::shared_ptr<PoaCore> remaining_child(const PoaCore& poa);
  // `lock` holds the table's mutex.
  void wait_for_child(std::unique_lock<os::PriorityMutex>& lock, const PoaCore& parent,
                      const std::string& name);
  AdapterPaths paths_;
  std::vector<std::weak_ptr<ManagerCore>> managers_;
  std::atomic<std::uint32_t> next_manager_{0};
};

}  // namespace takt::adapter
