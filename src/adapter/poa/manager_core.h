// The implementation of a POAManager.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include <takt/adapter/poa_manager.h>

#include "os/threads/priority_condition.h"
#include "os/threads/priority_mutex.h"

namespace takt::adapter {

class AdapterTree;

// Any thread. Reading the state is one load; only requests that must wait take the lock.
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

}  // namespace takt::adapter
