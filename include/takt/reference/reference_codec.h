// Object references as values: IDL::traits of interfaces, narrowing, and encoding.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <takt/cdr/codec.h>
#include <takt/cdr/mapping/output.h>
#include <takt/cdr/mapping/traits.h>
#include <takt/cdr/mapping/type_code.h>
#include <takt/reference/object.h>

namespace takt::reference {

// Writes the object's IOR, or nil for null. A local object makes the encoder fail with local_object.
void write_object(cdr::Encoder& encoder, const CORBA::Object* object);
// Reads an untyped reference, made by the decoder's environment. On failure it is nil and the decoder has
// failed.
bool read_object(cdr::Decoder& decoder, CORBA::object_reference<CORBA::Object>& object);

// Whether T is a generated interface that is not local.
template <class T>
concept has_stub = requires { typename T::_operations; } && !std::derived_from<T, CORBA::LocalObject>;

// Returns the reference as a T without asking the object: the IDL guarantees its type.
template <class T>
CORBA::object_reference<T> unchecked_narrow(const CORBA::object_reference<CORBA::Object>& object) {
  if constexpr (std::is_same_v<T, CORBA::Object>) {
    return object;
  } else {
    if (!object) return {};
    if (auto typed = std::dynamic_pointer_cast<T>(object.shared()))
      return CORBA::object_reference<T>(std::move(typed));
    if constexpr (has_stub<T>)
      return make_stub<T>(object->_ref());
    else
      return {};  // a local interface
  }
}

// The base of generated local interfaces: lets their objects refer to themselves.
class LocalBase : public virtual CORBA::LocalObject {
 public:
  // A strong reference. Nil during construction and destruction, and if CORBA::make_reference did not make
  // the object.
  CORBA::object_reference<CORBA::LocalObject> _lock() const {
    return CORBA::object_reference<CORBA::LocalObject>(self_.lock());
  }
  // For CORBA::make_reference.
  void _held_by(const std::shared_ptr<CORBA::LocalObject>& self) { self_ = self; }

 protected:
  LocalBase() = default;

 private:
  std::weak_ptr<CORBA::LocalObject> self_;
};

// Makes an object of this process and tells it who owns it, before it is shared.
template <class T, class... Arguments>
CORBA::object_reference<T> make_local(Arguments&&... arguments) {
  std::shared_ptr<T> made;
  if constexpr (std::is_constructible_v<T, Arguments...> || std::is_final_v<T>) {
    made = std::make_shared<T>(std::forward<Arguments>(arguments)...);
  } else {
    struct Made final : T {
      explicit Made(Arguments&&... from) : T(std::forward<Arguments>(from)...) {}
    };
    made = std::make_shared<Made>(std::forward<Arguments>(arguments)...);
  }
  if constexpr (std::derived_from<T, LocalBase>) made->_held_by(made);
  // T supports an abstract interface
  if constexpr (requires { made->_owned_by(made); }) made->_owned_by(made);
  return CORBA::object_reference<T>(std::move(made));
}

// The implementation of a local interface's _this(). Nil during construction and destruction.
template <class T>
CORBA::object_reference<T> this_local(T& object) {
  auto self = object._lock();
  return self ? CORBA::object_reference<T>(std::shared_ptr<T>(std::move(self).shared(), &object))
              : CORBA::object_reference<T>();
}

}  // namespace takt::reference

namespace CORBA {

template <class T>
struct object_traits {
  using object_type = T;
  using stub_type = T;
  using ref_type = object_reference<T>;
  using weak_ref_type = weak_object_reference<T>;
  using shared_ptr_type = std::shared_ptr<T>;

  // Nil if the object is not a T. Asks the object if the reference does not tell; then throws what calls
  // throw.
  template <class U>
  static ref_type narrow(const object_reference<U>& object) {
    if constexpr (std::is_convertible_v<U*, T*>) {
      return object;
    } else {
      if (!object) return {};
      if (auto typed = std::dynamic_pointer_cast<T>(object.shared())) return ref_type(std::move(typed));
      if constexpr (takt::reference::has_stub<T>) {
        if (object->_ref() && object->_is_a(T::_interface_repository_id()))
          return takt::reference::make_stub<T>(object->_ref());
      }
      return {};
    }
  }
  static ref_type narrow(std::nullptr_t) { return {}; }

  // Converts without asking the object, for objects that cannot be asked, such as groups. If the object is
  // not a T, its operations fail. Nil stays nil.
  template <class U>
  static ref_type unchecked_narrow(const object_reference<U>& object) {
    return takt::reference::unchecked_narrow<T>(object_reference<Object>(object));
  }

  // Makes a local object, whose constructor may be protected.
  template <class Made = T, class... Arguments>
  static object_reference<Made> make_reference(Arguments&&... arguments) {
    return takt::reference::make_local<Made>(std::forward<Arguments>(arguments)...);
  }
};

}  // namespace CORBA

template <class T>
  requires std::derived_from<T, CORBA::Object>
struct IDL::traits<T> : CORBA::object_traits<T>,
                        IDL::detail::common_traits<CORBA::object_reference<T>, CORBA::object_reference<T>> {
  using is_local = std::is_base_of<CORBA::LocalObject, T>;
  using is_abstract = std::false_type;
  using base_type = T;  // for local objects
};

template <class T>
struct IDL::traits<CORBA::object_reference<T>> : IDL::traits<T> {};

template <class T>
struct takt::cdr::Codec<CORBA::object_reference<T>> {
  static constexpr std::size_t min_size = 9;  // an empty type id and no profiles

  static void write(Encoder& encoder, const CORBA::object_reference<T>& object) {
    reference::write_object(encoder, object.get());
  }
  static bool read(Decoder& decoder, CORBA::object_reference<T>& object) {
    CORBA::object_reference<CORBA::Object> untyped;
    const bool read = reference::read_object(decoder, untyped);
    object = reference::unchecked_narrow<T>(untyped);
    return read;
  }
};

template <>
struct takt::cdr::TypeCodeOf<CORBA::object_reference<CORBA::Object>> {
  static CORBA::typecode_reference get() {
    return named_typecode<CORBA::Object>(CORBA::TCKind::tk_objref, "IDL:omg.org/CORBA/Object:1.0", "Object");
  }
};

namespace CORBA {
inline constexpr takt::cdr::TypeCodeConstant _tc_Object{
    &takt::cdr::TypeCodeOf<object_reference<Object>>::get};
}  // namespace CORBA

// Prints the interface and not the object: two references to one object look alike.
template <class T, class Out>
struct IDL::formatter<CORBA::object_reference<T>, Out> {
  Out& operator()(Out& out, const CORBA::object_reference<T>& object) const {
    if (object)
      out << "object " << T::_interface_repository_id();
    else
      out << "nil";
    return out;
  }
};
