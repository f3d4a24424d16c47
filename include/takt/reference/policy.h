// Policies: settings of an ORB, an adapter or a reference that an application makes (CORBA 3.0.3, 4.8).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <takt/reference/object.h>
#include <takt/standard/CORBA_policiesC.h>

namespace CORBA {

// Immutable, so any number of threads and owners may share a policy.
class Policy : public virtual Object {
 public:
  using _ref_type = object_reference<Policy>;
  virtual PolicyType policy_type() = 0;
  virtual object_reference<Policy> copy() = 0;
  virtual void destroy() {}

  static const std::string& _interface_repository_id() {
    static const std::string id = "IDL:omg.org/CORBA/Policy:1.0";
    return id;
  }
};
using PolicyList = std::vector<object_reference<Policy>>;

class PolicyError final : public UserException {
 public:
  PolicyError() = default;
  explicit PolicyError(PolicyErrorCode reason) : reason_(reason) {}
  PolicyErrorCode reason() const { return reason_; }
  void reason(PolicyErrorCode reason) { reason_ = reason; }
  const char* _rep_id() const noexcept override { return "IDL:omg.org/CORBA/PolicyError:1.0"; }
  const char* _name() const noexcept override { return "PolicyError"; }
  // Has the reason's name, and what it means.
  const char* what() const noexcept override;
  [[noreturn]] void _raise() const override { throw *this; }

 private:
  PolicyErrorCode reason_ = BAD_POLICY;
};

// The indices of the policies in a list that cannot be set.
class InvalidPolicies final : public UserException {
 public:
  InvalidPolicies() = default;
  explicit InvalidPolicies(std::vector<std::uint16_t> indices) : indices_(std::move(indices)) {}
  const std::vector<std::uint16_t>& indices() const { return indices_; }
  void indices(std::vector<std::uint16_t> indices) { indices_ = std::move(indices); }
  const char* _rep_id() const noexcept override { return "IDL:omg.org/CORBA/InvalidPolicies:1.0"; }
  const char* _name() const noexcept override { return "InvalidPolicies"; }
  const char* what() const noexcept override {
    return "CORBA::InvalidPolicies: policies of the list cannot be set here, or contradict each other; "
           "indices() are their places";
  }
  [[noreturn]] void _raise() const override { throw *this; }

 private:
  std::vector<std::uint16_t> indices_;
};

}  // namespace CORBA
