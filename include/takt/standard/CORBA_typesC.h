// Made by takt-idl from CORBA_types.idl; changes will be lost.
#pragma once

#include <takt/cdr/any.h>
#include <takt/cdr/mapping.h>
#include <takt/cdr/value.h>

namespace CORBA {

using Identifier = std::string;
CORBA::typecode_reference _type_code_of_Identifier();
inline constexpr takt::cdr::TypeCodeConstant _tc_Identifier{&_type_code_of_Identifier};
using RepositoryId = std::string;
CORBA::typecode_reference _type_code_of_RepositoryId();
inline constexpr takt::cdr::TypeCodeConstant _tc_RepositoryId{&_type_code_of_RepositoryId};
using VersionSpec = std::string;
CORBA::typecode_reference _type_code_of_VersionSpec();
inline constexpr takt::cdr::TypeCodeConstant _tc_VersionSpec{&_type_code_of_VersionSpec};
using ServiceType = std::uint16_t;
CORBA::typecode_reference _type_code_of_ServiceType();
inline constexpr takt::cdr::TypeCodeConstant _tc_ServiceType{&_type_code_of_ServiceType};
using ServiceOption = std::uint32_t;
CORBA::typecode_reference _type_code_of_ServiceOption();
inline constexpr takt::cdr::TypeCodeConstant _tc_ServiceOption{&_type_code_of_ServiceOption};
using ServiceDetailType = std::uint32_t;
CORBA::typecode_reference _type_code_of_ServiceDetailType();
inline constexpr takt::cdr::TypeCodeConstant _tc_ServiceDetailType{&_type_code_of_ServiceDetailType};
using AnySeq = std::vector<CORBA::Any>;
CORBA::typecode_reference _type_code_of_AnySeq();
inline constexpr takt::cdr::TypeCodeConstant _tc_AnySeq{&_type_code_of_AnySeq};
using BooleanSeq = std::vector<bool>;
CORBA::typecode_reference _type_code_of_BooleanSeq();
inline constexpr takt::cdr::TypeCodeConstant _tc_BooleanSeq{&_type_code_of_BooleanSeq};
using CharSeq = std::vector<char>;
CORBA::typecode_reference _type_code_of_CharSeq();
inline constexpr takt::cdr::TypeCodeConstant _tc_CharSeq{&_type_code_of_CharSeq};
using WCharSeq = std::vector<wchar_t>;
CORBA::typecode_reference _type_code_of_WCharSeq();
inline constexpr takt::cdr::TypeCodeConstant _tc_WCharSeq{&_type_code_of_WCharSeq};
using OctetSeq = std::vector<std::uint8_t>;
CORBA::typecode_reference _type_code_of_OctetSeq();
inline constexpr takt::cdr::TypeCodeConstant _tc_OctetSeq{&_type_code_of_OctetSeq};
using ShortSeq = std::vector<std::int16_t>;
CORBA::typecode_reference _type_code_of_ShortSeq();
inline constexpr takt::cdr::TypeCodeConstant _tc_ShortSeq{&_type_code_of_ShortSeq};
using UShortSeq = std::vector<std::uint16_t>;
CORBA::typecode_reference _type_code_of_UShortSeq();
inline constexpr takt::cdr::TypeCodeConstant _tc_UShortSeq{&_type_code_of_UShortSeq};
using LongSeq = std::vector<std::int32_t>;
CORBA::typecode_reference _type_code_of_LongSeq();
inline constexpr takt::cdr::TypeCodeConstant _tc_LongSeq{&_type_code_of_LongSeq};
using ULongSeq = std::vector<std::uint32_t>;
CORBA::typecode_reference _type_code_of_ULongSeq();
inline constexpr takt::cdr::TypeCodeConstant _tc_ULongSeq{&_type_code_of_ULongSeq};
using LongLongSeq = std::vector<std::int64_t>;
CORBA::typecode_reference _type_code_of_LongLongSeq();
inline constexpr takt::cdr::TypeCodeConstant _tc_LongLongSeq{&_type_code_of_LongLongSeq};
using ULongLongSeq = std::vector<std::uint64_t>;
CORBA::typecode_reference _type_code_of_ULongLongSeq();
inline constexpr takt::cdr::TypeCodeConstant _tc_ULongLongSeq{&_type_code_of_ULongLongSeq};
using FloatSeq = std::vector<float>;
CORBA::typecode_reference _type_code_of_FloatSeq();
inline constexpr takt::cdr::TypeCodeConstant _tc_FloatSeq{&_type_code_of_FloatSeq};
using DoubleSeq = std::vector<double>;
CORBA::typecode_reference _type_code_of_DoubleSeq();
inline constexpr takt::cdr::TypeCodeConstant _tc_DoubleSeq{&_type_code_of_DoubleSeq};
using LongDoubleSeq = std::vector<long double>;
CORBA::typecode_reference _type_code_of_LongDoubleSeq();
inline constexpr takt::cdr::TypeCodeConstant _tc_LongDoubleSeq{&_type_code_of_LongDoubleSeq};
using StringSeq = std::vector<std::string>;
CORBA::typecode_reference _type_code_of_StringSeq();
inline constexpr takt::cdr::TypeCodeConstant _tc_StringSeq{&_type_code_of_StringSeq};
using WStringSeq = std::vector<std::wstring>;
CORBA::typecode_reference _type_code_of_WStringSeq();
inline constexpr takt::cdr::TypeCodeConstant _tc_WStringSeq{&_type_code_of_WStringSeq};

class StringValue final : public takt::cdr::ValueBox<StringValue, std::string> {
 public:
  using _traits_type = IDL::traits<StringValue>;
  using _ref_type = CORBA::valuetype_reference<StringValue>;
  static constexpr std::string_view _value_ids[] = {"IDL:omg.org/CORBA/StringValue:1.0"};
  static constexpr takt::cdr::ValueDescription _value_description{_value_ids};

  StringValue() = default;
  explicit StringValue(_boxed_type value) : ValueBox(std::move(value)) {}
  static const std::string& _repository_id();
  static CORBA::typecode_reference _type_code();
};
inline constexpr takt::cdr::TypeCodeConstant _tc_StringValue{&StringValue::_type_code};

class WStringValue final : public takt::cdr::ValueBox<WStringValue, std::wstring> {
 public:
  using _traits_type = IDL::traits<WStringValue>;
  using _ref_type = CORBA::valuetype_reference<WStringValue>;
  static constexpr std::string_view _value_ids[] = {"IDL:omg.org/CORBA/WStringValue:1.0"};
  static constexpr takt::cdr::ValueDescription _value_description{_value_ids};

  WStringValue() = default;
  explicit WStringValue(_boxed_type value) : ValueBox(std::move(value)) {}
  static const std::string& _repository_id();
  static CORBA::typecode_reference _type_code();
};
inline constexpr takt::cdr::TypeCodeConstant _tc_WStringValue{&WStringValue::_type_code};

}  // namespace CORBA
