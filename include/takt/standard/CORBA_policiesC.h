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

class PolicyError final : public CORBA::UserException {
 public:
  static constexpr takt::cdr::Description<1> _description{
      "IDL:omg.org/CORBA/PolicyError:1.0", "CORBA::PolicyError", {"reason"}};

  PolicyError() = default;
  explicit PolicyError(PolicyErrorCode reason) : reason_(reason) {}

  void reason(PolicyErrorCode value) { reason_ = value; }
  PolicyErrorCode reason() const { return reason_; }
  PolicyErrorCode& reason() { return reason_; }

  const char* _rep_id() const noexcept override { return _description.id.data(); }
  const char* _name() const noexcept override { return "PolicyError"; }
  [[noreturn]] void _raise() const override { throw *this; }
  const takt::cdr::ExceptionForm* _form() const noexcept override;
  const char* what() const noexcept override;
  void swap(PolicyError& other) { std::swap(*this, other); }
  friend void swap(PolicyError& a, PolicyError& b) { a.swap(b); }
  friend bool operator==(const PolicyError& a, const PolicyError& b) { return takt::cdr::equal(a, b); }
  template <class Out>
  friend Out& operator<<(Out& out, const PolicyError& value) {
    return IDL::write(out, value);
  }
  static CORBA::typecode_reference _type_code();
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields([[maybe_unused]] Self& self, Visitor&& visit) {
    return visit(self.reason_);
  }

 private:
  PolicyErrorCode reason_{};
  takt::cdr::ExceptionText _text;
};
inline constexpr takt::cdr::TypeCodeConstant _tc_PolicyError{&PolicyError::_type_code};

class InvalidPolicies final : public CORBA::UserException {
 public:
  static constexpr takt::cdr::Description<1> _description{
      "IDL:omg.org/CORBA/InvalidPolicies:1.0", "CORBA::InvalidPolicies", {"indices"}};

  InvalidPolicies() = default;
  explicit InvalidPolicies(std::vector<std::uint16_t> indices) : indices_(std::move(indices)) {}

  void indices(const std::vector<std::uint16_t>& value) { indices_ = value; }
  void indices(std::vector<std::uint16_t>&& value) { indices_ = std::move(value); }
  const std::vector<std::uint16_t>& indices() const { return indices_; }
  std::vector<std::uint16_t>& indices() { return indices_; }

  const char* _rep_id() const noexcept override { return _description.id.data(); }
  const char* _name() const noexcept override { return "InvalidPolicies"; }
  [[noreturn]] void _raise() const override { throw *this; }
  const takt::cdr::ExceptionForm* _form() const noexcept override;
  const char* what() const noexcept override;
  void swap(InvalidPolicies& other) { std::swap(*this, other); }
  friend void swap(InvalidPolicies& a, InvalidPolicies& b) { a.swap(b); }
  friend bool operator==(const InvalidPolicies& a, const InvalidPolicies& b) {
    return takt::cdr::equal(a, b);
  }
  template <class Out>
  friend Out& operator<<(Out& out, const InvalidPolicies& value) {
    return IDL::write(out, value);
  }
  static CORBA::typecode_reference _type_code();
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields([[maybe_unused]] Self& self, Visitor&& visit) {
    return visit(self.indices_);
  }

 private:
  std::vector<std::uint16_t> indices_{};
  takt::cdr::ExceptionText _text;
};
inline constexpr takt::cdr::TypeCodeConstant _tc_InvalidPolicies{&InvalidPolicies::_type_code};

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
