// Data members whose type only one source knows.
#pragma once

#include <memory>
#include <utility>

namespace takt::sqlite {

// Owns a T. Where it is moved and destroyed, T may be incomplete, so a class with one needs no destructor and
// no move operations of its own.
template <class T>
using Hidden = std::unique_ptr<T, void (*)(T*)>;

template <class T>
Hidden<T> make_hidden() {
  return Hidden<T>(new T, [](T* hidden) { delete hidden; });
}

}  // namespace takt::sqlite
