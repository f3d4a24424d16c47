// MIOP packets as decoded by Wireshark.
#include <takt/base/gather_buffer.h>
#include <takt/cdr/encoder.h>

#include "giop/header/message_header.h"
#include "giop/message/request.h"
#include "giop/references/group.h"
#include "transport/miop/packet.h"
#include "tshark.h"

namespace takt::test {
namespace {

std::vector<std::vector<std::uint8_t>> packets_of_request(std::size_t octets, std::size_t datagram_bytes) {
  const auto profile = giop::write_group_profile({"239.1.2.3", 5000}, {"Domain", 5, 6});
  GatherBuffer buffer(256);
  cdr::Encoder encoder(buffer);
  giop::write_request(encoder, giop::PreparedTarget::for_profile(profile),
                      {.request_id = 7, .response_flags = 0, .operation = "tell", .has_body = true});
  const std::vector<std::uint8_t> body(octets, 1);
  encoder.put_octets(body);
  giop::finish_message(buffer);
  std::vector<ByteView> pieces;
  buffer.gather(pieces);
  transport::miop::Packets packets(pieces, {'s', 'e', 'n', 'd', 'e', 'r', '0', '0', '0', '0', '0', '1'},
                                   datagram_bytes);
  std::vector<std::vector<std::uint8_t>> all;
  for (std::vector<std::uint8_t> datagram; packets.next(datagram);) all.push_back(datagram);
  return all;
}

TEST(MiopAsWiresharkReadsIt, HeadsAndTheRequestInThem) {
  if (!has_tshark()) GTEST_SKIP() << "tshark is not installed";
  const std::vector<std::string> fields{"_ws.col.Protocol",   "miop.magic",         "miop.hdr_version",
                                        "miop.packet_length", "miop.packet_number", "miop.number_of_packets",
                                        "miop.unique_id_len", "_ws.malformed"};
  // The protocol of a first packet is that of its message.
  EXPECT_EQ(seen_by_tshark(packets_of_request(40, 1232), fields),
            (std::vector<std::string>{"GIOP MIOP 0x10 152 0 1 12 "}));
  EXPECT_EQ(seen_by_tshark(packets_of_request(2500, 1232), fields),
            (std::vector<std::string>{"GIOP MIOP 0x10 1200 0 3 12 ", "MIOP MIOP 0x10 1200 1 3 12 ",
                                      "MIOP MIOP 0x10 212 2 3 12 "}));
  EXPECT_EQ(seen_by_tshark(packets_of_request(40, 1232), {"giop.type", "giop.request_id", "giop.request_op"}),
            (std::vector<std::string>{"0 7 tell"}));
}

}  // namespace
}  // namespace takt::test
