// CORBA::Object and the references to it, as the IDL to C++11 mapping has them.
//
// A stub object is a typed handle on a takt::reference::ObjectRef, which holds the IOR, the chosen
// profile and the overrides; any number of stubs and threads share one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <takt/cdr/exception.h>

namespace CORBA {
class Object;
class ORB;
class Policy;
enum class SetOverrideType : std::uint32_t;
template <class T>
class object_reference;
}  // namespace CORBA

namespace takt::reference {

class ObjectRef;
template <class T>
CORBA::object_reference<T> make_stub(std::shared_ptr<ObjectRef> ref);
[[noreturn]] void throw_nil_reference();

}  // namespace takt::reference

namespace CORBA {

template <class T>
class weak_object_reference;

// A reference to a T, nil by default. Copies share the object; copying is as thread-safe as that of a
// std::shared_ptr. Dereferencing nil throws INV_OBJREF.
template <class T>
class object_reference {
 public:
  using element_type = T;

  constexpr object_reference() noexcept = default;
  constexpr object_reference(std::nullptr_t) noexcept {}
  explicit object_reference(std::shared_ptr<T> object) noexcept : object_(std::move(object)) {}
  template <class U>
    requires std::is_convertible_v<U*, T*>
  object_reference(const object_reference<U>& other) noexcept : object_(other.shared()) {}
  template <class U>
    requires std::is_convertible_v<U*, T*>
  object_reference(object_reference<U>&& other) noexcept : object_(std::move(other).shared()) {}

  object_reference& operator=(std::nullptr_t) noexcept {
    object_.reset();
    return *this;
  }

  T* operator->() const {
    if (!object_) [[unlikely]]
      takt::reference::throw_nil_reference();
    return object_.get();
  }
  T& operator*() const { return *operator->(); }
  T* get() const noexcept { return object_.get(); }
  explicit operator bool() const noexcept { return static_cast<bool>(object_); }

  void reset() noexcept { object_.reset(); }
  void swap(object_reference& other) noexcept { object_.swap(other.object_); }
  weak_object_reference<T> weak_reference() const { return weak_object_reference<T>(*this); }

  const std::shared_ptr<T>& shared() const& noexcept { return object_; }
  std::shared_ptr<T>&& shared() && noexcept { return std::move(object_); }

  friend bool operator==(const object_reference& a, std::nullptr_t) noexcept { return !a.object_; }
  template <class U>
  friend bool operator==(const object_reference& a, const object_reference<U>& b) noexcept {
    return a.get() == b.get();
  }

 private:
  std::shared_ptr<T> object_;
};

template <class T>
class weak_object_reference {
 public:
  weak_object_reference() noexcept = default;
  weak_object_reference(const object_reference<T>& strong) noexcept : object_(strong.shared()) {}

  object_reference<T> lock() const noexcept { return object_reference<T>(object_.lock()); }
  bool expired() const noexcept { return object_.expired(); }
  void reset() noexcept { object_.reset(); }
  void swap(weak_object_reference& other) noexcept { object_.swap(other.object_); }

 private:
  std::weak_ptr<T> object_;
};

// The base of every stub and of every local object. What needs the wire may block up to the
// reference's round-trip timeout, and throws the call's system exceptions.
class Object {
 public:
  using _traits_type = Object;
  using _ref_type = object_reference<Object>;

  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  virtual ~Object();

  // Whether the object supports the interface with this repository id; asks the object unless the
  // stub's own type answers it.
  virtual bool _is_a(const std::string& repository_id);
  virtual bool _non_existent();
  // Whether both lead to the same object as far as the references tell, without a call (CORBA 8.3.5).
  bool _is_equivalent(const object_reference<Object>& other);
  // In [0, maximum); equal for equivalent references. Without a call.
  std::uint32_t _hash(std::uint32_t maximum);
  virtual std::string _repository_id();
  object_reference<Object> _get_component();
  object_reference<ORB> _get_orb();

  // Policies of calls (<takt/reference/messaging.h>). A new reference to the same object, with these
  // overrides; this one stays as it is. InvalidPolicies for types given twice and nil; NO_PERMISSION for
  // policies that are not for clients. Allocates.
  object_reference<Object> _set_policy_overrides(const std::vector<object_reference<Policy>>& policies,
                                                 SetOverrideType set_add);
  // Of those set on this reference, the ones of these types; no types: all.
  std::vector<object_reference<Policy>> _get_policy_overrides(const std::vector<std::uint32_t>& types);
  // What holds for the calling thread's calls: of the reference, else the thread, else the ORB; nil where
  // none of them says anything.
  object_reference<Policy> _get_policy(std::uint32_t type);
  object_reference<Policy> _get_client_policy(std::uint32_t type);
  // Opens the connection that the calling thread's calls will use, at its present priority. False: its
  // policies do not allow a call; `inconsistent` says which. Throws what a call would that cannot connect.
  bool _validate_connection(std::vector<object_reference<Policy>>& inconsistent);

  static const std::string& _interface_repository_id();
  // Whether the stub's static type supports the interface; no call.
  virtual bool _is_a_local(const std::string& repository_id) const;

  // What the stub stands on; null for a local object.
  const std::shared_ptr<takt::reference::ObjectRef>& _ref() const { return ref_; }

 protected:
  Object() = default;

 private:
  template <class T>
  friend object_reference<T> takt::reference::make_stub(std::shared_ptr<takt::reference::ObjectRef>);

  std::shared_ptr<takt::reference::ObjectRef> ref_;
};

// The base of objects that never leave the process: POA, Current, policies. Marshaling one is MARSHAL
// minor 4; its remote operations are NO_IMPLEMENT minor 8 (CORBA 8.3).
class LocalObject : public virtual Object {
 public:
  bool _is_a(const std::string& repository_id) override { return _is_a_local(repository_id); }
  bool _non_existent() override { return false; }
  std::string _repository_id() override;

 protected:
  LocalObject() = default;
};

}  // namespace CORBA

namespace takt::reference {

// A stub of the generated class T on `ref`. T's default constructor may be protected.
template <class T>
CORBA::object_reference<T> make_stub(std::shared_ptr<ObjectRef> ref) {
  if (!ref) return {};
  struct Stub final : T {};
  auto stub = std::make_shared<Stub>();
  stub->CORBA::Object::ref_ = std::move(ref);
  if constexpr (requires { stub->_owned_by(stub); }) stub->_owned_by(stub);  // an abstract interface
  return CORBA::object_reference<T>(std::move(stub));
}

}  // namespace takt::reference
