// CORBA::Object and its references, as in the IDL to C++11 mapping.
//
// A stub is a typed handle on a takt::reference::ObjectRef, which holds the IOR, the chosen profile and the
// overrides. Any number of stubs and threads may share one.
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
class Context;
class InterfaceDef;
class NamedValue;
class NVList;
class Object;
class ORB;
class Policy;
class Request;
enum class SetOverrideType : std::uint32_t;
template <class T>
class object_reference;
}  // namespace CORBA

namespace takt::dynamic {
class RequestMemory;
}

namespace takt::reference {

class ObjectRef;
template <class T>
CORBA::object_reference<T> make_stub(std::shared_ptr<ObjectRef> ref);
[[noreturn]] void throw_nil_reference();

}  // namespace takt::reference

namespace CORBA {

template <class T>
class weak_object_reference;

// A reference to a T, nil by default. Copies share the object, with the thread safety of std::shared_ptr.
// Dereferencing nil throws INV_OBJREF.
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

// The base of all stubs and local objects. Operations that need the network may block for up to the
// reference's round-trip timeout, and throw the system exceptions of a call.
class Object {
 public:
  using _traits_type = Object;
  using _ref_type = object_reference<Object>;

  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  virtual ~Object();

  // Whether the object supports the interface with this repository id. Asks the object unless the stub's type
  // decides it.
  virtual bool _is_a(const std::string& repository_id);
  virtual bool _non_existent();
  // Whether both denote the same object, as far as the references tell without a call (CORBA 8.3.5).
  bool _is_equivalent(const object_reference<Object>& other);
  // In [0, maximum); equal for equivalent references. Makes no call.
  std::uint32_t _hash(std::uint32_t maximum);
  virtual std::string _repository_id();
  object_reference<Object> _get_component();
  // The object that describes the interface, from an interface repository or from a server with
  // -ORBReflection (Takt::Reflection::InterfaceDef of idl/Takt_Reflection.idl has its operations). Throws
  // INTF_REPOS if there is none.
  object_reference<InterfaceDef> _get_interface();
  object_reference<ORB> _get_orb();

  // Returns a new reference to the same object with these policies (<takt/reference/messaging.h>); this one
  // does not change. Throws InvalidPolicies for duplicate types and nil, NO_PERMISSION for policies that are
  // not client policies. Allocates.
  object_reference<Object> _set_policy_overrides(const std::vector<object_reference<Policy>>& policies,
                                                 SetOverrideType set_add);
  // The overrides of this reference that have one of these types; all if `types` is empty.
  std::vector<object_reference<Policy>> _get_policy_overrides(const std::vector<std::uint32_t>& types);
  // The policy that applies to the calling thread's calls: the reference's, else the thread's, else the
  // ORB's. Nil if none is set.
  object_reference<Policy> _get_policy(std::uint32_t type);
  object_reference<Policy> _get_client_policy(std::uint32_t type);
  // Opens the connection for the calling thread's calls at its current priority. False if the policies forbid
  // a call; `inconsistent` lists them. If it cannot connect, throws what a call would.
  bool _validate_connection(std::vector<object_reference<Policy>>& inconsistent);

  // Make a dynamic request (<takt/dynamic/request.h>), without arguments or with the given ones. Nil lists
  // and results are created. Throw NO_IMPLEMENT (OMG minor 4) for local objects, BAD_PARAM for an empty
  // operation name, and BAD_PARAM (OMG minor 32) for the operations that this class has. Make no call.
  // Allocate.
  object_reference<Request> _request(const std::string& operation);
  void _create_request(const object_reference<Context>& context, const std::string& operation,
                       const object_reference<NVList>& arguments, const object_reference<NamedValue>& result,
                       object_reference<Request>& request, std::uint32_t flags);

  static const std::string& _interface_repository_id();
  // Whether the stub's static type supports the interface. Makes no call.
  virtual bool _is_a_local(const std::string& repository_id) const;

  // The reference behind the stub; null for a local object.
  const std::shared_ptr<takt::reference::ObjectRef>& _ref() const { return ref_; }

 protected:
  Object() = default;

 private:
  template <class T>
  friend object_reference<T> takt::reference::make_stub(std::shared_ptr<takt::reference::ObjectRef>);
  friend class takt::dynamic::RequestMemory;

  std::shared_ptr<takt::reference::ObjectRef> ref_;
};

// The base of objects that never leave the process, such as POA, Current and policies. Marshaling one throws
// MARSHAL minor 4; its remote operations throw NO_IMPLEMENT minor 8 (CORBA 8.3).
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

// Makes a stub of the generated class T for `ref`. T's default constructor may be protected.
template <class T>
CORBA::object_reference<T> make_stub(std::shared_ptr<ObjectRef> ref) {
  if (!ref) return {};
  struct Stub final : T {};
  auto stub = std::make_shared<Stub>();
  stub->CORBA::Object::ref_ = std::move(ref);
  // T supports an abstract interface
  if constexpr (requires { stub->_owned_by(stub); }) stub->_owned_by(stub);
  return CORBA::object_reference<T>(std::move(stub));
}

}  // namespace takt::reference
