// Messages from a sender to a group, over this machine's sockets.
#include "transport/miop/group_sender.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "os/net/datagram_sockets.h"
#include "os/net/multicast_sockets.h"
#include "os/poll/wait.h"
#include "transport/miop/packet_collections.h"

namespace takt::transport::miop {
namespace {

using namespace std::chrono_literals;
using Octets = std::vector<std::uint8_t>;

os::TimePoint soon() { return os::Clock::now() + 30s; }

// A sender and a member of its group, both on the loopback interface.
class GroupSenderTest : public testing::Test {
 protected:
  void SetUp() override {
    options_.interface = "lo";
    options_.datagram_bytes = 200;
    auto member = os::open_group_member(*os::Address::parse(to_.host, to_.port),
                                        os::interface_number(options_.interface).value_or(0));
    auto sender = GroupSender::open(to_, options_, {});
    if (!member || !sender) GTEST_SKIP() << "this machine has no multicast on its loopback interface";
    member_.emplace(std::move(*member));
    sender_ = std::move(*sender);
    if (send(Octets(1)) != os::IoStatus::ok || !next_datagram())
      GTEST_SKIP() << "the loopback interface carries no multicast";
  }

  os::IoStatus send(const Octets& message) {
    const std::vector<ByteView> pieces{ByteView(message).first(message.size() / 2),
                                       ByteView(message).subspan(message.size() / 2)};
    const os::IoResult sent = sender_->send(pieces, soon());
    EXPECT_TRUE(sent.status != os::IoStatus::ok || sent.bytes == message.size());
    return sent.status;
  }
  // Empty if none comes in time.
  std::optional<Octets> next_datagram() {
    if (os::wait_ready(member_->fd(), os::Interest::read, os::Clock::now() + 5s) != os::WaitResult::ready)
      return std::nullopt;
    Octets datagram(65'536);
    os::Address from;
    datagram.resize(os::receive_from(*member_, datagram, from).bytes);
    return datagram;
  }

  // The tests run at once, each in a process of its own.
  const Endpoint to_{"miop", "239.192.77.1", static_cast<std::uint16_t>(47'000 + ::getpid() % 1'000)};
  GroupOptions options_;
  std::optional<os::Socket> member_;
  std::unique_ptr<GroupSender> sender_;
};

TEST_F(GroupSenderTest, MessagesGoInPacketsThatMakeThemUpAgain) {
  PacketCollections collections(options_.limits);
  const Octets peer{10, 0, 0, 1};
  for (const std::size_t size : {1u, 150u, 151u, 1000u}) {
    Octets message(size);
    for (std::size_t i = 0; i < size; ++i) message[i] = static_cast<std::uint8_t>(i * 7 + size);
    ASSERT_EQ(send(message), os::IoStatus::ok);
    Octets whole;
    std::size_t packets = 0;
    for (; whole.empty(); ++packets) {
      const auto datagram = next_datagram();
      ASSERT_TRUE(datagram) << packets << " packets of " << size << " octets";
      EXPECT_LE(datagram->size(), options_.datagram_bytes);
      // May point into the datagram.
      const ByteView taken = collections.take(peer, *datagram, os::Clock::now());
      whole.assign(taken.begin(), taken.end());
    }
    EXPECT_EQ(whole, message);
    EXPECT_GE(packets, (size + options_.datagram_bytes - 1) / options_.datagram_bytes);
  }
}

TEST_F(GroupSenderTest, ItsDescriptionNamesTheGroup) {
  EXPECT_TRUE(sender_->describe().ends_with(" -> 239.192.77.1:" + std::to_string(to_.port)))
      << sender_->describe();
}

// A link-local group needs to be told its link.
TEST(GroupSenders, WithoutAWayToTheGroupAskForTheNetwork) {
  const auto sender = GroupSender::open({"miop", "ff02::7713", 47'713}, {}, {});
  ASSERT_FALSE(sender);
  EXPECT_NE(sender.error().error, 0);
  EXPECT_NE(sender.error().text.find("-ORBMulticastInterface says which network"), std::string::npos)
      << sender.error().text;
}

}  // namespace
}  // namespace takt::transport::miop
