// System exceptions in an Any of the classic mapping. C++14.
#pragma once

#include <type_traits>

#include <takt/classic/any.h>

namespace CORBA {
inline namespace takt_classic_ {

void operator<<=(Any& any, const SystemException& exception);
void operator<<=(Any& any, SystemException* exception);  // takes it over
// An exception of any of their types; the Any keeps it.
Boolean operator>>=(const Any& any, const SystemException*& exception);
template <class E>
typename std::enable_if<std::is_base_of<SystemException, E>::value, Boolean>::type operator>>=(
    const Any& any, const E*& exception) {
  const SystemException* base = nullptr;
  if (!(any >>= base)) return false;
  const E* const same = dynamic_cast<const E*>(base);
  if (same) exception = same;
  return same != nullptr;
}

#define TAKT_CLASSIC_DECLARE(NAME) extern const TypeCode_ptr _tc_##NAME;
TAKT_CLASSIC_SYSTEM_EXCEPTIONS(TAKT_CLASSIC_DECLARE)
#undef TAKT_CLASSIC_DECLARE

}  // namespace takt_classic_
}  // namespace CORBA

namespace takt {
namespace classic {
CORBA::SystemException* copy_of(const CORBA::SystemException& exception);  // the caller's
}  // namespace classic
}  // namespace takt
