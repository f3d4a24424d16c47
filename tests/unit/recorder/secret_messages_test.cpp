// Which octets of secret messages a recording has, however they are divided.
#include "recorder/secret_messages.h"

#include <takt/base/secret_operation.h>

#include "../giop/messages.h"
#include "../rooms/memory_stream.h"
#include "base/secret_operations.h"
#include "recorder/recorded_stream.h"
#include "recording.h"

namespace takt::recorder {
namespace {

using giop::test::all_makers;
using giop::test::MessageMaker;

const SecretOperation secret("secret");

constexpr const char* value = "a value that nobody may see";
constexpr const char* open_value = "a value that all may see";

class SecretMessagesTest : public RecordingTest {
 protected:
  void SetUp() override { ring = make(); }
  std::unique_ptr<transport::Stream> stream(OpenedBy opened_by) {
    return recorded_stream(std::make_unique<rooms::MemoryStream>(wire), ring, opened_by);
  }
  static void write(transport::Stream& to, const Octets& octets, std::size_t at_once) {
    for (ByteView rest = octets; !rest.empty();) {
      const std::size_t count = std::min(at_once, rest.size());
      const ByteView pieces[] = {rest.first(count), rest.subspan(count)};
      rest = rest.subspan(to.write_gather(pieces).bytes);
    }
  }
  void receive(transport::Stream& from, const Octets& octets, std::size_t at_once) {
    wire.incoming = octets;
    wire.read_limit = at_once;
    for (Octets into(4096); from.read(into).status == transport::IoStatus::ok;) {
    }
  }
  bool has(const char* text) const {
    const Octets octets = file();
    return std::string(octets.begin(), octets.end()).find(text) != std::string::npos;
  }

