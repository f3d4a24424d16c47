// Iterators over the bindings of contexts.
#pragma once

#include <takt/adapter/current.h>

#include <chrono>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <takt/adapter/current.h>

#include "CosNamingS.h"
#include "naming/model/tree.h"
#include "naming/model/tree_mutex.h"
#include "naming/store/changes.h"

namespace takt::naming {

// Positions in contexts from which listing continues. Each holds one key, whatever the number of bindings.
// Bindings added or removed behind the position while it is open may or may not be listed. Thread-safe.
class Cursors {
 public:
  using Clock = std::chrono::steady_clock;

  Cursors(const Tree& tree, TreeMutex& mutex, const Limits& limits)
      : tree_(tree), tree_mutex_(mutex), limits_(limits) {}

  // Lists up to `count` bindings after the key `after`, and sets `after` to the key of the last one; empty:
  // from the start. Returns whether there are more.
  bool list(ContextId context, std::size_t count, std::string& after, CosNaming::BindingList& list) const;

  // Returns the cursor's id, which cannot be guessed.
  std::string open(ContextId context, std::string after, Clock::time_point now);
  // The next bindings; none if there is no such cursor or it was unused for too long.
  std::optional<CosNaming::BindingList> next(const std::string& id, std::size_t count, Clock::time_point now);
  bool close(const std::string& id);
  std::size_t size() const;

 private:
  struct Cursor {
    std::string id;
    ContextId context;
    std::string after;
    Clock::time_point used;
  };
  using Places = std::list<Cursor>;  // ordered by last use, oldest first

  void drop_idle(Clock::time_point now);

  const Tree& tree_;
  TreeMutex& tree_mutex_;
  const Limits limits_;
  mutable std::mutex mutex_;
  Places places_;
  std::unordered_map<std::string, Places::iterator> by_id_;
};

// One servant for all iterators; the object id is the cursor's id.
class IteratorServant final : public virtual CORBA::servant_traits<CosNaming::BindingIterator>::base_type {
 public:
  IteratorServant(Cursors& cursors, Changes& changes,
                  CORBA::object_reference<PortableServer::Current> current, const Limits& limits)
      : cursors_(cursors), changes_(changes), current_(std::move(current)), limits_(limits) {}

  bool next_one(CosNaming::Binding& binding) override;
  bool next_n(std::uint32_t how_many, CosNaming::BindingList& list) override;
  void destroy() override;

 private:
  CosNaming::BindingList next(std::size_t count);
  std::string id() const;

  Cursors& cursors_;
  Changes& changes_;
  const CORBA::object_reference<PortableServer::Current> current_;
  const Limits limits_;
};

}  // namespace takt::naming
