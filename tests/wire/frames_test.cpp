// Packets of frames as decoded by Wireshark: RTP.
#include "frames/protocol/packet.h"
#include "tshark.h"

namespace takt::test {
namespace {

TEST(FramesAsWiresharkReadsThem, AreRtp) {
  if (!has_tshark()) GTEST_SKIP() << "tshark is not installed";
  frames::Packetizer packetizer(0x11223344, 65535, 116);
  const std::vector<std::uint8_t> frame(150, 1);  // the packetizer reads it until the last datagram
  ASSERT_TRUE(packetizer.begin(frame, 90'000));
  std::vector<std::vector<std::uint8_t>> datagrams;
  for (std::vector<std::uint8_t> datagram; packetizer.next(datagram);) datagrams.push_back(datagram);
  const auto seen = seen_by_tshark(
      datagrams, {"rtp.version", "rtp.p_type", "rtp.seq", "rtp.timestamp", "rtp.ssrc", "_ws.malformed"},
      "-d udp.port==5000,rtp");
  EXPECT_EQ(seen, (std::vector<std::string>{"2 96 65535 90000 0x11223344 ", "2 96 0 90000 0x11223344 "}));
}

}  // namespace
}  // namespace takt::test
