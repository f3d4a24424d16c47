// Heads of datagrams, and cookies.
#include "transport/udp/datagram.h"

#include <gtest/gtest.h>

#include "transport/udp/cookies.h"

namespace takt::transport {
namespace {

using namespace std::chrono_literals;

TEST(Datagrams, AreReadAsTheyWereWritten) {
  const Datagram datagram{Datagram::Kind::data, Datagram::ask | Datagram::end, 0x0123456789abcdef, 0xfedcba98,
                          5};
  const auto head = datagram.encode();
  const auto read = Datagram::decode(head).value();
  EXPECT_EQ(read.kind, datagram.kind);
  EXPECT_EQ(read.flags, datagram.flags);
  EXPECT_EQ(read.token, datagram.token);
  EXPECT_EQ(read.position, datagram.position);
  EXPECT_EQ(read.acknowledged, datagram.acknowledged);
  EXPECT_EQ(decode_token(encode_token(datagram.token)), datagram.token);
}

TEST(Datagrams, OfOtherProtocolsAreNone) {
  const auto good = Datagram{}.encode();
  EXPECT_TRUE(Datagram::decode(good));
  EXPECT_FALSE(Datagram::decode(ByteView(good).first(good.size() - 1)));
  for (const std::size_t at : {0, 1, 2, 3, 6, 7}) {
    auto bad = good;
    ++bad[at];
    EXPECT_FALSE(Datagram::decode(bad)) << at;
  }
  for (const std::uint8_t kind : {0, 7, 255}) {
    auto bad = good;
    bad[4] = kind;
    EXPECT_FALSE(Datagram::decode(bad)) << int{kind};
  }
  auto bad = good;
  bad[5] = 32;
  EXPECT_FALSE(Datagram::decode(bad));
  EXPECT_FALSE(decode_token({}));
}

// The size of a server's answer to an unknown address, compared with what came from there.
TEST(Datagrams, NoAnswerToAGreetingIsLongerThanTheGreeting) {
  EXPECT_LE(Datagram::cookie_bytes, Datagram::greeting_bytes);
  EXPECT_LE(encode_token(0).size(), Datagram::greeting_bytes);
}

TEST(Cookies, AreGoodForOneClientAndAWhile) {
  const Cookies cookies, others;
  const auto client = os::Address::parse("192.0.2.1", 1000).value();
  const os::TimePoint now(100h);
  const auto cookie = cookies.make(client, 5, now);
  EXPECT_TRUE(cookies.are_good(cookie, client, 5, now));
  EXPECT_TRUE(cookies.are_good(cookie, client, 5, now + 30s));
  EXPECT_FALSE(cookies.are_good(cookie, client, 5, now + 60s));
  EXPECT_FALSE(cookies.are_good(cookie, client, 6, now));
  EXPECT_FALSE(cookies.are_good(cookie, os::Address::parse("192.0.2.1", 1001).value(), 5, now));
  EXPECT_FALSE(cookies.are_good(cookie, os::Address::parse("192.0.2.2", 1000).value(), 5, now));
  EXPECT_FALSE(others.are_good(cookie, client, 5, now));
  EXPECT_FALSE(cookies.are_good(ByteView(cookie).first(8), client, 5, now));
}

TEST(Numbers, DoNotComeTwice) { EXPECT_NE(unguessable_number(), unguessable_number()); }

}  // namespace
}  // namespace takt::transport
