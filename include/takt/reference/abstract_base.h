// Abstract interfaces: the common base of objects and values, and its encoding (CORBA 3.0.3, chapter 6 and
// 15.3.7; IDL to C++11 mapping, 6.18).
//
// An interface that inherits from the abstract interface A, and a valuetype that supports it, are classes
// derived from A. A's own implementations of its operations call the object; values override them.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <takt/cdr/value.h>
#include <takt/reference/reference_codec.h>

namespace CORBA {

template <class T>
class abstractbase_reference;
template <class T>
class weak_abstractbase_reference;

// The base of all abstract interfaces.
class AbstractBase {
 public:
  using _traits_type = IDL::traits<AbstractBase>;
  using _ref_type = abstractbase_reference<AbstractBase>;

  virtual ~AbstractBase();

  // The object or value behind the reference; the other function returns nil.
  object_reference<Object> _to_object() const;
  valuetype_reference<ValueBase> _to_value() const;

  static const std::string& _interface_repository_id();
  static typecode_reference _type_code();

  // Call once after construction, before the object is shared.
  void _owned_by(const std::shared_ptr<AbstractBase>& self) { self_ = self; }

 protected:
  AbstractBase() = default;
  AbstractBase(const AbstractBase&) {}  // a copy has another owner
  AbstractBase& operator=(const AbstractBase&) { return *this; }

  // For stubs. Throws NO_IMPLEMENT if this is a value.
  const Object& _object() const;

 private:
  std::weak_ptr<AbstractBase> self_;
};

// A reference to an object or a value, nil by default. Copies share it. Dereferencing nil throws INV_OBJREF.
template <class T>
class abstractbase_reference {
 public:
  using element_type = T;

  constexpr abstractbase_reference() noexcept = default;
  constexpr abstractbase_reference(std::nullptr_t) noexcept {}
  explicit abstractbase_reference(std::shared_ptr<T> shared) noexcept : shared_(std::move(shared)) {}
  // Converts from references to derived abstract interfaces, objects and values.
  template <template <class> class Reference, class U>
    requires std::is_convertible_v<U*, T*> && requires(const Reference<U>& other) { other.shared(); }
  abstractbase_reference(const Reference<U>& other) noexcept : shared_(other.shared()) {}
  abstractbase_reference(const abstractbase_reference&) noexcept = default;
  abstractbase_reference(abstractbase_reference&&) noexcept = default;
  abstractbase_reference& operator=(const abstractbase_reference& other) noexcept {
    abstractbase_reference(other).swap(*this);
    return *this;
  }
  abstractbase_reference& operator=(abstractbase_reference&& other) noexcept {
    abstractbase_reference(std::move(other)).swap(*this);
    return *this;
  }
  ~abstractbase_reference() { reset(); }

  T* operator->() const {
    if (!shared_) [[unlikely]]
      takt::reference::throw_nil_reference();
    return shared_.get();
  }
  T& operator*() const { return *operator->(); }
  T* get() const noexcept { return shared_.get(); }
  explicit operator bool() const noexcept { return static_cast<bool>(shared_); }
  void reset() noexcept {
    if (shared_) takt::cdr::release_value(std::move(shared_));
  }
  void swap(abstractbase_reference& other) noexcept { shared_.swap(other.shared_); }
  weak_abstractbase_reference<T> weak_reference() const { return weak_abstractbase_reference<T>(*this); }
  const std::shared_ptr<T>& shared() const noexcept { return shared_; }

  friend bool operator==(const abstractbase_reference& a, std::nullptr_t) noexcept { return !a.shared_; }
  friend bool operator==(const abstractbase_reference&, const abstractbase_reference&) = default;

  template <class Out>
  void _write_to(Out& out) const {
    out << (shared_ ? "abstract " + T::_interface_repository_id() : "nil");
  }

 private:
  std::shared_ptr<T> shared_;
};

// Does not keep the object's stub, or the value, alive.
template <class T>
class weak_abstractbase_reference {
 public:
  weak_abstractbase_reference() noexcept = default;
  weak_abstractbase_reference(const abstractbase_reference<T>& strong) noexcept : shared_(strong.shared()) {}

