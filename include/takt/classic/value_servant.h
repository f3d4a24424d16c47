// Values that are servants too, in the classic mapping. C++14.
#pragma once

#include <takt/classic/servant.h>
#include <takt/classic/value.h>

namespace PortableServer {
inline namespace takt_classic_ {

// Counts for both: for a class V_i : public virtual POA_M::V, public virtual OBV_M::V, public virtual
// PortableServer::ValueRefCountBase, where the valuetype V supports an interface.
class ValueRefCountBase : public virtual ::CORBA::ValueBase, public virtual ServantBase {
 public:
  ValueRefCountBase() {}
  void _add_ref() override { ServantBase::_add_ref(); }
  void _remove_ref() override { ServantBase::_remove_ref(); }
  ::CORBA::ULong _refcount_value() override { return ServantBase::_refcount_value(); }
  void _takt_add_ref() override { _add_ref(); }
  void _takt_remove_ref() override { _remove_ref(); }

 protected:
  ValueRefCountBase(const ValueRefCountBase& from) : ::CORBA::ValueBase(from), ServantBase(from) {}
  ~ValueRefCountBase() override {}

 private:
  void operator=(const ValueRefCountBase&);
};

}  // namespace takt_classic_
}  // namespace PortableServer
