// Made by takt-idl from BiDirPolicy.idl; changes will be lost.
#pragma once

#include <takt/cdr/mapping.h>

#include <takt/standard/CORBA_policiesC.h>

namespace BiDirPolicy {

using BidirectionalPolicyValue = std::uint16_t;
CORBA::typecode_reference _type_code_of_BidirectionalPolicyValue();
inline constexpr takt::cdr::TypeCodeConstant _tc_BidirectionalPolicyValue{
    &_type_code_of_BidirectionalPolicyValue};
inline constexpr BidirectionalPolicyValue NORMAL = 0;
inline constexpr BidirectionalPolicyValue BOTH = 1;
inline constexpr CORBA::PolicyType BIDIRECTIONAL_POLICY_TYPE = 37u;

}  // namespace BiDirPolicy
