#include "reference/text/object_url.h"

#include <gtest/gtest.h>

#include "giop/references/group.h"
#include "giop/references/profile.h"

namespace takt::reference {
namespace {

using giop::Version;

std::vector<std::uint8_t> octets(std::string_view text) { return {text.begin(), text.end()}; }
std::string text(ByteView octets) { return {octets.begin(), octets.end()}; }

ObjectUrl parsed(std::string_view url) {
  auto result = parse_object_url(url);
  EXPECT_TRUE(result) << url;
  return result ? *result : ObjectUrl{};
}
UrlError error_of(std::string_view url) {
  const auto result = parse_object_url(url);
  EXPECT_FALSE(result) << url;
  return result ? UrlError::other : result.error();
}

TEST(ObjectUrl, CorbalocWithAllParts) {
  const ObjectUrl url = parsed("corbaloc:iiop:1.2@host.example:1234/Some%20key%2f");
  EXPECT_EQ(url.scheme, ObjectUrl::Scheme::corbaloc);
  ASSERT_EQ(url.addresses.size(), 1u);
  EXPECT_EQ(url.addresses[0].protocol, "iiop");
  EXPECT_EQ(url.addresses[0].version, (Version{1, 2}));
  EXPECT_EQ(url.addresses[0].host, "host.example");
  EXPECT_EQ(url.addresses[0].port, 1234);
  EXPECT_EQ(text(url.key), "Some key/");
}

TEST(ObjectUrl, WhatIsLeftOutHasDefaults) {
  const ObjectUrl url = parsed("corbaloc::host");
  EXPECT_EQ(url.addresses.at(0).protocol, "iiop");
  EXPECT_EQ(url.addresses.at(0).version, (Version{1, 0}));
  EXPECT_EQ(url.addresses.at(0).port, 2809);
  EXPECT_EQ(text(url.key), "NameService");
  EXPECT_EQ(parsed("corbaloc:iiop:/key").addresses.at(0).host, "");
  EXPECT_EQ(parsed("CorbaLoc:IIOP:h/key").addresses.at(0).protocol, "iiop");
}

TEST(ObjectUrl, SeveralAddressesMakeSeveralProfiles) {
  const ObjectUrl url = parsed("corbaloc::1.1@a:1,iiop:[::1]:2,:[fe80::2],iiop:/a,b/c");
  ASSERT_EQ(url.addresses.size(), 4u);
  EXPECT_EQ(text(url.key), "a,b/c");
  const cdr::Ior ior = ior_of(url, "this.host");
  ASSERT_EQ(ior.profiles.size(), 4u);
  EXPECT_EQ(ior.type_id, "");
  const char* hosts[] = {"a", "::1", "fe80::2", "this.host"};
  const std::uint16_t ports[] = {1, 2, 2809, 2809};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto profile = giop::read_iiop_profile(ior.profiles[i]);
    ASSERT_TRUE(profile);
    EXPECT_EQ(profile->host, hosts[i]);
    EXPECT_EQ(profile->port, ports[i]);
    EXPECT_EQ(text(profile->object_key), "a,b/c");
    EXPECT_EQ(profile->version.minor, i == 0 ? 1 : 0);
  }
}

TEST(ObjectUrl, InitialReferencesStandAlone) {
  const ObjectUrl url = parsed("corbaloc:rir:/TradingService");
  EXPECT_TRUE(url.is_initial_reference());
  EXPECT_EQ(text(url.key), "TradingService");
  EXPECT_EQ(text(parsed("corbaloc:rir:").key), "NameService");
  EXPECT_EQ(text(parsed("corbaloc:rir:/").key), "NameService");
  EXPECT_EQ(error_of("corbaloc:rir:,:host/Key"), UrlError::bad_address);
  EXPECT_EQ(error_of("corbaloc::host,rir:/Key"), UrlError::bad_address);
  EXPECT_EQ(error_of("corbaloc:rir:host/Key"), UrlError::bad_address);
}

TEST(ObjectUrl, CorbanameHasANameBehindTheHash) {
  const ObjectUrl url = parsed("corbaname::1.2@host:9/Root#a/b.c%20d");
  EXPECT_EQ(url.scheme, ObjectUrl::Scheme::corbaname);
  EXPECT_EQ(text(url.key), "Root");
  EXPECT_EQ(url.name, "a/b.c d");
  EXPECT_EQ(parsed("corbaname::host").name, "");
  EXPECT_EQ(text(parsed("corbaname::host#x").key), "NameService");
  EXPECT_TRUE(parsed("corbaname:rir:#x").is_initial_reference());
  EXPECT_EQ(error_of("corbaname::host#a//b"), UrlError::bad_specific_part);
  EXPECT_EQ(error_of("corbaname::host#%4"), UrlError::bad_specific_part);
}

TEST(ObjectUrl, PathsOfSocketsInBothOfTheirForms) {
  for (const char* form :
       {"corbaloc:uiop:1.2@/tmp/a socket|Key", "corbaloc:omniunix:1.2@/tmp/a socket:/Key"}) {
    const ObjectUrl url = parsed(form);
    EXPECT_EQ(url.addresses.at(0).host, "/tmp/a socket");
    EXPECT_EQ(url.addresses.at(0).version.minor, 2);
    EXPECT_EQ(text(url.key), "Key");
    const cdr::Ior ior = ior_of(url, "localhost");
    ASSERT_EQ(ior.profiles.size(), 1u);
    const auto profile = giop::read_profile(ior.profiles[0], {giop::unix_profile, false});
    ASSERT_TRUE(profile);
    EXPECT_EQ(profile->host, "/tmp/a socket");
    EXPECT_EQ(profile->version.minor, 2);
    EXPECT_EQ(profile->object_key, url.key);
  }
  EXPECT_EQ(error_of("corbaloc:uiop:|Key"), UrlError::bad_address);
  EXPECT_EQ(error_of("corbaloc:omniunix:x@/tmp/a:/Key"), UrlError::bad_address);
}

TEST(ObjectUrl, OtherProtocolsAreLeftToTheirTransports) {
  EXPECT_EQ(parsed("corbaloc:diop:host:7/Key").addresses.at(0).specific, "host:7");
  EXPECT_EQ(parsed("corbaloc:ssliop:host:7/K").addresses.at(0).port, 7);
}

TEST(ObjectUrl, FilesAndReferences) {
  EXPECT_EQ(parsed("file:///tmp/ref").path, "/tmp/ref");
  EXPECT_EQ(parsed("file:/tmp/ref").path, "/tmp/ref");
  EXPECT_EQ(parsed("file://ref").scheme, ObjectUrl::Scheme::file);
  EXPECT_TRUE(parsed("IOR:00000000000000010000000000000000").ior.is_nil());
}

TEST(ObjectUrl, ErrorsAreTheMinorCodesOfBadParam) {
  EXPECT_EQ(error_of(""), UrlError::bad_scheme);
  EXPECT_EQ(error_of("corba:"), UrlError::bad_scheme);
  EXPECT_EQ(error_of("http://host/"), UrlError::bad_scheme);
  EXPECT_EQ(error_of("IOR:0"), UrlError::bad_specific_part);
  EXPECT_EQ(error_of("file://"), UrlError::bad_specific_part);
  for (const char* bad :
       {"corbaloc:", "corbaloc:/Key", "corbaloc:host/Key", "corbaloc::host:0/K", "corbaloc::host:99999/K",
        "corbaloc::host:/K", "corbaloc::host:x/K", "corbaloc:::2809/K", "corbaloc::[::1/K",
        "corbaloc::[]:1/K", "corbaloc::[::1]1/K", "corbaloc::2.0@h/K", "corbaloc::1@h/K", "corbaloc::.1@h/K",
        "corbaloc::h,/K", "corbaloc:a-b:h/K", "corbaloc::::1/K"})
    EXPECT_EQ(error_of(bad), UrlError::bad_address) << bad;
  for (const char* bad :
       {"corbaloc::h/%", "corbaloc::h/%4", "corbaloc::h/%4g", "corbaloc::h/a b", "corbaloc::h/a#b"})
    EXPECT_EQ(error_of(bad), UrlError::bad_specific_part) << bad;
  EXPECT_EQ(static_cast<int>(UrlError::bad_address), 8);
}

TEST(ObjectUrl, EscapesAllThatAUrlCannotHold) {
  std::vector<std::uint8_t> every(256);
  for (std::size_t i = 0; i < 256; ++i) every[i] = static_cast<std::uint8_t>(i);
  const std::string escaped = escape_url(every);
  std::vector<std::uint8_t> back;
  ASSERT_TRUE(unescape_url(escaped, back));
  EXPECT_EQ(back, every);
  EXPECT_EQ(escape_url(octets("a;/:?@&=+$,-_.!~*'()Z9")), "a;/:?@&=+$,-_.!~*'()Z9");
  EXPECT_EQ(escape_url(octets("#%\\ ")), "%23%25%5c%20");
}

TEST(ObjectUrl, OfAGroupSaysAddressAndGroup) {
  for (const char* text :
       {"corbaloc:miop:1.0@1.0-Domain-5-6/239.1.2.3:5000", "corbaloc:MIOP:1.0-Domain-5-6/239.1.2.3:5000"}) {
    const auto url = parse_object_url(text);
    ASSERT_TRUE(url) << text;
    const cdr::Ior ior = ior_of(*url, "localhost");
    ASSERT_EQ(ior.profiles.size(), 1u);
    const auto profile = giop::read_group_profile(ior.profiles[0]);
    ASSERT_TRUE(profile);
    EXPECT_EQ(profile->address, (giop::HostPort{"239.1.2.3", 5000}));
    EXPECT_EQ(profile->group, (giop::Group{"Domain", 5, 6}));
    EXPECT_EQ(giop::to_url(*profile), "corbaloc:miop:1.0@1.0-Domain-5-6/239.1.2.3:5000");
  }
}

TEST(ObjectUrl, OfAGroupThatIsNoneIsABadAddress) {
  for (const char* text :
       {"", "1.0-d-5", "1.0-d-5/239.1.2.3", "1.0-d-5/239.1.2.3:0", "1.0-d-5/239.1.2.3:65536",
        "1.0-d-5/239.1.2.3:5000/key", "1.0-d-x/239.1.2.3:5000", "1.0--5/239.1.2.3:5000",
        "2.0-d-5/239.1.2.3:5000", "2.0@1.0-d-5/239.1.2.3:5000", "1.0@d-5/239.1.2.3:5000",
        "1.0-d-5/[ff15::1:5000", "1.0-d-5/[[ff15::1]:5000", "1.0-d d-5/239.1.2.3:5000",
        "1.0-d-5-/239.1.2.3:5000", "1.0-d-5-6-7/239.1.2.3:5000"}) {
    const auto url = parse_object_url(std::string("corbaloc:miop:") + text);
    ASSERT_FALSE(url) << text;
    EXPECT_EQ(url.error(), UrlError::bad_address) << text;
  }
}

}  // namespace
}  // namespace takt::reference
