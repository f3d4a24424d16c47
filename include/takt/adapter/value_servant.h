// Values that are also servants, of valuetypes that support an interface (CORBA 3.0.3, 5.2.5).
#pragma once

#include <concepts>
#include <memory>
#include <utility>

#include <takt/adapter/servant.h>
#include <takt/cdr/value.h>

namespace CORBA {

// Makes a value that can be activated. CORBA::valuetype_reference<V>(servant.shared()) gives its value
// reference. Its constructor must be public.
template <class T, class... Arguments>
  requires std::derived_from<T, PortableServer::Servant> && std::derived_from<T, ValueBase>
servant_reference<T> make_reference(Arguments&&... arguments) {
  auto made = takt::os::make_pooled<T>(std::forward<Arguments>(arguments)...);
  if constexpr (std::is_default_constructible_v<T>)
    made->_made_by([]() -> std::shared_ptr<ValueBase> { return make_reference<T>().shared(); });
  // T supports an abstract interface
  if constexpr (requires { made->_owned_by(made); }) made->_owned_by(made);
  return servant_reference<T>(std::move(made));
}

}  // namespace CORBA
