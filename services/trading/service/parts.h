// The objects that the servants of one trader share.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

#include <takt/corba.h>

#include "CosTradingReposC.h"
#include "naming/model/tree_mutex.h"
#include "octets/random.h"
#include "sqlite/journal.h"
#include "trading/model/limits.h"
#include "trading/model/settings.h"
#include "trading/model/types.h"
#include "trading/query/dynamic_values.h"
#include "trading/query/search.h"
#include "trading/service/links.h"
#include "trading/service/remote_types.h"
#include "trading/service/request_ids.h"
#include "trading/store/octets.h"
#include "trading/store/store.h"

namespace takt::trading {

using Journal = sqlite::Journal<Store, Change>;
using ObjectRef = CORBA::object_reference<CORBA::Object>;

// The trader's own objects; nil: it does not have that one.
struct References {
  CORBA::object_reference<CosTrading::Lookup> lookup;
  CORBA::object_reference<CosTrading::Register> registry;
  CORBA::object_reference<CosTrading::Link> link;
  CORBA::object_reference<CosTrading::Proxy> proxy;
  CORBA::object_reference<CosTrading::Admin> admin;
  CORBA::object_reference<TypeRepository> types;
};

struct Counts {
  std::atomic<std::uint64_t> queries{0}, indexed{0}, looked_at{0}, exports{0}, withdrawals{0},
      link_queries{0}, link_failures{0}, loops{0};
  DynamicCounts dynamic;
};

// The types of a trader with their lock, which is held for short times only.
class SharedTypes {
 public:
  TypePtr find(const std::string& name) const {
    const std::shared_lock lock(mutex_);
    return book_.find(name);
  }
  // Runs `action` on the TypeBook with the lock.
  template <class Action>
  auto look(const Action& action) const {
    const std::shared_lock lock(mutex_);
    return action(book_);
  }
  template <class Action>
  void change(const Action& action) {
    const std::unique_lock lock(mutex_);
    action(book_);
  }

 private:
  TypeBook book_;
  mutable naming::TreeMutex mutex_;
};

// The repository of another process that is used instead of the trader's own, if there is one.
class UsedTypes {
 public:
  // Null: the trader's own.
  std::shared_ptr<RemoteTypes> remote() const {
    const std::lock_guard lock(mutex_);
    return remote_;
  }
  void set(std::shared_ptr<RemoteTypes> remote) {
    const std::lock_guard lock(mutex_);
    remote_.swap(remote);
  }

 private:
  std::shared_ptr<RemoteTypes> remote_;
  mutable std::mutex mutex_;
};

class SharedSettings {
 public:
  explicit SharedSettings(const Limits& limits) : settings_(limits) {}
  Settings get() const {
    const std::lock_guard lock(mutex_);
    return settings_;
  }
  template <class Action>
  void change(const Action& action) {
    const std::lock_guard lock(mutex_);
    action(settings_);
  }

 private:
  Settings settings_;
  mutable std::mutex mutex_;
};

// Locks are taken in the order of the members. `gate` and `offer_locks` are held while the disk is written;
// none is held during calls to other objects. It is large because it is all that the servants share.
struct Parts {
  Parts(CORBA::ORB& of_orb, const Limits& with, std::unique_ptr<Journal> writes_to)
      : orb(of_orb),
        limits(with),
        journal(std::move(writes_to)),
        settings(with),
        offers(with),
        query_memory(with.query_bytes),
        request_ids(with.request_ids) {}

  CORBA::ORB& orb;
  const Limits limits;
  const std::unique_ptr<Journal> journal;
  References references;
  CORBA::Any keeps_environment;  // holds a reference, so that its environment stays

  naming::TreeMutex gate;                    // shared: offers change; exclusive: types change
  std::array<std::mutex, 64> offer_locks;    // by an offer's number: one change of an offer at a time
  std::mutex settings_change, links_change;  // one change at a time
  SharedTypes types;                         // the types of the trader's own repository
  UsedTypes used_types;
  SharedSettings settings;
  SharedOffers offers;
  SharedLinks links;
  MemoryBudget query_memory;
  RequestIds request_ids;
  const std::string process_id =
      octets::random_id();  // in ids of queries, because a stem outlives the process
  std::atomic<std::uint64_t> last_request{0};
  Counts counts;

  // The repository that the trader uses.
  ObjectRef type_repository() const {
    const auto remote = used_types.remote();
    return remote ? remote->reference() : ObjectRef(references.types);
  }
  cdr::Environment* environment() const { return keeps_environment._environment(); }
  std::mutex& lock_of(OfferNumber number) { return offer_locks[number % offer_locks.size()]; }
  OfferPtr offer(OfferNumber number) const {
    const std::shared_lock lock(offers.mutex);
    return offers.book.find(number);
  }
  // The types that offers and proxies have.
  std::vector<std::string> offered_types() const {
    const std::shared_lock lock(offers.mutex);
    return offers.book.types();
  }
  DynamicValues::Clock::time_point query_end() const {
    return DynamicValues::Clock::now() + limits.query_time;
  }
};

// Nil for octets that are no reference.
inline ObjectRef object_in(const Parts& parts, const std::string& octets) {
  ObjectRef object;
  return read_octets(octets, object, parts.environment()) ? object : ObjectRef();
}

}  // namespace takt::trading
