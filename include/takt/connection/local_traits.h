// What IDL::traits says of a local interface of the ORB's own, and how local objects are made.
#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

#include <takt/connection/object.h>

namespace CORBA {

// Makes a local object: one that implements a local interface in this process.
template <class T, class... Arguments>
  requires std::derived_from<T, LocalObject>
object_reference<T> make_reference(Arguments&&... arguments) {
  return object_reference<T>(std::make_shared<T>(std::forward<Arguments>(arguments)...));
}

}  // namespace CORBA

namespace IDL {
template <class T>
struct traits;
}  // namespace IDL

namespace takt::connection {

template <class T>
struct LocalTraits {
  using value_type = T;
  using base_type = T;
  using ref_type = CORBA::object_reference<T>;
  using weak_ref_type = CORBA::weak_object_reference<T>;
  using in_type = ref_type;
  using out_type = ref_type&;
  using inout_type = ref_type&;
  using is_local = std::true_type;
  using is_abstract = std::false_type;

  // Nil when the object is nil or of another type.
  template <class From>
  static ref_type narrow(const CORBA::object_reference<From>& object) {
    return ref_type(std::dynamic_pointer_cast<T>(object.shared()));
  }
  template <class Implementation, class... Arguments>
  static ref_type make_reference(Arguments&&... arguments) {
    return CORBA::make_reference<Implementation>(std::forward<Arguments>(arguments)...);
  }
};

}  // namespace takt::connection
