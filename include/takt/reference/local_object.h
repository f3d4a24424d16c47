// Making local objects, which never leave their process.
#pragma once

#include <concepts>
#include <memory>
#include <utility>

#include <takt/reference/object.h>
#include <takt/reference/reference_codec.h>

namespace CORBA {

// Makes an object that implements a local interface, such as a servant manager. Its constructor may be
// protected unless the class is final.
template <class T, class... Arguments>
  requires std::derived_from<T, LocalObject>
object_reference<T> make_reference(Arguments&&... arguments) {
  return takt::reference::make_local<T>(std::forward<Arguments>(arguments)...);
}

}  // namespace CORBA
