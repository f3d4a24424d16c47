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

const takt::cdr::ExceptionForm* PolicyError::_form() const noexcept {
  return &takt::cdr::exception_form<PolicyError>;
}
CORBA::typecode_reference PolicyError::_type_code() {
  return takt::cdr::struct_typecode<PolicyError>(
      CORBA::TCKind::tk_except, [] { return takt::cdr::TypeCodes{_type_code_of_PolicyErrorCode()}; });
}
const char* PolicyError::what() const noexcept try {
  return _text.keep(takt::cdr::text_of_exception(*this));
} catch (...) {
  return _rep_id();
}

const takt::cdr::ExceptionForm* InvalidPolicies::_form() const noexcept {
  return &takt::cdr::exception_form<InvalidPolicies>;
}
CORBA::typecode_reference InvalidPolicies::_type_code() {
  return takt::cdr::struct_typecode<InvalidPolicies>(CORBA::TCKind::tk_except, [] {
    return takt::cdr::TypeCodes{takt::cdr::sequence_typecode(IDL::type_code<std::uint16_t>(), 0)};
  });
}
const char* InvalidPolicies::what() const noexcept try {
  return _text.keep(takt::cdr::text_of_exception(*this));
} catch (...) {
  return _rep_id();
}

CORBA::typecode_reference _type_code_of_SetOverrideType() {
  return takt::cdr::enum_typecode<SetOverrideType>();
}

}  // namespace CORBA
