// How an application makes objects that stay in its process.
#pragma once

#include <concepts>
#include <memory>
#include <utility>

#include <takt/reference/object.h>
#include <takt/reference/reference_codec.h>

namespace CORBA {

// Makes a local object: one that implements a local interface, such as a servant manager.
template <class T, class... Arguments>
  requires std::derived_from<T, LocalObject>
object_reference<T> make_reference(Arguments&&... arguments) {
  const auto object = std::make_shared<T>(std::forward<Arguments>(arguments)...);
  if constexpr (requires { object->_owned_by(object); }) object->_owned_by(object);  // an abstract interface
  return object_reference<T>(object);
}

}  // namespace CORBA
