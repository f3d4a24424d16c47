// Texts of the exceptions that the ORB itself raises for policies.
#include <gtest/gtest.h>

#include <string>

#include <takt/reference/policy.h>

namespace {

TEST(ExceptionTexts, OfPolicyErrorHaveTheReasonsName) {
  const std::pair<CORBA::PolicyErrorCode, const char*> reasons[] = {
      {CORBA::BAD_POLICY,
       "CORBA::PolicyError: BAD_POLICY: policies of this type are unknown, or cannot be set here"},
      {CORBA::UNSUPPORTED_POLICY,
       "CORBA::PolicyError: UNSUPPORTED_POLICY: the ORB has no policies of this standard type"},
      {CORBA::BAD_POLICY_TYPE,
       "CORBA::PolicyError: BAD_POLICY_TYPE: the value's type is not that of the policy"},
      {CORBA::BAD_POLICY_VALUE, "CORBA::PolicyError: BAD_POLICY_VALUE: the policy cannot have this value"},
      {CORBA::UNSUPPORTED_POLICY_VALUE,
       "CORBA::PolicyError: UNSUPPORTED_POLICY_VALUE: the ORB does not support this value of the policy"}};
  for (const auto& [reason, text] : reasons) EXPECT_STREQ(CORBA::PolicyError(reason).what(), text);
}

TEST(ExceptionTexts, OfAPolicyErrorWithAnUnknownReasonIsItsId) {
  EXPECT_STREQ(CORBA::PolicyError(99).what(), "IDL:omg.org/CORBA/PolicyError:1.0");
}

TEST(ExceptionTexts, OfInvalidPoliciesNameThePlaces) {
  EXPECT_NE(std::string(CORBA::InvalidPolicies({1}).what()).find("indices()"), std::string::npos);
}

}  // namespace