  abstractbase_reference<T> lock() const noexcept { return abstractbase_reference<T>(shared_.lock()); }
  bool expired() const noexcept { return shared_.expired(); }
  void reset() noexcept { shared_.reset(); }
  void swap(weak_abstractbase_reference& other) noexcept { shared_.swap(other.shared_); }

 private:
  std::weak_ptr<T> shared_;
};

}  // namespace CORBA

namespace takt::reference {

namespace detail {
// The stub of an object that is only known to be a T.
template <class T>
class AbstractStub : public virtual T, public virtual CORBA::Object {
 protected:
  AbstractStub() = default;
};
}  // namespace detail

// Returns the object as a T without asking it.
template <class T>
CORBA::abstractbase_reference<T> unchecked_abstract(const CORBA::object_reference<CORBA::Object>& object) {
  if (!object) return {};
  if (auto typed = std::dynamic_pointer_cast<T>(object.shared()))
    return CORBA::abstractbase_reference<T>(std::move(typed));
  return make_stub<detail::AbstractStub<T>>(object->_ref());
}

}  // namespace takt::reference

namespace CORBA {

template <class T>
struct abstractbase_traits {
  using ref_type = abstractbase_reference<T>;
  using weak_ref_type = weak_abstractbase_reference<T>;

  // Converts from a reference to an object, a value or another abstract interface. Nil if it is not a T. Asks
  // the object if the reference does not tell; then throws what calls throw.
  template <template <class> class Reference, class U>
  static ref_type narrow(const Reference<U>& from) {
    if constexpr (std::is_convertible_v<U*, T*>) {
      return from;
    } else {
      if (!from) return {};
      if (auto typed = std::dynamic_pointer_cast<T>(from.shared())) return ref_type(std::move(typed));
      const auto object = std::dynamic_pointer_cast<Object>(from.shared());
      if (!object || !object->_ref() || !object->_is_a(T::_interface_repository_id())) return {};
      return takt::reference::unchecked_abstract<T>(object_reference<Object>(object));
    }
  }
  static ref_type narrow(std::nullptr_t) { return {}; }
};

}  // namespace CORBA

template <class T>
  requires std::derived_from<T, CORBA::AbstractBase> && (!std::derived_from<T, CORBA::Object>) &&
               (!std::derived_from<T, CORBA::ValueBase>)
struct IDL::traits<T>
    : CORBA::abstractbase_traits<T>,
      IDL::detail::common_traits<CORBA::abstractbase_reference<T>, CORBA::abstractbase_reference<T>> {
  using is_local = std::false_type;
  using is_abstract = std::true_type;
};
template <class T>
struct IDL::traits<CORBA::abstractbase_reference<T>> : IDL::traits<T> {};

// A leading boolean is true for an object and false for a value. Nil is encoded as a null value.
template <class T>
struct takt::cdr::Codec<CORBA::abstractbase_reference<T>> {
  static constexpr std::size_t min_size = 5;

  static void write(Encoder& encoder, const CORBA::abstractbase_reference<T>& reference) {
    const auto object = std::dynamic_pointer_cast<CORBA::Object>(reference.shared());
    encoder.put(object != nullptr);
    if (object)
      reference::write_object(encoder, object.get());
    else
      write_value(encoder, std::dynamic_pointer_cast<CORBA::ValueBase>(reference.shared()));
  }
  static bool read(Decoder& decoder, CORBA::abstractbase_reference<T>& reference) {
    reference = nullptr;
    const bool is_object = decoder.take<bool>();
    if (!decoder.ok()) return false;
    if (is_object) {
      CORBA::object_reference<CORBA::Object> object;
      if (reference::read_object(decoder, object)) reference = reference::unchecked_abstract<T>(object);
    } else if (auto value = read_value(decoder, {})) {
      reference = CORBA::abstractbase_reference<T>(std::dynamic_pointer_cast<T>(value));
      if (!reference) decoder.fail(Error::bad_value);
    }
    return decoder.ok();
  }
};
