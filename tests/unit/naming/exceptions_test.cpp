// The texts of user exceptions that generated code declares.
#include <gtest/gtest.h>

#include "CosNamingC.h"

namespace {

using CosNaming::NamingContext;

TEST(UserExceptions, SayTheirIdAndMembers) {
  const NamingContext::NotFound failure(NamingContext::NotFoundReason::missing_node,
                                        {CosNaming::NameComponent("a\x1b[2J", "b")});
  EXPECT_STREQ(failure.what(),
               "IDL:omg.org/CosNaming/NamingContext/NotFound:1.0{why=CosNaming::NamingContext::"
               "NotFoundReason::missing_node,rest_of_name=<CosNaming::NameComponent{id=\"a\\x1b[2J\",kind="
               "\"b\"}>}");
  EXPECT_STREQ(NamingContext::AlreadyBound().what(), "IDL:omg.org/CosNaming/NamingContext/AlreadyBound:1.0");
}

TEST(UserExceptions, SayWhatAMemberHasNow) {
  NamingContext::NotFound failure(NamingContext::NotFoundReason::not_object, {});
  const std::string before = failure.what();
  failure.why(NamingContext::NotFoundReason::not_context);
  EXPECT_NE(failure.what(), before);
  const NamingContext::NotFound copy = failure;
  EXPECT_STREQ(copy.what(), failure.what());
}

TEST(UserExceptions, SayNoMoreThanFourThousandOctets) {
  NamingContext::NotFound failure;
  failure.rest_of_name().assign(1000, CosNaming::NameComponent("long", "name"));
  const std::string text = failure.what();
  EXPECT_EQ(text.size(), 4003u);
  EXPECT_TRUE(text.ends_with("..."));
}

}  // namespace
