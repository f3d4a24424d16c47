// Messages of a messaging protocol that are split arbitrarily, and errors of a peer in one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <thread>

#include "../rooms/memory_stream.h"
#include "coded/coded_stream.h"
#include "giop/header/message_header.h"

namespace takt::coded::testing {
namespace {

using Octets = std::vector<std::uint8_t>;
using transport::IoStatus;
using Role = giop::Connection::Role;

// A message is an octet 'B', its length in two octets, and the ORB's messages, each reversed. An empty
// message belongs to the protocol itself.
class BoxCoder final : public giop::MessageCoder {
 public:
  bool write(std::span<const ByteView> message, giop::MessageSink& wire) override {
    EXPECT_GE(message.front().size(), giop::header_size);
    std::size_t size = 0;
    for (const ByteView piece : message) size += piece.size();
    if (size > UINT16_MAX) return false;
    const std::uint8_t head[] = {'B', static_cast<std::uint8_t>(size >> 8), static_cast<std::uint8_t>(size)};
    wire.append(head);
    for (const ByteView piece : message) wire.append(turned(piece));
    return true;
  }
  std::size_t front_size(ByteView octets) override {
    if (octets[0] == 'T') throw std::runtime_error("thrown");
    if (octets[0] == '?') return 0;
    if (octets[0] == 'L') return std::size_t{1} << 40;
    if (octets[0] != 'B') return malformed;
    return octets.size() < 3 ? 0 : 3 + std::size_t{octets[1]} * 256 + octets[2];
  }
  bool read(ByteView octets, giop::MessageSink& messages) override {
    const Octets message = turned(octets.subspan(3));
    messages.append(message);
    return message.empty() || message[0] == 'G';
  }

