// Made by takt-idl from BiDirPolicy.idl; changes will be lost.
#include <takt/standard/BiDirPolicyC.h>

#include <takt/cdr/codec.h>

namespace BiDirPolicy {

CORBA::typecode_reference _type_code_of_BidirectionalPolicyValue() {
  return takt::cdr::alias_typecode("IDL:omg.org/BiDirPolicy/BidirectionalPolicyValue:1.0",
                                   "BidirectionalPolicyValue",
                                   [] { return IDL::type_code<std::uint16_t>(); });
}

}  // namespace BiDirPolicy
