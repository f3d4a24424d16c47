// Iterators over the bindings of contexts.
#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "CosNamingS.h"
#include "naming/model/tree.h"
#include "naming/model/tree_mutex.h"

namespace takt::naming {

// Places in contexts, behind which bindings are still to be listed: a key each, however many bindings there
// are. What is bound or unbound meanwhile behind the place is, or is not, listed. Any thread.
class Cursors {
 public:
  using Clock = std::chrono::steady_clock;

  Cursors(const Tree& tree, TreeMutex& mutex, const Limits& limits)
      : tree_(tree), tree_mutex_(mutex), limits_(limits) {}

  // Up to that many bindings of the context behind `after`, which becomes the last one's key, and whether
  // there are more. An empty `after` is before all.
  bool list(ContextId context, std::size_t count, std::string& after, CosNaming::BindingList& list) const;

  // Its id, which cannot be guessed.
  std::string open(ContextId context, std::string after, Clock::time_point now);
  // The next ones; nothing if there is no such cursor, or it was unused for too long.
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
  using Places = std::list<Cursor>;  // that which was unused longest is the first

  void drop_idle(Clock::time_point now);

  const Tree& tree_;
  TreeMutex& tree_mutex_;
  const Limits limits_;
  mutable std::mutex mutex_;
  Places places_;
  std::unordered_map<std::string, Places::iterator> by_id_;
};

// One servant for all iterators: the object's id is the cursor's.
class IteratorServant final : public virtual CORBA::servant_traits<CosNaming::BindingIterator>::base_type {
 public:
  IteratorServant(Cursors& cursors, CORBA::object_reference<PortableServer::Current> current,
                  const Limits& limits)
      : cursors_(cursors), current_(std::move(current)), limits_(limits) {}

  bool next_one(CosNaming::Binding& binding) override;
  bool next_n(std::uint32_t how_many, CosNaming::BindingList& list) override;
  void destroy() override;

 private:
  CosNaming::BindingList next(std::size_t count);
  std::string id() const;

  Cursors& cursors_;
  const CORBA::object_reference<PortableServer::Current> current_;
  const Limits limits_;
};

}  // namespace takt::naming
