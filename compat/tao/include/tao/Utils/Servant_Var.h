// A servant that the variable counts.
#pragma once

#include <tao/corba.h>

namespace TAO {
namespace Utils {
template <class T>
using Servant_Var = PortableServer::Servant_var<T>;
}  // namespace Utils
}  // namespace TAO
