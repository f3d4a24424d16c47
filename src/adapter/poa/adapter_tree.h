// The adapters of one ORB: making, finding and destroying them, and their managers.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <takt/adapter/poa.h>
#include <takt/base/changeable.h>

#include "adapter/keys/object_key.h"
#include "adapter/poa/adapter_options.h"
#include "adapter/poa/adapter_paths.h"
#include "adapter/poa/adapters_complete.h"
#include "adapter/poa/object_table.h"
#include "adapter/poa/poa_core.h"
#include "os/threads/priority_mutex.h"
#include "reference/references.h"
#include "server/server.h"

namespace takt::adapter {

// Any thread. Takes the table's mutex by itself.
class AdapterTree {
 public:
  // Both outlive the tree.
  AdapterTree(reference::References& references, server::Server& server);
  ~AdapterTree();
  AdapterTree(const AdapterTree&) = delete;
  AdapterTree& operator=(const AdapterTree&) = delete;

  AdapterOptions options;                 // set before the first request, but for the limits
  AdapterExtension* extension = nullptr;  // likewise; outlives the tree
  reference::References& references;
  server::Server& server;
  const std::uint32_t instance;  // a random number, by which keys of an earlier process are known
  KeyFormat keys;
  ObjectTable table;

  // The root POA, made on first use; null once the ORB has been shut down.
  std::shared_ptr<PoaCore> root();
  // Destroys all adapters. Requests get OBJECT_NOT_EXIST from then on.
  void shut_down(bool wait_for_completion);

  // What is not there from now on is not there: collocated calls need not wait for it, and `when_complete`,
  // set before the first request, is called, perhaps again. Throws what that throws.
  void adapters_complete();
  AdaptersComplete completeness;
  std::function<void()> when_complete;
  // A manager holds its requests no more, because the program said so.
  void manager_released() {
    if (options.complete_when_activated) adapters_complete();
  }

  std::shared_ptr<PoaCore> make_poa(const std::shared_ptr<PoaCore>& parent, const std::string& name,
                                    std::shared_ptr<ManagerCore> manager, const PolicySet& policies);
  // From the leaves up.
  void destroy_poa(PoaCore& poa, bool etherealize, bool wait_for_completion);
  // Asks adapter activators on the way if `activate`; null: there is none.
  std::shared_ptr<PoaCore> find_child(const std::shared_ptr<PoaCore>& parent, const std::string& name,
                                      bool activate);
  std::shared_ptr<ManagerCore> make_manager();
  // Null: there is one of that name already.
  std::shared_ptr<ManagerCore> make_manager(const std::string& id);
  std::vector<std::shared_ptr<ManagerCore>> managers();

  // The adapter that the key names, entered; null if there is none. No lock.
  PoaSlot* enter_poa(const KeyParts& key);
  // The open object that the key leads to, entered: first its adapter, then the object in it; null if there
  // is none. No lock.
  [[gnu::noinline]] ActiveObject* enter_in_layers(const ByteView& key);
  const AdapterPaths& paths() const { return paths_; }

  // Until no upcall is in an adapter of that manager.
  void wait_until_idle(const ManagerCore& manager);
  // Each adapter of the manager loses its objects, etherealized.
  void etherealize_all(const ManagerCore& manager);
  bool in_upcall() const;  // the calling thread, of this ORB
  // BAD_INV_ORDER (OMG minor 3) if the calling thread is in an upcall of this ORB.
  void refuse_in_upcall() const;

  std::shared_ptr<reference::References> orb() const { return references.shared(); }
  // A reference to an object of `poa`; `priority`: its own, or -1.
  CORBA::object_reference<CORBA::Object> reference(const PoaCore& poa, const std::string& repository_id,
                                                   ByteView key, std::int16_t priority) const;

  // With the table's mutex held; what must go without it is put into `released`.
  using Released = std::vector<std::shared_ptr<void>>;
  void finish_if_empty(PoaCore& poa, Released& released);

 private:
  os::PriorityMutex root_mutex_;  // before the table's
  std::shared_ptr<PoaCore> root_;
  bool down_ = false;
  AdapterPaths paths_;
  std::vector<std::weak_ptr<ManagerCore>> managers_;
  std::atomic<std::uint32_t> next_manager_{0};
};

}  // namespace takt::adapter
