// Many MIOP senders over a network that loses, duplicates and reorders packets, some of them hostile; with a
// test clock, from a seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "transport/miop/packet.h"
#include "transport/miop/packet_collections.h"

namespace takt::transport::miop {
namespace {

using namespace std::chrono_literals;
using Datagram = std::vector<std::uint8_t>;
using MessageName = std::pair<std::uint8_t, std::uint32_t>;  // sender, number

constexpr std::size_t senders = 6, messages = 25;  // fewer, including forged ones, than are remembered

class GroupNetwork {
 public:
  explicit GroupNetwork(unsigned seed, bool gentle)
      : random_(seed),
        gentle_(gentle),
        limits_{.message_bytes = 3000,
                .bytes = gentle ? 1'000'000u : 4'000u + below(8'000),
                .packets = 400,
                .collections = gentle ? 1000u : 2u + below(20),
                .collections_of_peer = gentle ? 1000u : 1u + below(6),
                .time = gentle ? std::chrono::nanoseconds(10min) : 1ms * (1 + below(50))},
        collections_(limits_) {}

  void play() {
    for (std::uint8_t sender = 0; sender < senders; ++sender)
      for (std::uint32_t number = 0; number < messages; ++number) send(sender, number);
    if (!gentle_)
      for (unsigned i = 0; i < 100; ++i) lie();
    for (const auto& [at, sent] : under_way_) receive(sent.first, sent.second, os::TimePoint(at));
    if (gentle_) {
      EXPECT_EQ(given_.size(), senders * messages) << "nothing was lost";
      EXPECT_EQ(collections_.given_up(), 0u);
    }
    collections_.expire(os::TimePoint(std::chrono::hours(1)));
    EXPECT_EQ(collections_.unfinished(), 0u);
    EXPECT_EQ(collections_.bytes(), 0u);
  }

 private:
  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }
  bool one_in(unsigned times) { return below(times) == 0; }
  std::chrono::nanoseconds some_time() { return std::chrono::microseconds(below(100'000)); }

  // Octets that are different for each message.
  static Datagram message(MessageName name) {
    std::minstd_rand octets(name.first * 1000U + name.second + 1);
    Datagram all(1 + octets() % 2000);
    std::ranges::generate(all, [&] { return static_cast<std::uint8_t>(octets() >> 8); });
    all.insert(all.begin(), {name.first, static_cast<std::uint8_t>(name.second)});
    return all;
  }
  static CollectionId id_of(std::uint32_t number) {
    return {static_cast<std::uint8_t>(number), 'o', 'f', ' ', 'e', 'v', 'e', 'r', 'y', 'o', 'n', 'e'};
  }

  void send(std::uint8_t sender, std::uint32_t number) {
    const Datagram whole = message({sender, number});
    const ByteView piece = whole;
    Packets packets({&piece, 1}, id_of(number), 48 + below(400));
    const auto begun = some_time();
    for (Datagram packet; packets.next(packet);) {
      if (!gentle_ && one_in(20)) continue;
      for (unsigned copies = one_in(5) ? 2 : 1; copies > 0; --copies)
        under_way_.emplace(begun + (one_in(3) ? some_time() / 10 : 0ns), std::pair(sender, packet));
    }
  }

  // Sends as another sender's: a packet that is changed, truncated or invented. A sender that can forge
  // others' packets can end their messages.
  void lie() {
    if (under_way_.empty()) return;
    auto one = under_way_.begin();
    std::advance(one, below(static_cast<unsigned>(under_way_.size())));
    Datagram packet = one->second.second;
    for (unsigned changes = below(4); changes > 0; --changes)
      packet[below(static_cast<unsigned>(std::min<std::size_t>(packet.size(), 24)))] =
          static_cast<std::uint8_t>(one_in(2) ? below(4) : random_());
    if (one_in(6)) packet.resize(1 + below(static_cast<unsigned>(packet.size())));
    under_way_.emplace(some_time(), std::pair(static_cast<std::uint8_t>(senders), packet));
  }

  void receive(std::uint8_t sender, const Datagram& packet, os::TimePoint now) {
    const std::vector<std::uint8_t> address{10, 0, 0, sender};
    const ByteView taken = collections_.take(address, packet, now);
    EXPECT_LE(collections_.unfinished(), limits_.collections);
    EXPECT_LE(collections_.bytes(), limits_.bytes);
    EXPECT_LE(taken.size(), limits_.message_bytes);
    if (taken.empty() || sender == senders) return;
    const MessageName name(taken[0], taken.size() > 1 ? taken[1] : 0);
    EXPECT_EQ(name.first, sender);
    EXPECT_TRUE(std::ranges::equal(taken, message(name)));
    EXPECT_TRUE(given_.insert(name).second) << "it is given once";
  }

  std::mt19937 random_;
  const bool gentle_;
  const CollectionLimits limits_;
  PacketCollections collections_;
  std::multimap<std::chrono::nanoseconds, std::pair<std::uint8_t, Datagram>> under_way_;
  std::set<MessageName> given_;
};

class MiopNetwork : public testing::TestWithParam<unsigned> {};

constexpr unsigned rounds = 10;

TEST_P(MiopNetwork, GivesEachMessageOnceAsItWasWithinTheLimits) {
  for (unsigned round = 0; round < rounds; ++round) {
    SCOPED_TRACE("seed " + std::to_string(GetParam() * rounds + round));
    GroupNetwork(GetParam() * rounds + round, false).play();
  }
}

TEST_P(MiopNetwork, GivesAllMessagesWhereNothingIsLostAndNoLimitIsReached) {
  GroupNetwork(GetParam(), true).play();
}

INSTANTIATE_TEST_SUITE_P(Seeds, MiopNetwork, testing::Range(0U, 20U));

}  // namespace
}  // namespace takt::transport::miop
