// Making local objects, which never leave their process.
#pragma once

#include <concepts>
#include <memory>
#include <utility>

#include <takt/reference/object.h>
#include <takt/reference/reference_codec.h>

namespace CORBA {

// Makes an object that implements a local interface, such as a servant manager.
template <class T, class... Arguments>
  requires std::derived_from<T, LocalObject>
object_reference<T> make_reference(Arguments&&... arguments) {
  const auto object = std::make_shared<T>(std::forward<Arguments>(arguments)...);
  // T supports an abstract interface
  if constexpr (requires { object->_owned_by(object); }) object->_owned_by(object);
  return object_reference<T>(object);
}

}  // namespace CORBA