  rooms::Wire wire;
  std::shared_ptr<RecordingRing> ring;
};

Octets reply(const MessageMaker& maker, std::uint32_t id, const char* body) {
  return maker.reply(id, giop::ReplyStatus::no_exception, body);
}

TEST_F(SecretMessagesTest, HaveTheirHeadsAlone) {
  for (const MessageMaker& maker : all_makers())
    for (const std::size_t at_once : {std::size_t{1}, std::size_t{13}, std::size_t{40}, SIZE_MAX}) {
      for (const bool is_server : {false, true}) {
        std::filesystem::remove(path);
        ring = make();
        const auto passing = stream(is_server ? OpenedBy::peer : OpenedBy::us);
        const auto send = [&](const Octets& octets, bool sent) {
          if (sent)
            write(*passing, octets, at_once);
          else
            receive(*passing, octets, at_once);
        };
        Octets two = maker.request(1, "open", open_value);
        const Octets hidden = maker.request(2, "secret", value);
        two.insert(two.end(), hidden.begin(), hidden.end());
        send(two, !is_server);
        send(reply(maker, 2, value), is_server);
        send(reply(maker, 1, open_value), is_server);
        EXPECT_FALSE(has(value)) << at_once << is_server;
        if (at_once == SIZE_MAX) {
          EXPECT_TRUE(has(open_value));
        }
        const Recording recording = read();
        EXPECT_EQ(recording.messages.size(), 4u);
        EXPECT_EQ(recording.torn, 0u);
      }
    }
}

// A secret reply is known as long as its request, also if many have none, and its id may be used again.
TEST_F(SecretMessagesTest, AreKnownByTheirRequests) {
  const MessageMaker maker({1, 2}, cdr::native_order);
  const auto client = stream(OpenedBy::us);
  for (std::uint32_t id = 0; id < 10; ++id) {
    write(*client, maker.request(id, id % 2 == 0 ? "secret" : "open", value), SIZE_MAX);
    receive(*client, reply(maker, id, id % 2 == 0 ? value : open_value), SIZE_MAX);
  }
  EXPECT_TRUE(has(open_value));
  std::filesystem::remove(path);
  ring = make();
  const auto busy = stream(OpenedBy::us);
  for (std::uint32_t id = 0; id < 200; ++id) write(*busy, maker.request(id, "secret", "x"), SIZE_MAX);
  for (std::uint32_t id = 0; id < 200; ++id) receive(*busy, reply(maker, id, value), SIZE_MAX);
  EXPECT_FALSE(has(value));
}

// The next ones are recorded whole.
TEST_F(SecretMessagesTest, AreFewIfStartsOfOthersAreDivided) {
  const MessageMaker maker({1, 2}, cdr::native_order);
  for (const bool is_server : {false, true})
    for (std::size_t divided_at = 1; divided_at < 20; ++divided_at) {
      std::filesystem::remove(path);
      ring = make();
      const auto passing = stream(is_server ? OpenedBy::peer : OpenedBy::us);
      const auto pass = [&](bool sent, const Octets& octets) {
        sent ? write(*passing, octets, SIZE_MAX) : receive(*passing, octets, SIZE_MAX);
      };
      for (std::uint32_t id = 0; id < 70; ++id) {
        const Octets request = maker.request(id, "secret", value), hidden = reply(maker, id, value);
        const auto start = static_cast<std::ptrdiff_t>(divided_at);
        pass(!is_server, {request.begin(), request.begin() + start});
        pass(!is_server, {request.begin() + start, request.end()});
        pass(is_server, {hidden.begin(), hidden.begin() + start});
        pass(is_server, {hidden.begin() + start, hidden.end()});
      }
      pass(!is_server, maker.request(70, "open", "x"));
      pass(is_server, reply(maker, 70, open_value));
      EXPECT_FALSE(has(value)) << divided_at << is_server;
      EXPECT_TRUE(has(open_value)) << divided_at << is_server;
    }
}

// The start of the first request has left with what was written before.
TEST_F(SecretMessagesTest, AreKnownBehindADividedStart) {
  const MessageMaker maker({1, 2}, cdr::native_order);
  for (std::size_t divided_at = 1; divided_at < 20; ++divided_at) {
    std::filesystem::remove(path);
    ring = make();
    const auto client = stream(OpenedBy::us);
    Octets both = maker.request(1, "open", "x");
    const Octets hidden = maker.request(2, "secret", value);
    both.insert(both.end(), hidden.begin(), hidden.end());
    const auto start = static_cast<std::ptrdiff_t>(divided_at);
    write(*client, {both.begin(), both.begin() + start}, SIZE_MAX);
    const ByteView rest = ByteView(both).subspan(divided_at);
    const ByteView pieces[] = {rest.first(3), rest.subspan(3, 40), rest.subspan(43)};
    EXPECT_EQ(client->write_gather(pieces).bytes, rest.size());
    receive(*client, reply(maker, 2, value), SIZE_MAX);
    receive(*client, reply(maker, 1, open_value), SIZE_MAX);
    EXPECT_FALSE(has(value)) << divided_at;
    EXPECT_EQ(read().messages.size(), 4u);
  }
}

TEST_F(SecretMessagesTest, AreMarked) {
  const MessageMaker maker({1, 2}, cdr::native_order);
  const auto client = stream(OpenedBy::us);
  const Octets open = maker.request(1, "open", "x"), hidden = maker.request(2, "secret", ""),
               long_one = maker.request(3, "secret", value);
  for (const Octets& each : {open, hidden, long_one}) write(*client, each, SIZE_MAX);
  const auto messages = read().messages;
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_FALSE(messages[0].is_secret());
  EXPECT_EQ(messages[1].secret_bytes, hidden.size());
  EXPECT_TRUE(messages[1].is_whole());
  EXPECT_EQ(messages[2].secret_bytes, messages[2].octets.size());
  EXPECT_FALSE(messages[2].is_whole());
}

TEST_F(SecretMessagesTest, AreFoundInNoFragmentOrOtherForm) {
  const MessageMaker maker({1, 2}, cdr::native_order);
  const auto client = stream(OpenedBy::us);
  Octets first = maker.request(1, "secret", "12345678");
  first[6] |= giop::more_fragments_flag;
  write(*client, first, SIZE_MAX);
  write(*client,
        maker.make(giop::MessageType::fragment,
                   [](cdr::Encoder& out) {
                     out.put(std::uint32_t{1});
                     out.put_octets(giop::test::octets(value));
                   }),
        SIZE_MAX);
  Octets lite = maker.request(2, "open", value);
  lite[0] = 'L';
  lite[1] = 1;
  write(*client, lite, SIZE_MAX);
  write(*client, giop::test::octets(std::string("what is this? ") + value), SIZE_MAX);
  EXPECT_FALSE(has(value));
  EXPECT_EQ(read().messages.size(), 4u);
}

// A reply has GIOP's form also if its request had another one, in which the operation cannot be seen.
TEST_F(SecretMessagesTest, AreRepliesToRequestsInOtherForms) {
  const MessageMaker maker({1, 2}, cdr::native_order);
  for (const bool is_server : {false, true})
    for (const char form : {'L', 'Z'}) {
      std::filesystem::remove(path);
      ring = make();
      Octets request = maker.request(2, "secret", "x");
      request[0] = static_cast<std::uint8_t>(form);
      request[1] = 1;
      const auto passing = stream(is_server ? OpenedBy::peer : OpenedBy::us);
      if (is_server) {
        receive(*passing, request, SIZE_MAX);
        write(*passing, reply(maker, 2, value), SIZE_MAX);
      } else {
        write(*passing, request, SIZE_MAX);
        receive(*passing, reply(maker, 2, value), SIZE_MAX);
      }
      EXPECT_FALSE(has(value)) << form << is_server;
      EXPECT_EQ(read().messages.size(), 2u);
    }
}

// A plug-in may send messages of versions that Takt does not know. Their size leads to the next message.
TEST_F(SecretMessagesTest, AreKnownBehindMessagesThatAreUnknown) {
  const MessageMaker maker({1, 2}, cdr::native_order);
  const auto client = stream(OpenedBy::us);
  Octets both = maker.request(1, "open", value);
  both[5] = 9;  // GIOP 1.9
  const Octets hidden = maker.request(2, "secret", value);
  both.insert(both.end(), hidden.begin(), hidden.end());
  write(*client, both, SIZE_MAX);
  receive(*client, reply(maker, 2, value), SIZE_MAX);
  EXPECT_FALSE(has(value));
  EXPECT_EQ(read().messages.size(), 3u);
}

TEST(SecretOperations, AreByName) {
  EXPECT_TRUE(secret_operations::exist());
  EXPECT_TRUE(secret_operations::has("secret"));
  EXPECT_FALSE(secret_operations::has("secre"));
  EXPECT_FALSE(secret_operations::has(""));
  const SecretOperation again("secret");
  EXPECT_TRUE(secret_operations::has("secret"));
}

}  // namespace
}  // namespace takt::recorder
