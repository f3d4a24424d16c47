// Made by takt-idl from CORBA_policies.idl; changes will be lost.
#include <takt/standard/CORBA_policiesC.h>

#include <takt/cdr/codec.h>

namespace CORBA {

CORBA::typecode_reference _type_code_of_PolicyType() {
  return takt::cdr::alias_typecode("IDL:omg.org/CORBA/PolicyType:1.0", "PolicyType",
                                   [] { return IDL::type_code<std::uint32_t>(); });
}

CORBA::typecode_reference _type_code_of_PolicyTypeSeq() {
  return takt::cdr::alias_typecode("IDL:omg.org/CORBA/PolicyTypeSeq:1.0", "PolicyTypeSeq", [] {
    return takt::cdr::sequence_typecode(_type_code_of_PolicyType(), 0);
  });
}

CORBA::typecode_reference _type_code_of_PolicyErrorCode() {
  return takt::cdr::alias_typecode("IDL:omg.org/CORBA/PolicyErrorCode:1.0", "PolicyErrorCode",
                                   [] { return IDL::type_code<std::int16_t>(); });
}

CORBA::typecode_reference _type_code_of_SetOverrideType() {
  return takt::cdr::enum_typecode<SetOverrideType>();
}

}  // namespace CORBA
