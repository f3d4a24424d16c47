#include "giop/bidirectional.h"

#include <gtest/gtest.h>

#include <string>

#include "messages.h"

namespace takt::giop::test {
namespace {

TEST(ListenPoints, AreReadAsTheyWereWritten) {
  const std::vector<HostPort> points = {{"198.51.100.7", 2809}, {"2001:db8::1", 1}, {"host.example", 65535}};
  EXPECT_EQ(read_listen_points(write_listen_points(points)), points);
  EXPECT_EQ(read_listen_points(write_listen_points({})), std::vector<HostPort>());
}

TEST(ListenPoints, OfEitherByteOrder) {
  const Octets big = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 'a', 0, 0x10, 0x20};
  EXPECT_EQ(read_listen_points(big), (std::vector<HostPort>{{"a", 0x1020}}));
}

TEST(ListenPoints, ThatNoObjectCanHaveAreLeftOut) {
  const std::vector<HostPort> points = {
      {"", 1}, {"a", 0}, {std::string(max_host_bytes + 1, 'a'), 1}, {std::string(max_host_bytes, 'a'), 1}};
  const auto read = read_listen_points(write_listen_points(points));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, std::vector<HostPort>(points.end() - 1, points.end()));
}

TEST(ListenPoints, AreSoManyAtMost) {
  const auto data = cdr::encapsulate([](cdr::Encoder& encoder) {
    encoder.put_count(1000);
    for (std::uint16_t port = 1; port <= 1000; ++port) {
      encoder.put_raw_string("a");
      encoder.put(port);
    }
  });
  const auto read = read_listen_points(data);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->size(), max_listen_points);
  EXPECT_EQ(read_listen_points(write_listen_points(std::vector<HostPort>(1000, {"a", 1})))->size(),
            max_listen_points);
}

TEST(ListenPoints, ThatAreCutShortAreNone) {
  const auto whole = write_listen_points(std::vector<HostPort>{{"198.51.100.7", 2809}, {"b", 3}});
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(read_listen_points(ByteView(whole).first(size))) << size;
  EXPECT_FALSE(read_listen_points(Octets{1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}));
}

}  // namespace
}  // namespace takt::giop::test
