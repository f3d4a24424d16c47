// The rest of long lists, which clients fetch piece by piece.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <takt/adapter/current.h>

#include "CosTradingS.h"
#include "trading/service/parts.h"
#include "trading/service/results.h"

namespace takt::trading {

// 16 octets that cannot be guessed.
std::string random_id();

// Elements that are left, by the id of their iterator. Thread-safe.
template <class Element, class Extra>
class Iterators {
 public:
  using Clock = std::chrono::steady_clock;
  struct Held {
    std::mutex mutex;  // for the members below
    Extra extra;
    std::vector<Element> elements;
    std::size_t next = 0;
    std::size_t weight = 0;  // total of all elements; never changes

    std::size_t left() const { return elements.size() - next; }
  };
  using HeldPtr = std::shared_ptr<Held>;

  explicit Iterators(const Limits& limits) : limits_(limits) {}

  // Returns the iterator's id. The iterators that were unused for the longest time make room for it.
  std::string open(std::vector<Element> elements, Extra extra, Clock::time_point now) {
    auto held = std::make_shared<Held>();
    for (const Element& each : elements) held->weight += weight_of(each);
    held->elements = std::move(elements);
    held->extra = std::move(extra);
    const std::lock_guard lock(mutex_);
    drop_idle(now);
    held_weight_ += held->weight;
    while (!entries_.empty() && (entries_.size() >= limits_.iterators || held_weight_ > limits_.held_offers))
      drop(entries_.begin());
    std::string id = random_id();
    entries_.push_back({id, std::move(held), now});
    by_id_.emplace(id, std::prev(entries_.end()));
    return id;
  }
  // Null if it was closed, or was unused for too long.
  HeldPtr find(const std::string& id, Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    drop_idle(now);
    const auto found = by_id_.find(id);
    if (found == by_id_.end()) return nullptr;
    found->second->used = now;
    entries_.splice(entries_.end(), entries_, found->second);
    return found->second->held;
  }
  bool close(const std::string& id) {
    const std::lock_guard lock(mutex_);
    const auto found = by_id_.find(id);
    if (found == by_id_.end()) return false;
    drop(found->second);
    return true;
  }
  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return entries_.size();
  }

 private:
  struct Entry {
    std::string id;
    HeldPtr held;
    Clock::time_point used;
  };
  using Entries = std::list<Entry>;  // by last use, oldest first

  void drop_idle(Clock::time_point now) {
    while (!entries_.empty() && now - entries_.front().used > limits_.iterator_idle) drop(entries_.begin());
  }
  void drop(typename Entries::iterator entry) {
    held_weight_ -= entry->held->weight;
    by_id_.erase(entry->id);
    entries_.erase(entry);
  }

  const Limits limits_;
  mutable std::mutex mutex_;
  Entries entries_;
  std::size_t held_weight_ = 0;
  std::unordered_map<std::string, typename Entries::iterator> by_id_;
};

struct NoExtra {};
using OfferIterators = Iterators<Result, Desired>;
using IdIterators = Iterators<OfferNumber, NoExtra>;

// One servant for all iterators of a kind; the object id is the iterator's id.
template <class Interface, class Kept>
class IteratorServant : public virtual CORBA::servant_traits<Interface>::base_type {
 public:
  IteratorServant(Parts& parts, Kept& kept, CORBA::object_reference<PortableServer::Current> current)
      : parts_(parts), kept_(kept), current_(std::move(current)) {}

  std::uint32_t max_left() override {
    const auto held = existing();
    const std::lock_guard lock(held->mutex);
    return static_cast<std::uint32_t>(held->left());
  }
  void destroy() override {
    if (!kept_.close(id())) throw_gone();
  }

 protected:
  // Passes each of the next elements to `show`. Returns whether there are more behind them.
  template <class Show>
  bool next(std::uint32_t n, const Show& show) {
    const auto held = existing();
    const std::lock_guard lock(held->mutex);
    const std::size_t count =
        std::min<std::size_t>({n, held->left(), parts_.settings.get()[Setting::max_list]});
    for (std::size_t i = 0; i < count; ++i) show(held->elements[held->next + i], held->extra);
    held->next += count;
    return held->left() > 0;
  }

  Parts& parts_;

 private:
  [[noreturn]] static void throw_gone() {
    throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the iterator was destroyed, or has expired");
  }
  std::string id() const {
    const PortableServer::ObjectId id = current_->get_object_id();
    return {id.begin(), id.end()};
  }
  typename Kept::HeldPtr existing() const {
    auto held = kept_.find(id(), Kept::Clock::now());
    if (!held) throw_gone();
    return held;
  }

  Kept& kept_;
  const CORBA::object_reference<PortableServer::Current> current_;
};

class OfferIteratorServant final : public IteratorServant<CosTrading::OfferIterator, OfferIterators> {
 public:
  using IteratorServant::IteratorServant;
  bool next_n(std::uint32_t n, CosTrading::OfferSeq& offers) override;
};

class IdIteratorServant final : public IteratorServant<CosTrading::OfferIdIterator, IdIterators> {
 public:
  using IteratorServant::IteratorServant;
  bool next_n(std::uint32_t n, CosTrading::OfferIdSeq& ids) override;
};

// Makes the iterators in which lists of offers or ids continue.
template <class Interface, class Kept>
class IteratorFactory {
 public:
  IteratorFactory(const Limits& limits, CORBA::object_reference<PortableServer::POA> adapter)
      : kept_(limits), adapter_(std::move(adapter)) {}

  // At the start. The servant calls kept().
  void serve_with(CORBA::servant_reference<PortableServer::Servant> servant) {
    adapter_->set_servant(std::move(servant));
  }
  Kept& kept() { return kept_; }
  const Kept& kept() const { return kept_; }
  template <class Element, class Extra>
  CORBA::object_reference<Interface> make(std::vector<Element> rest, Extra extra) {
    const std::string id = kept_.open(std::move(rest), std::move(extra), Kept::Clock::now());
    return IDL::traits<Interface>::unchecked_narrow(
        adapter_->create_reference_with_id({id.begin(), id.end()}, Interface::_interface_repository_id()));
  }

 private:
  Kept kept_;
  const CORBA::object_reference<PortableServer::POA> adapter_;
};
using OfferIteratorFactory = IteratorFactory<CosTrading::OfferIterator, OfferIterators>;
using IdIteratorFactory = IteratorFactory<CosTrading::OfferIdIterator, IdIterators>;

}  // namespace takt::trading
