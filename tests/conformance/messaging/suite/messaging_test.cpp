#include <algorithm>
#include <cstdint>
#include <exception>
#include <random>
#include <span>

#include "messaging_suite.h"

namespace takt::giop {
namespace {

using Octets = std::vector<std::uint8_t>;

class Collected final : public MessageSink {
 public:
  void append(ByteView octets) override { all.insert(all.end(), octets.begin(), octets.end()); }
  void borrow(ByteView octets) override { append(octets); }
  Octets all;
};

// A GIOP 1.2 reply of that size, least significant octets first, whose body does not repeat soon.
Octets message_of(std::size_t size) {
  Octets message(size);
  const std::uint8_t head[] = {'G', 'I', 'O', 'P', 1, 2, 1, 1};
  std::copy(std::begin(head), std::end(head), message.begin());
  const std::size_t body = size - 12;
  for (std::size_t i = 0; i < 4; ++i) message[8 + i] = static_cast<std::uint8_t>(body >> 8 * i);
  for (std::size_t i = 0; i < body; ++i) message[12 + i] = static_cast<std::uint8_t>(i * 131 + (i >> 8) * 17);
  return message;
}

class MessagingTest : public ::testing::TestWithParam<const TestedProtocol*> {
 protected:
  MessagingTest()
      : protocol_(GetParam()->make()), client_(protocol_->open(true)), server_(protocol_->open(false)) {}

  Octets written(MessageCoder& by, std::span<const ByteView> pieces) {
    Collected wire;
    EXPECT_TRUE(by.write(pieces, wire));
    return wire.all;
  }
  Octets written(MessageCoder& by, const Octets& message) {
    const ByteView piece(message);
    return written(by, {&piece, 1});
  }
  // The size of the first message of the wire, found with as few octets as are needed.
  std::size_t front(MessageCoder& by, const Octets& wire) {
    for (std::size_t have = 1; have <= wire.size(); ++have)
      if (const std::size_t size = by.front_size(ByteView(wire).first(have)); size != 0) {
        EXPECT_LE(have, MessageCoder::max_overhead) << "it must know the size after that many octets";
        return size;
      }
    return 0;
  }
  Octets read(MessageCoder& by, ByteView wire) {
    Collected messages;
    EXPECT_TRUE(by.read(wire, messages));
    return messages.all;
  }
  // False if the coder refuses, in its own words or by throwing.
  bool passes(MessageCoder& by, const Octets& wire, Octets& message) {
    try {
      const std::size_t size = front(by, wire);
      if (size != wire.size()) return false;
      Collected messages;
      if (!by.read(wire, messages)) return false;
      message = messages.all;
      return true;
    } catch (const std::exception&) {
      return false;
    }
  }

  const std::unique_ptr<const MessagingProtocol> protocol_;
  const std::unique_ptr<MessageCoder> client_, server_;
};
INSTANTIATE_TEST_SUITE_P(Each, MessagingTest, ::testing::ValuesIn(tested_protocols()),
                         [](const auto& info) { return info.param->name; });

TEST_P(MessagingTest, HasANameOfLowerCaseLettersAndDigits) {
  const std::string name(protocol_->name());
  EXPECT_FALSE(name.empty());
  EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789"), name.npos) << name;
}

TEST_P(MessagingTest, MessagesOfAllLengthsArriveAsTheyWere) {
  for (std::size_t size = 12; size <= GetParam()->longest; size = size * 3 / 2 + 1) {
    const Octets message = message_of(size);
    const Octets wire = written(*client_, message);
    ASSERT_LE(wire.size(), size + MessageCoder::max_overhead);
    ASSERT_EQ(front(*server_, wire), wire.size());
    ASSERT_EQ(read(*server_, wire), message) << size;
  }
}

TEST_P(MessagingTest, BothDirectionsAreApart) {
  const Octets request = message_of(100), reply = message_of(50);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(read(*server_, written(*client_, request)), request);
    EXPECT_EQ(read(*client_, written(*server_, reply)), reply);
    EXPECT_EQ(read(*client_, written(*server_, reply)), reply);
  }
}

TEST_P(MessagingTest, ConnectionsAreApart) {
  const Octets message = message_of(100);
  written(*client_, message);
  const auto other_client = protocol_->open(true), other_server = protocol_->open(false);
  EXPECT_EQ(read(*other_server, written(*other_client, message)), message);
}

TEST_P(MessagingTest, HowAMessageIsCutIntoPiecesDoesNotMatter) {
  std::mt19937 random(1);
  const Octets message = message_of(std::min<std::size_t>(5000, GetParam()->longest));
  for (int round = 0; round < 50; ++round) {
    std::vector<ByteView> pieces;
    for (std::size_t from = 0; from < message.size();) {
      const std::size_t least = from == 0 ? 12 : 1;  // the first piece has the whole head
      const std::size_t count = std::min(message.size() - from, least + random() % 1000);
      pieces.push_back(ByteView(message).subspan(from, count));
      from += count;
    }
    ASSERT_EQ(read(*server_, written(*client_, pieces)), message);
  }
}

TEST_P(MessagingTest, TheSizeOfAMessageDoesNotDependOnWhatFollows) {
  const Octets message = message_of(200);
  Octets wire = written(*client_, message);
  const std::size_t size = wire.size();
  const Octets next = written(*client_, message);
  wire.insert(wire.end(), next.begin(), next.end());
  EXPECT_EQ(server_->front_size(wire), size);
  EXPECT_EQ(read(*server_, ByteView(wire).first(size)), message);
  EXPECT_EQ(read(*server_, ByteView(wire).subspan(size)), message);
}

TEST_P(MessagingTest, OctetsThatAreNoMessageAreRefusedOrEnd) {
  std::mt19937 random(2);
  for (int round = 0; round < 2000; ++round) {
    const auto coder = protocol_->open(false);
    Octets octets(1 + random() % 100);
    for (std::uint8_t& octet : octets) octet = static_cast<std::uint8_t>(random());
    Collected messages;
    try {
      const std::size_t size = coder->front_size(octets);
      if (size != 0 && size <= octets.size()) coder->read(ByteView(octets).first(size), messages);
    } catch (const std::exception&) {
    }
    // A sanitizer finds what goes wrong; what arrives is no more than a message can hold.
    ASSERT_LE(messages.all.size(), GetParam()->longest);
  }
}

TEST_P(MessagingTest, DamageIsNoticed) {
  if (!GetParam()->notices_damage) GTEST_SKIP() << "the protocol does not promise it";
  const Octets message = message_of(300);
  Octets arrived;
  for (std::size_t at = 0; at < written(*protocol_->open(true), message).size(); ++at) {
    Octets wire = written(*protocol_->open(true), message);
    wire[at] ^= 1;
    EXPECT_FALSE(passes(*protocol_->open(false), wire, arrived)) << "octet " << at;
  }
  const Octets first = written(*client_, message), second = written(*client_, message);
  EXPECT_FALSE(passes(*protocol_->open(false), second, arrived)) << "the first is lost";
  EXPECT_TRUE(passes(*server_, first, arrived));
  EXPECT_FALSE(passes(*server_, first, arrived)) << "repeated";
}

}  // namespace
}  // namespace takt::giop
