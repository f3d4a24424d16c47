#include "reference/text/stringified_ior.h"

#include <gtest/gtest.h>

#include "giop/references/profile.h"

namespace takt::reference {
namespace {

cdr::TaggedProfile profile(std::uint8_t minor) {
  giop::IiopProfile profile;
  profile.version = {1, minor};
  profile.host = "fe80::1";
  profile.port = 2809;
  profile.object_key = {0, 'k', 'e', 'y', 0xff};
  if (minor > 0) {
    profile.components.push_back(giop::make_orb_type_component());
    profile.components.push_back(giop::make_alternate_address_component({"second.host", 1}));
  }
  return giop::write_iiop_profile(profile);
}

TEST(StringifiedIor, GoesAndComesBack) {
  const cdr::Ior ior{"IDL:Test:1.0", {profile(0), {0x54414f00, {'k', 'e', 'p', 't'}}, profile(2)}};
  const std::string text = ior_to_text(ior);
  const auto read = ior_from_text(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, ior);
  EXPECT_EQ(ior_to_text(*read), text);
}

TEST(StringifiedIor, NilInEitherOrderAndCase) {
  for (const char* text : {"IOR:00000000000000010000000000000000", "ior:01000000010000000000000000000000",
                           "IOR:01000000010000000000000000000000\n"}) {
    const auto nil = ior_from_text(text);
    ASSERT_TRUE(nil) << text;
    EXPECT_TRUE(nil->is_nil());
  }
  EXPECT_EQ(ior_from_text("IOR:0000000000000001AbCdEf00").error(), IorTextError::contents);
}

TEST(StringifiedIor, SaysWhatIsWrong) {
  EXPECT_EQ(ior_from_text("").error(), IorTextError::no_prefix);
  EXPECT_EQ(ior_from_text("corbaloc:").error(), IorTextError::no_prefix);
  EXPECT_EQ(ior_from_text("IOR:0").error(), IorTextError::digits);
  EXPECT_EQ(ior_from_text("IOR:0g").error(), IorTextError::digits);
  EXPECT_EQ(ior_from_text("IOR:").error(), IorTextError::contents);
  EXPECT_EQ(ior_from_text("IOR:0000000000000001000000007fffffff").error(), IorTextError::contents);
  const std::string text = ior_to_text({"IDL:Test:1.0", {profile(2)}});
  for (std::size_t cut = 4; cut < text.size(); ++cut) EXPECT_FALSE(ior_from_text(text.substr(0, cut))) << cut;
}

}  // namespace
}  // namespace takt::reference
