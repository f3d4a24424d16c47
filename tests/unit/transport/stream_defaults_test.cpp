// Defaults of a transport that overrides nothing optional.
#include <cerrno>

#include <gtest/gtest.h>

#include <takt/transport/stream.h>
#include <takt/transport/transport.h>

namespace takt::transport {
namespace {

// Only the functions that a stream must implement.
class PlainStream final : public Stream {
 public:
  IoResult read(MutableBytes into) override {
    into[0] = 7;
    return {1, IoStatus::ok, 0};
  }
  IoResult write(ByteView octets) override { return {octets.size(), IoStatus::ok, 0}; }
  IoResult write_gather(std::span<const ByteView> pieces) override { return write(pieces.front()); }
  void set_blocking(bool) override {}
  bool set_timeouts(std::chrono::nanoseconds, std::chrono::nanoseconds) override { return false; }
  bool set_write_timeout(std::chrono::nanoseconds) override { return false; }
  bool set_silence_limit(std::chrono::nanoseconds) override { return false; }
  int native_handle() const override { return -1; }
  void shut_down() override {}
  void shut_down_reading() override {}
  std::string describe() const override { return "plain"; }
};

class PlainTransport final : public Transport {
 public:
  std::string_view name() const override { return "plain"; }
  ProfileForm profile_form() const override { return {}; }
  EndpointResult parse(std::string_view address) const override {
    return Endpoint{"plain", std::string(address), 0};
  }
  bool is_definite(const Endpoint&) const override { return true; }
  Endpoint beside(const Endpoint& configured) const override { return configured; }
  ListenResult listen(const Endpoint&, const ListenOptions&) override {
    return std::unexpected(ListenError{EINVAL, "no"});
  }
  ConnectResult connect(const Endpoint&, os::TimePoint, const StreamOptions&) override {
    return std::unexpected(ConnectError{ConnectError::Phase::connect, EINVAL, "no"});
  }
};

TEST(StreamDefaults, AStreamPromisesNothingThatItDoesNotHave) {
  PlainStream stream;
  EXPECT_FALSE(stream.stamp_arrivals());
  EXPECT_FALSE(stream.has_room_for_small_write());
  EXPECT_FALSE(stream.holds_octets());
  EXPECT_FALSE(stream.holds_unsent());
  stream.probe_silent_peer(os::no_deadline);
  EXPECT_FALSE(stream.write_waits_for_read());
  EXPECT_EQ(stream.next_read_deadline(), os::no_deadline);
  EXPECT_TRUE(stream.borrow(100).empty());
  EXPECT_TRUE(stream.read_in_place(100).empty());
  EXPECT_EQ(stream.available_in_place(), 0u);
  EXPECT_EQ(stream.peer_address(), "");
  EXPECT_EQ(stream.peer_host(), "");
  EXPECT_EQ(stream.peer_process(), std::nullopt);
  EXPECT_EQ(stream.peer_certificate(), nullptr);
  EXPECT_FALSE(stream.capabilities().replaceable_by_road);
}

TEST(StreamDefaults, ReadsWithoutStampsAreOfNoAge) {
  PlainStream stream;
  std::uint8_t octet = 0;
  std::chrono::nanoseconds age{5};
  const IoResult result = stream.read_stamped({&octet, 1}, age);
  EXPECT_EQ(result.bytes, 1u);
  EXPECT_EQ(octet, 7);
  EXPECT_EQ(age.count(), 0);
}

TEST(StreamDefaults, TheSendingDirectionAloneDoesNotEnd) {
  PlainStream stream;
  stream.shut_down_writing();
  const std::uint8_t octet = 1;
  EXPECT_EQ(stream.write({&octet, 1}).status, IoStatus::ok);
}

TEST(TransportDefaults, ATransportWithoutSettingsTakesNone) {
  PlainTransport transport;
  EXPECT_EQ(transport.validate(""), "");
  EXPECT_EQ(transport.validate("a=b"), "it has no settings of its own");
}

TEST(TransportDefaults, CallsGoBothWaysAndWhatIsBoundIsPublished) {
  PlainTransport transport;
  EXPECT_TRUE(transport.supports_bidirectional());
  const Endpoint bound{"plain", "here", 0};
  EXPECT_EQ(transport.published(bound), std::vector<Endpoint>{bound});
}

}  // namespace
}  // namespace takt::transport
