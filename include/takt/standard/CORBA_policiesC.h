// Made by takt-idl from CORBA_policies.idl; changes will be lost.
#pragma once

#include <takt/cdr/mapping.h>

namespace CORBA {

using PolicyType = std::uint32_t;
CORBA::typecode_reference _type_code_of_PolicyType();
inline constexpr takt::cdr::TypeCodeConstant _tc_PolicyType{&_type_code_of_PolicyType};
using PolicyTypeSeq = std::vector<PolicyType>;
CORBA::typecode_reference _type_code_of_PolicyTypeSeq();
inline constexpr takt::cdr::TypeCodeConstant _tc_PolicyTypeSeq{&_type_code_of_PolicyTypeSeq};
using PolicyErrorCode = std::int16_t;
CORBA::typecode_reference _type_code_of_PolicyErrorCode();
inline constexpr takt::cdr::TypeCodeConstant _tc_PolicyErrorCode{&_type_code_of_PolicyErrorCode};
inline constexpr PolicyErrorCode BAD_POLICY = 0;
inline constexpr PolicyErrorCode UNSUPPORTED_POLICY = 1;
inline constexpr PolicyErrorCode BAD_POLICY_TYPE = 2;
inline constexpr PolicyErrorCode BAD_POLICY_VALUE = 3;
inline constexpr PolicyErrorCode UNSUPPORTED_POLICY_VALUE = 4;

enum class SetOverrideType : std::uint32_t { SET_OVERRIDE, ADD_OVERRIDE };
template <class Out>
Out& operator<<(Out& out, SetOverrideType value) {
  return IDL::write(out, value);
}
CORBA::typecode_reference _type_code_of_SetOverrideType();
inline constexpr takt::cdr::TypeCodeConstant _tc_SetOverrideType{&_type_code_of_SetOverrideType};

}  // namespace CORBA

template <>
struct takt::cdr::EnumSize<::CORBA::SetOverrideType> {
  static constexpr std::uint32_t value = 2u;
  static constexpr Description<2> description{
      "IDL:omg.org/CORBA/SetOverrideType:1.0", "CORBA::SetOverrideType", {"SET_OVERRIDE", "ADD_OVERRIDE"}};
};
