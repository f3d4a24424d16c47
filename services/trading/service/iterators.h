// The rest of long lists, which clients fetch piece by piece.
#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <takt/adapter/current.h>

#include "CosTradingS.h"
#include "octets/random.h"
#include "trading/service/parts.h"
#include "trading/service/results.h"

namespace takt::trading {

// Elements that are left, by the id of their iterator. Thread-safe.
template <class Element, class Extra>
class Iterators {
 public:
  using Clock = std::chrono::steady_clock;
  // Elements that the client of one iterator has not fetched yet. Thread-safe.
  class Held {
   public:
    Held(std::vector<Element> from, Extra with)
        : extra(std::move(with)), weight(total_of(from)), elements_(std::move(from)) {}

    std::size_t left() const {
      const std::lock_guard lock(mutex_);
      return elements_.size() - next_;
    }
    // The next element; nothing at the end.
    std::optional<Element> take() {
      const std::lock_guard lock(mutex_);
      if (next_ == elements_.size()) return std::nullopt;
      return std::move(elements_[next_++]);
    }
    // Makes an element that was taken the next one.
    void give_back(Element element) {
      const std::lock_guard lock(mutex_);
      elements_[--next_] = std::move(element);
    }

    const Extra extra;
    const std::size_t weight;  // total of all elements, also of those that were taken

   private:
    static std::size_t total_of(const std::vector<Element>& elements) {
      std::size_t total = 0;
      for (const Element& each : elements) total += weight_of(each);
      return total;
    }

    mutable std::mutex mutex_;
    std::vector<Element> elements_;
    std::size_t next_ = 0;
  };
  using HeldPtr = std::shared_ptr<Held>;

  explicit Iterators(const Limits& limits) : limits_(limits) {}

  // Returns the iterator's id. The iterators that were unused for the longest time make room for it.
  std::string open(std::vector<Element> elements, Extra extra, Clock::time_point now) {
    auto held = std::make_shared<Held>(std::move(elements), std::move(extra));
    const std::lock_guard lock(mutex_);
    drop_idle(now);
    held_weight_ += held->weight;
    while (!entries_.empty() && (entries_.size() >= limits_.iterators || held_weight_ > limits_.held_offers))
      drop(entries_.begin());
    std::string id = octets::random_id();
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

  std::uint32_t max_left() override { return static_cast<std::uint32_t>(existing()->left()); }
  void destroy() override {
    if (!kept_.close(id())) throw_gone();
  }

 protected:
  // Passes the next elements to `show`, until that returns false because one does not fit into the list.
  // Holds no lock meanwhile. Returns whether there are more.
  template <class Show>
  bool next(std::uint32_t n, const Show& show) {
    const auto held = existing();
    ListSpace space(parts_, n);
    while (space.has_room()) {
      auto element = held->take();
      if (!element) break;
      if (show(*element, held->extra, space)) continue;
      held->give_back(std::move(*element));
      break;
    }
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
