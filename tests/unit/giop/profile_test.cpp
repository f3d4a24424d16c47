#include "giop/references/profile.h"

#include "giop/header/lite_format.h"
#include "giop/message/target_address.h"
#include "giop/references/secure_transport.h"
#include "messages.h"

namespace takt::giop::test {
namespace {

IiopProfile sample(std::uint8_t minor) {
  IiopProfile profile;
  profile.version = {1, minor};
  profile.host = "fe80::1";
  profile.port = 2809;
  profile.object_key = octets(std::string_view("\0key\xff", 5));
  if (minor > 0) {
    profile.components.push_back(make_orb_type_component());
    profile.components.push_back(make_alternate_address_component({"second.host", 1}));
    profile.components.push_back({0x12345678, octets("not an encapsulation")});
    profile.components.push_back(make_alternate_address_component({"10.0.0.1", 65535}));
  }
  return profile;
}

TEST(Profile, GoesAndComesBack) {
  for (const std::uint8_t minor : {0, 1, 2}) {
    const IiopProfile profile = sample(minor);
    const auto tagged = write_iiop_profile(profile);
    const auto read = read_iiop_profile(tagged);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->version, profile.version);
    EXPECT_EQ(read->host, profile.host);
    EXPECT_EQ(read->port, profile.port);
    EXPECT_EQ(read->object_key, profile.object_key);
    EXPECT_EQ(read->components, profile.components) << "known and unknown, octet for octet";
    ByteView key;
    ASSERT_TRUE(object_key_of_profile(tagged.tag, tagged.data, key));
    EXPECT_EQ(Octets(key.begin(), key.end()), profile.object_key);
  }
}

TEST(Profile, AddressesInTheOrderToTry) {
  const auto addresses = sample(2).addresses();
  EXPECT_EQ(addresses, (std::vector<HostPort>{{"fe80::1", 2809}, {"second.host", 1}, {"10.0.0.1", 65535}}));
  EXPECT_EQ(read_orb_type(*sample(1).find(orb_type_component)), takt_orb_type);
  EXPECT_EQ(sample(1).find(77), nullptr);
}

TEST(Profile, WhatDoesNotHoldTogetherIsRefused) {
  const auto tagged = write_iiop_profile(sample(2));
  for (std::size_t cut = 0; cut < tagged.data.size(); ++cut) {
    cdr::TaggedProfile bad = tagged;
    bad.data.resize(cut);
    EXPECT_FALSE(read_iiop_profile(bad)) << cut;
  }
  cdr::TaggedProfile other = tagged;
  other.tag = 3;
  EXPECT_EQ(read_iiop_profile(other).error(), ProfileError::not_iiop);
  other = tagged;
  other.data[1] = 2;
  EXPECT_EQ(read_iiop_profile(other).error(), ProfileError::version);
}

TEST(Profile, AHigherMinorIsReadAsFarAsWeKnowIt) {
  auto tagged = write_iiop_profile(sample(2));
  tagged.data[2] = 5;
  tagged.data.insert(tagged.data.end(), {1, 2, 3});
  const auto read = read_iiop_profile(tagged);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->version, (Version{1, 2}));
  EXPECT_EQ(read->components.size(), 4u);
}

}  // namespace
TEST(Profile, OfATransportWithoutPortsIsReadBackAsItWas) {
  IiopProfile profile;
  profile.version = {1, 2};
  profile.host = "/run/server";
  profile.object_key = {'k', 'e', 'y'};
  profile.components = {make_unix_path_component({"machine", "/run/server"})};
  const auto tagged = write_profile(profile, {unix_profile, false});
  EXPECT_EQ(tagged.tag, unix_profile);
  // Byte order, version 1.2, padding; the path with its length; the key with its length.
  const std::vector<std::uint8_t> key(tagged.data.begin() + 8 + 12, tagged.data.begin() + 8 + 12 + 7);
  EXPECT_EQ(key[4], 'k');
  EXPECT_FALSE(read_iiop_profile(tagged));
  const auto read = read_profile(tagged, {unix_profile, false});
  ASSERT_TRUE(read);
  EXPECT_EQ(read->host, profile.host);
  EXPECT_EQ(read->object_key, profile.object_key);
  EXPECT_EQ(read->components, profile.components);
}

// As published by omniNames 4.2.5 with giop:unix:.
TEST(Profile, AnOmniOrbPathIsRead) {
  const TaggedComponent component{unix_path_component,
                                  {1, 0, 0,   0,   3,   0,   0,   0,   'v', 'm', 0,   0,   11, 0,
                                   0, 0, '/', 't', 'm', 'p', '/', 'x', '.', 's', 'o', 'c', 0}};
  EXPECT_EQ(read_unix_path(component), (UnixPath{"vm", "/tmp/x.soc"}));
  EXPECT_EQ(read_unix_path(make_unix_path_component({"vm", "/tmp/x"})), (UnixPath{"vm", "/tmp/x"}));
  EXPECT_FALSE(read_unix_path({unix_path_component, {1, 0, 0, 0, 9}}));
  EXPECT_FALSE(read_unix_path({alternate_address_component, component.data}));
}

TEST(Profile, ComponentsGoAndComeBack) {
  const Machine machine{"boot-id", 3};
  EXPECT_EQ(read_machine(make_machine_component(machine)), machine);
  EXPECT_EQ(read_orb_type(make_orb_type_component(7)), 7U);
  EXPECT_TRUE(speaks_lite(make_lite_component()));
  const SecureTransport transport{.supports = 0x66, .requires_ = 0x06, .port = 2809};
  EXPECT_EQ(read_secure_transport(make_secure_transport_component(transport)), transport);
}

// For each component: another tag, and every prefix of its octets.
template <class Read>
void expect_refused(TaggedComponent component, Read read) {
  const Octets whole = component.data;
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    component.data.assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut));
    EXPECT_FALSE(read(component)) << cut;
  }
  component.data = whole;
  EXPECT_TRUE(read(component));
  component.tag = 0x7fffffff;
  EXPECT_FALSE(read(component));
}

TEST(Profile, ComponentsThatAreCutShortOrOfAnotherKindAreNone) {
  expect_refused(make_machine_component({"id", 1}), read_machine);
  expect_refused(make_orb_type_component(), read_orb_type);
  expect_refused(make_alternate_address_component({"host", 1}), read_alternate_address);
  expect_refused(make_unix_path_component({"vm", "/x"}), read_unix_path);
  expect_refused(make_secure_transport_component({1, 0, 1}), read_secure_transport);
  expect_refused(make_lite_component(), speaks_lite);
}

TEST(Profile, AnotherVersionOfGiopLiteIsNotSpoken) {
  TaggedComponent component = make_lite_component();
  component.data.back() = lite::format_version + 1;
  EXPECT_FALSE(speaks_lite(component));
}

TEST(Profile, TlsIsRequiredWhereAnythingButPlainIs) {
  using namespace association;
  EXPECT_FALSE(SecureTransport().is_required());
  EXPECT_FALSE((SecureTransport{.supports = 0x7f, .requires_ = no_protection | detect_replay}.is_required()));
  for (const Options one : {integrity, confidentiality, establish_trust_in_target, establish_trust_in_client})
    EXPECT_TRUE((SecureTransport{.supports = 0, .requires_ = one}.is_required())) << one;
}

}  // namespace takt::giop::test
