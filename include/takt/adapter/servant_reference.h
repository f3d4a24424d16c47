// Strong and weak references to servants, as in the IDL to C++11 mapping.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace takt::adapter {
[[noreturn]] void throw_nil_servant();
}  // namespace takt::adapter

namespace CORBA {

template <class T>
class weak_servant_reference;

// Keeps a servant alive; nil by default. Copies share the servant, with the thread safety of std::shared_ptr.
// Dereferencing nil throws INV_OBJREF.
template <class T>
class servant_reference {
 public:
  using element_type = T;

  constexpr servant_reference() noexcept = default;
  constexpr servant_reference(std::nullptr_t) noexcept {}
  explicit servant_reference(std::shared_ptr<T> servant) noexcept : servant_(std::move(servant)) {}
  template <class U>
    requires std::is_convertible_v<U*, T*>
  servant_reference(const servant_reference<U>& other) noexcept : servant_(other.shared()) {}
  template <class U>
    requires std::is_convertible_v<U*, T*>
  servant_reference(servant_reference<U>&& other) noexcept : servant_(std::move(other).shared()) {}

  servant_reference& operator=(std::nullptr_t) noexcept {
    servant_.reset();
    return *this;
  }

  T* operator->() const {
    if (!servant_) [[unlikely]]
      takt::adapter::throw_nil_servant();
    return servant_.get();
  }
  T& operator*() const { return *operator->(); }
  T* get() const noexcept { return servant_.get(); }
  explicit operator bool() const noexcept { return static_cast<bool>(servant_); }

  void reset() noexcept { servant_.reset(); }
  void swap(servant_reference& other) noexcept { servant_.swap(other.servant_); }
  weak_servant_reference<T> weak_reference() const { return weak_servant_reference<T>(*this); }

  const std::shared_ptr<T>& shared() const& noexcept { return servant_; }
  std::shared_ptr<T>&& shared() && noexcept { return std::move(servant_); }

  friend bool operator==(const servant_reference& a, std::nullptr_t) noexcept { return !a.servant_; }
  template <class U>
  friend bool operator==(const servant_reference& a, const servant_reference<U>& b) noexcept {
    return a.get() == b.get();
  }

 private:
  std::shared_ptr<T> servant_;
};

template <class T>
class weak_servant_reference {
 public:
  weak_servant_reference() noexcept = default;
  weak_servant_reference(const servant_reference<T>& strong) noexcept : servant_(strong.shared()) {}

  servant_reference<T> lock() const noexcept { return servant_reference<T>(servant_.lock()); }
  bool expired() const noexcept { return servant_.expired(); }
  void reset() noexcept { servant_.reset(); }
  void swap(weak_servant_reference& other) noexcept { servant_.swap(other.servant_); }

 private:
  std::weak_ptr<T> servant_;
};

}  // namespace CORBA
