// The values of calls and requests as interceptors get them.
#pragma once

#include <optional>

#include <takt/interceptors/request_info.h>

#include "interceptors/common/open_info.h"
#include "interceptors/common/raised.h"
#include "reference/shown_values.h"

namespace takt::interceptors {

// Throws NO_RESOURCES (OMG minor 1) if there are none.
inline const reference::ShownValues& shown(const reference::ShownValues* values) {
  if (!values) throw_not_available("generated code does not show the values of its calls to interceptors");
  return *values;
}
// The object that `found` points to or holds. Throws NO_RESOURCES (OMG minor 1) if it is empty.
template <class Found>
auto known(const Found& found) {
  if (!found) throw_not_available("this side of the call does not know the values");
  return *found;
}

inline Dynamic::ParameterList arguments_in(const reference::ShownValues& values, bool returned) {
  Dynamic::ParameterList list;
  for (reference::ShownValues::Argument& one : known(values.arguments(returned)))
    list.emplace_back(std::move(one.value), static_cast<CORBA::ParameterMode>(one.mode));
  return list;
}

// `of_process`: the exception, if it was thrown in this process by generated code.
inline CORBA::Any any_of_user_exception(const std::optional<CORBA::Any>& of_process,
                                        const reference::ShownValues* values) {
  if (of_process) return *of_process;
  const auto shown = values ? values->exception() : std::nullopt;
  return shown ? *shown : any_of_unknown();
}

}  // namespace takt::interceptors