 private:
  static Octets turned(ByteView octets) {
    Octets turned(octets.begin(), octets.end());
    for (std::uint8_t& octet : turned) octet = static_cast<std::uint8_t>(~octet);
    return turned;
  }
};

class Boxes final : public giop::MessagingProtocol {
 public:
  std::string_view name() const override { return "boxes"; }
  std::uint32_t profile_tag() const override { return 1; }
  std::unique_ptr<giop::MessageCoder> open(bool) const override { return std::make_unique<BoxCoder>(); }
};

Octets message_of(std::size_t body_bytes) {
  Octets message(giop::header_size + body_bytes);
  giop::write_header(message.data(), {1, 2}, cdr::native_order, giop::MessageType::request);
  giop::store_message_size(message.data(), static_cast<std::uint32_t>(body_bytes));
  for (std::size_t i = 0; i < body_bytes; ++i)
    message[giop::header_size + i] = static_cast<std::uint8_t>(i * 7);
  return message;
}

void append(Octets& to, const Octets& octets) { to.insert(to.end(), octets.begin(), octets.end()); }

class CodedStreamTest : public ::testing::Test {
 protected:
  CodedStreamTest() {
    for (const std::size_t body : {5, 0, 300, 20'000, 1}) append(messages_, message_of(body));
    CodedStream sender(std::make_unique<rooms::MemoryStream>(sent_), boxes_, boxes_->open(true), Role::client,
                       limits_);
    EXPECT_EQ(sender.write(messages_).bytes, messages_.size());
    coded_ = sent_.outgoing;
    EXPECT_EQ(coded_.size(), messages_.size() + std::size_t{5} * 3);
    sent_ = {};
    stream_ = std::make_unique<CodedStream>(std::make_unique<rooms::MemoryStream>(wire_), boxes_,
                                            boxes_->open(false), Role::server, limits_);
  }

  // Reads all available data, as a thread that waits for the handle does.
  Octets read_all(std::size_t room) {
    Octets all, into(room);
    for (;;) {
      const auto result = stream_->read(into);
      if (result.status != IoStatus::ok) {
        EXPECT_EQ(result.status, IoStatus::would_block);
        EXPECT_FALSE(stream_->holds_octets());
        return all;
      }
      all.insert(all.end(), into.begin(), into.begin() + static_cast<std::ptrdiff_t>(result.bytes));
      if (!stream_->holds_octets() && wire_.incoming.empty()) return all;
    }
  }
  // The error of reading these octets, which must persist whatever follows.
  int error_of_reading(Octets octets) {
    wire_.incoming = std::move(octets);
    std::uint8_t into[16];
    const auto result = stream_->read(into);
    EXPECT_EQ(result.status, IoStatus::failed);
    EXPECT_TRUE(stream_->holds_octets());
    wire_.incoming = coded_;
    EXPECT_EQ(stream_->read(into).error, result.error) << "once more";
    return result.error;
  }

  giop::Limits limits_;
  const std::shared_ptr<const giop::MessagingProtocol> boxes_ = std::make_shared<Boxes>();
  Octets messages_, coded_;
  rooms::Wire sent_, wire_;
  std::unique_ptr<CodedStream> stream_;
};

// A thread that also serves other connections returns to them; the handle stays ready.
TEST_F(CodedStreamTest, ANonBlockingReadReturnsWhileAMessageTricklesInWithoutEnd) {
  stream_->set_blocking(false);
  wire_.incoming = coded_;
  wire_.read_limit = 1;
  std::uint8_t octet;
  std::size_t would_block = 0;
  Octets read;
  while (read.size() < messages_.size() && would_block < 10'000) {
    const std::size_t before = wire_.incoming.size();
    const auto result = stream_->read({&octet, 1});
    EXPECT_LE(before - wire_.incoming.size(), 64u);
    if (result.status == IoStatus::ok)
      read.push_back(octet);
    else
      ++would_block;
  }
  EXPECT_EQ(read, messages_);
  EXPECT_GT(would_block, 300u) << "one read took all of the message of 20,000 octets";
}

TEST_F(CodedStreamTest, TakesMessagesInAnyPieces) {
  for (const std::size_t part : {1, 2, 11, 12, 13, 17, 4096}) {
    CodedStream sender(std::make_unique<rooms::MemoryStream>(sent_), boxes_, boxes_->open(true), Role::client,
                       limits_);
    for (ByteView left = messages_; !left.empty();) {
      std::vector<ByteView> pieces;  // three per write
      while (!left.empty() && pieces.size() < 3) {
        pieces.push_back(left.first(std::min(part, left.size())));
        left = left.subspan(pieces.back().size());
      }
      const auto result = sender.write_gather(pieces);
      ASSERT_EQ(result.status, IoStatus::ok);
      ASSERT_EQ(result.bytes, transport::size_of(pieces));
    }
    EXPECT_EQ(sent_.outgoing, coded_) << part;
    sent_ = {};
  }
}

TEST_F(CodedStreamTest, TakesMessagesOfWhichTheHeaderIsApartOnceMore) {
  const Octets message = message_of(40);
  std::vector<ByteView> pieces;  // two messages, each with a header in two pieces
  for (int i = 0; i < 2; ++i) {
    pieces.push_back(ByteView(message).first(5));
    pieces.push_back(ByteView(message).subspan(5));
    pieces.emplace_back();
  }
  ASSERT_EQ(stream_->write_gather(pieces).bytes, 2 * message.size());
  wire_.incoming = std::exchange(wire_.outgoing, {});
  Octets both = message;
  append(both, message);
  EXPECT_EQ(read_all(1000), both);
}

// If the peer does not accept a write at once, the last octet must be written again.
TEST_F(CodedStreamTest, GoesOnWhereAPeerThatReadsSlowlyLetsIt) {
  for (const std::size_t step : {1, 7, 1000}) {
    rooms::Wire wire;
    wire.write_limit = 0;
    CodedStream sender(std::make_unique<rooms::MemoryStream>(wire), boxes_, boxes_->open(true), Role::client,
                       limits_);
    int refused = 0;
    for (ByteView left = messages_; !left.empty();) {
      const ByteView part = left.first(std::min<std::size_t>(left.size(), 4000));
      const auto result = sender.write(part);
      left = left.subspan(result.bytes);
      if (result.status == IoStatus::ok) continue;
      ASSERT_EQ(result.status, IoStatus::would_block);
      EXPECT_FALSE(sender.has_room_for_small_write());
      wire.write_limit = step;
      ++refused;
    }
    EXPECT_EQ(wire.outgoing, coded_) << step;
    EXPECT_GT(refused, 3);
  }
}

TEST_F(CodedStreamTest, GivesMessagesHoweverTheyArrive) {
  for (const std::size_t part : {1, 2, 3, 100, 30'000})
    for (const std::size_t room : {1, 12, 500, 50'000}) {
      Octets all;
      for (std::size_t from = 0; from < coded_.size(); from += part) {
        const auto begin = coded_.begin() + static_cast<std::ptrdiff_t>(from);
        wire_.incoming.assign(begin,
                              begin + static_cast<std::ptrdiff_t>(std::min(part, coded_.size() - from)));
        append(all, read_all(room));
      }
      ASSERT_EQ(all, messages_) << part << " " << room;
    }
}

TEST_F(CodedStreamTest, PassesOverWhatIsTheProtocolsOwn) {
  wire_.incoming = {'B', 0, 0, 'B', 0, 0};
  append(wire_.incoming, coded_);
  append(wire_.incoming, {'B', 0, 0});
  EXPECT_EQ(read_all(100), messages_);
  EXPECT_FALSE(stream_->holds_octets());
}

TEST_F(CodedStreamTest, EndsWithItsPeer) {
  wire_.ended = true;
  std::uint8_t into[16];
  EXPECT_EQ(stream_->read(into).status, IoStatus::end_of_stream);
  EXPECT_EQ(stream_->read({}).error, EINVAL);
  EXPECT_EQ(stream_->write({}).error, EINVAL);
  EXPECT_EQ(stream_->describe(), "boxes over memory");
}

TEST_F(CodedStreamTest, EndsWithWhatIsNotOfTheProtocol) { EXPECT_EQ(error_of_reading({'X'}), EBADMSG); }
TEST_F(CodedStreamTest, EndsWithWhatTheCoderRefuses) {
  EXPECT_EQ(error_of_reading({'B', 0, 1, 'G'}), EBADMSG);  // not reversed
}
TEST_F(CodedStreamTest, EndsWithACoderThatThrows) { EXPECT_EQ(error_of_reading({'T'}), EBADMSG); }
TEST_F(CodedStreamTest, EndsWithAMessageLongerThanTheLimit) { EXPECT_EQ(error_of_reading({'L'}), EBADMSG); }
TEST_F(CodedStreamTest, EndsWithAMessageWhoseLengthIsNeverKnown) {
  EXPECT_EQ(error_of_reading(Octets(giop::MessageCoder::max_overhead + 1, '?')), EBADMSG);
}
TEST_F(CodedStreamTest, EndsWithAMessageThatTheProtocolCannotSay) {
  const auto result = stream_->write(message_of(70'000));
  EXPECT_EQ(result.status, IoStatus::failed);
  EXPECT_EQ(result.error, EPROTO);
  EXPECT_EQ(stream_->write(message_of(7)).error, EPROTO) << "nor what comes behind it";
  EXPECT_TRUE(wire_.outgoing.empty());
}

TEST_F(CodedStreamTest, EndsWithAMessageWhoseRestDoesNotComeInTime) {
  giop::Limits limits;
  limits.message_time = std::chrono::milliseconds(20);
  stream_ = std::make_unique<CodedStream>(std::make_unique<rooms::MemoryStream>(wire_), boxes_,
                                          boxes_->open(false), Role::server, limits);
  std::uint8_t into[16];
  wire_.incoming = {'B', 0};
  EXPECT_EQ(stream_->read(into).status, IoStatus::would_block);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  wire_.incoming = {9};
  const auto result = stream_->read(into);
  EXPECT_EQ(result.status, IoStatus::failed);
  EXPECT_EQ(result.error, ETIMEDOUT);
}

// A blocked reader of the stream does not see the message, so the wait for its rest has its own limit.
TEST_F(CodedStreamTest, LimitsTheSilenceInTheMiddleOfAMessageAndTellsOfIt) {
  const std::chrono::nanoseconds idle = std::chrono::hours(1), rest = limits_.message_time;
  stream_->set_silence_limit(idle);
  EXPECT_EQ(wire_.silence, idle);
  const auto half = coded_.begin() + 10;  // within the first message
  wire_.incoming = {coded_.begin(), half};
  EXPECT_TRUE(read_all(64).empty());
  EXPECT_EQ(wire_.silence, rest);
  EXPECT_TRUE(stream_->message_begun());
  stream_->set_silence_limit(2 * idle);
  EXPECT_EQ(wire_.silence, rest) << "until the message is complete";
  wire_.incoming = {half, coded_.end()};
  EXPECT_EQ(read_all(64), messages_);
  EXPECT_EQ(wire_.silence, 2 * idle);
  EXPECT_FALSE(stream_->message_begun());
  wire_.incoming = {coded_.begin(), half};
  stream_->set_blocking(false);
  EXPECT_TRUE(read_all(64).empty());
  EXPECT_EQ(wire_.silence, 2 * idle) << "sweeps ask for it";
  EXPECT_TRUE(stream_->message_begun());
}

// A budget shared by two streams with the same limits.
class CodedStreamMemory : public CodedStreamTest {
 protected:
  void allow(std::size_t bytes) {
    memory_ = std::make_shared<MemoryBudget>(bytes);
    limits_.server_memory = memory_;
    stream_ = std::make_unique<CodedStream>(std::make_unique<rooms::MemoryStream>(wire_), boxes_,
                                            boxes_->open(false), Role::server, limits_);
  }
  static constexpr std::size_t message_bytes = 65'500, least = 70 * 1024, ample = 1024 * 1024;
  const Octets message_ = message_of(message_bytes - giop::header_size);
  std::shared_ptr<MemoryBudget> memory_;
};

TEST_F(CodedStreamMemory, PaysForAMessageThatArrivesAndIsDecoded) {
  allow(ample);
  ASSERT_EQ(stream_->write(message_).bytes, message_bytes);
  wire_.incoming = std::exchange(wire_.outgoing, {});
  EXPECT_EQ(read_all(1000), message_);
  EXPECT_GE(memory_->use().peak_bytes, 2 * message_bytes);
  EXPECT_EQ(memory_->refusals(), 0u);
  stream_.reset();
  EXPECT_EQ(memory_->taken_bytes(), 0u);
}

TEST_F(CodedStreamMemory, HasNoneForAMessageThatArrives) {
  allow(MemoryBudget::uncounted_bytes);
  Octets coded(message_bytes);
  coded[0] = 'B';
  coded[1] = coded[2] = 0xff;
  EXPECT_EQ(error_of_reading(coded), ENOMEM);
  EXPECT_EQ(memory_->refusals(), 1u);
  EXPECT_EQ(memory_->taken_bytes(), 0u);
}

TEST_F(CodedStreamMemory, HasNoneForAMessageThatIsDecoded) {
  allow(ample);
  ASSERT_EQ(stream_->write(message_).bytes, message_bytes);
  const Octets coded = std::exchange(wire_.outgoing, {});
  allow(least);
  EXPECT_EQ(error_of_reading(coded), ENOMEM);
  EXPECT_EQ(memory_->refusals(), 1u);
}

TEST_F(CodedStreamMemory, PaysForWhatThePeerDoesNotRead) {
  allow(ample);
  Octets two = message_;
  append(two, message_);
  wire_.write_limit = 0;
  EXPECT_EQ(stream_->write(two).bytes, two.size() - 1) << "the last one is to be written again";
  EXPECT_GE(memory_->taken_bytes(), two.size());
  wire_.write_limit = SIZE_MAX;
  EXPECT_EQ(stream_->write(ByteView(two).last(1)).bytes, 1u);
  EXPECT_EQ(memory_->taken_bytes(), 0u);
  EXPECT_GT(wire_.outgoing.size(), two.size());
}

TEST_F(CodedStreamMemory, HasNoneForWhatThePeerDoesNotRead) {
  allow(least);
  Octets two = message_;
  append(two, message_);
  wire_.write_limit = 0;
  EXPECT_EQ(stream_->write(two).error, ENOMEM);
  wire_.write_limit = SIZE_MAX;
  EXPECT_EQ(stream_->write(message_of(1)).error, ENOMEM) << "what came before it is lost";
  EXPECT_TRUE(wire_.outgoing.empty());
}

TEST_F(CodedStreamMemory, PaysForTheBeginningOfAMessage) {
  allow(ample);
  const Octets longer = message_of(2 * message_bytes);
  EXPECT_EQ(stream_->write(ByteView(longer).first(longer.size() - 1)).bytes, longer.size() - 1);
  EXPECT_GE(memory_->taken_bytes(), longer.size() - 1);
  allow(least);
  EXPECT_EQ(stream_->write(ByteView(longer).first(longer.size() - 1)).error, ENOMEM);
}

}  // namespace
}  // namespace takt::coded::testing
