// Iterators over the rest of long lists of properties.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

#include "CosPropertyServiceS.h"
#include "streams/service/activation.h"

namespace takt::streams {

// A copy of the list: changes of the properties do not change it. Thread-safe.
template <class Interface, class Element>
class PropertyIteratorServant final : public virtual CORBA::servant_traits<Interface>::base_type {
 public:
  PropertyIteratorServant(std::vector<Element> elements, Ref<PortableServer::POA> adapter)
      : elements_(std::move(elements)), adapter_(std::move(adapter)) {}

  void set_reference(ObjectRef own) { own_ = std::move(own); }

  void reset() override {
    const std::lock_guard lock(mutex_);
    next_ = 0;
  }
  // False, without an element, at the end.
  bool next_one(Element& element) override {
    const std::lock_guard lock(mutex_);
    if (next_ == elements_.size()) return false;
    element = elements_[next_++];
    return true;
  }
  // False if there is none.
  bool next_n(std::uint32_t how_many, std::vector<Element>& some) override {
    const std::lock_guard lock(mutex_);
    const std::size_t count = std::min<std::size_t>(how_many, elements_.size() - next_);
    const auto begin = elements_.begin() + static_cast<std::ptrdiff_t>(next_);
    some.assign(begin, begin + static_cast<std::ptrdiff_t>(count));
    next_ += count;
    return count != 0;
  }
  void destroy() override { deactivate(*adapter_, own_); }

 private:
  const std::vector<Element> elements_;
  const Ref<PortableServer::POA> adapter_;
  ObjectRef own_;
  std::mutex mutex_;
  std::size_t next_ = 0;
};

// The iterators of one object, which end with it. A new one beyond `most` ends the oldest. Thread-safe.
class PropertyIterators {
 public:
  PropertyIterators(Ref<PortableServer::POA> adapter, std::size_t most)
      : adapter_(std::move(adapter)), most_(most) {}
  PropertyIterators(const PropertyIterators&) = delete;
  PropertyIterators& operator=(const PropertyIterators&) = delete;
  ~PropertyIterators() {
    for (const ObjectRef& each : all_) end(each);
  }

  // Leaves the first `how_many` elements in the list. Nil if there are no more.
  template <class Interface, class Element>
  Ref<Interface> cut(std::vector<Element>& elements, std::uint32_t how_many) {
    if (elements.size() <= how_many) return nullptr;
    const auto rest = elements.begin() + static_cast<std::ptrdiff_t>(how_many);
    const auto servant = CORBA::make_reference<PropertyIteratorServant<Interface, Element>>(
        std::vector<Element>(rest, elements.end()), adapter_);
    elements.erase(rest, elements.end());
    const auto made = activated<Interface>(*adapter_, servant);
    servant->set_reference(made);
    keep(made);
    return made;
  }

 private:
  void keep(const ObjectRef& made) {
    ObjectRef oldest;
    {
      const std::lock_guard lock(mutex_);
      all_.push_back(made);
      if (all_.size() <= most_) return;
      oldest = all_.front();
      all_.pop_front();
    }
    end(oldest);
  }
  void end(const ObjectRef& iterator) {
    try {
      deactivate(*adapter_, iterator);
    } catch (const CORBA::SystemException&) {  // NOLINT(bugprone-empty-catch): the adapter has ended
    }
  }

  const Ref<PortableServer::POA> adapter_;
  const std::size_t most_;
  std::mutex mutex_;
  std::deque<ObjectRef> all_;
};

}  // namespace takt::streams
