// References to groups, and requests to groups.
#include "giop/references/group.h"

#include "giop/heads/group_request.h"
#include "messages.h"

namespace takt::giop::test {
namespace {

const HostPort address{"239.1.2.3", 5000};
const Group group{"Domain", 0x0102030405060708, 9};

Octets request_to(const cdr::TaggedProfile& profile, std::uint8_t response_flags = 0) {
  GatherBuffer buffer(256);
  cdr::Encoder encoder(buffer);
  write_request(encoder, PreparedTarget::for_profile(profile),
                {.request_id = 7, .response_flags = response_flags, .operation = "tell", .has_body = true});
  encoder.put(std::uint32_t{42});
  finish_message(buffer);
  return flatten(buffer);
}

// Follows the OMG's IDL, in big-endian order, as another ORB would write it.
TEST(GroupProfile, IsReadOctetForOctet) {
  const Octets component =
      octets(std::string_view("\x00\x01\x00\x00"
                              "\x00\x00\x00\x07"
                              "Domain\x00\x00"
                              "\x01\x02\x03\x04\x05\x06\x07\x08"
                              "\x00\x00\x00\x09",
                              28));
  ASSERT_EQ(component.size(), 28u);
  EXPECT_EQ(read_group_component({group_component, component}), group);
  Octets data =
      octets(std::string_view("\x00\x01\x00\x00"
                              "\x00\x00\x00\x0a"
                              "239.1.2.3\x00"
                              "\x13\x88"
                              "\x00\x00\x00\x01"
                              "\x00\x00\x00\x27"
                              "\x00\x00\x00\x1c",
                              32));
  data.insert(data.end(), component.begin(), component.end());
  const auto read = read_group_profile({group_profile, data});
  ASSERT_TRUE(read);
  EXPECT_EQ(read->address, address);
  EXPECT_EQ(read->group, group);
}

TEST(GroupProfile, IsReadAsItWasWritten) {
  const TaggedComponent other{77, octets("kept")};
  const auto read = read_group_profile(write_group_profile(address, group, {other}));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->address, address);
  EXPECT_EQ(read->group, group);
  EXPECT_EQ(read->components, (std::vector{make_group_component(group), other}));
}

TEST(GroupProfile, OneThatIsCutOffOrHasNoGroupIsNone) {
  const auto whole = write_group_profile(address, group);
  for (std::size_t size = 0; size < whole.data.size(); ++size)
    EXPECT_FALSE(read_group_profile(
        {group_profile, {whole.data.begin(), whole.data.begin() + static_cast<long>(size)}}))
        << size;
  auto version_two = whole;
  version_two.data[1] = 2;
  EXPECT_FALSE(read_group_profile(version_two));
  auto without = whole;
  without.data[24] = 99;  // the component's tag
  without.data[27] = 99;
  EXPECT_FALSE(read_group_profile(without));
  EXPECT_FALSE(read_group_profile({internet_profile, whole.data}));
}

TEST(GroupUrl, SaysAddressAndGroup) {
  const auto v6 = parse_group_url("1.0@1.0-d-18446744073709551615/[ff15::1]:1");
  ASSERT_TRUE(v6);
  EXPECT_EQ(v6->address, (HostPort{"ff15::1", 1}));
  EXPECT_EQ(v6->group.id, UINT64_MAX);
  EXPECT_EQ(v6->group.reference_version, 0u);
  EXPECT_EQ(to_url(*v6), "corbaloc:miop:1.0@1.0-d-18446744073709551615-0/[ff15::1]:1");
}

TEST(GroupRequest, SaysItsGroupAndWhatIsAsked) {
  const Octets message = request_to(write_group_profile(address, group));
  Event event;
  EXPECT_EQ(read_group_request(message, limits, event), group);
  EXPECT_EQ(event.operation, "tell");
  EXPECT_EQ(event.request_id, 7u);
  EXPECT_FALSE(event.response_expected);
  EXPECT_EQ(event.body.size(), 4u);
}

TEST(GroupRequest, AnythingElseIsNone) {
  const auto profile = write_group_profile(address, group);
  Event event;
  EXPECT_FALSE(read_group_request(request_to(profile, response_from_target), limits, event)) << "two-way";
  EXPECT_FALSE(read_group_request(request_to(write_iiop_profile(IiopProfile())), limits, event));
  const Octets good = request_to(profile);
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(read_group_request(ByteView(good).first(size), limits, event)) << size;
  Octets longer = good;
  longer.push_back(0);
  EXPECT_FALSE(read_group_request(longer, limits, event));
  Octets in_fragments = good;
  in_fragments[6] |= more_fragments_flag;
  EXPECT_FALSE(read_group_request(in_fragments, limits, event));
  const MessageMaker by_key{{1, 2}, cdr::native_order};
  EXPECT_FALSE(read_group_request(by_key.request(1, "tell", "body"), limits, event));
}

}  // namespace
}  // namespace takt::giop::test
