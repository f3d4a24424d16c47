// The receiving end of a stream of frames: arbitrary packets from the network, in datagrams or over a
// connection, and packets of the stream with arbitrary numbers.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "frames/protocol/frame_assembler.h"
#include "frames/protocol/streamed_packets.h"
#include "input.h"

namespace {

using namespace takt;
using fuzz::Input, fuzz::require;
using namespace takt::frames;

constexpr std::uint32_t source = 1;

std::vector<std::uint8_t> packet_of(Input& in) {
  const std::uint8_t far = in.octet(), part = in.octet(), parts = in.octet();
  const bool last = part + 1 == parts;
  std::vector<std::uint8_t> packet{0x80, static_cast<std::uint8_t>(last ? 0xe0 : 0x60)};
  for (const std::uint8_t octet : {far, in.octet()}) packet.push_back(octet);  // the packet's number
  for (const std::uint8_t octet : {far, far, in.octet(), in.octet()}) packet.push_back(octet);
  for (const std::uint8_t octet : {0, 0, 0, 1, 0}) packet.push_back(octet);
  for (const std::uint8_t octet : {part, std::uint8_t{0}, parts}) packet.push_back(octet);
  const ByteView payload = in.octets(1 + in.octet() % 40);
  packet.insert(packet.end(), payload.begin(), payload.end());
  return packet;
}

// Reads arbitrary octets as a connection's, a few at a time.
void take_stream(Input& in, StreamedPackets& packets, FrameAssembler& assembler,
                 FrameAssembler::TimePoint now) {
  const ByteView some = in.octets(in.octet());
  for (std::size_t done = 0; done < some.size();) {
    const MutableBytes space = packets.read_space();
    require(!space.empty());
    const std::size_t count = std::min(space.size(), some.size() - done);
    std::copy_n(some.begin() + static_cast<std::ptrdiff_t>(done), count, space.begin());
    packets.bytes_read(count);
    done += count;
    while (const auto packet = packets.next()) {
      require(!packet->empty() && packet->size() <= most_streamed_bytes);
      assembler.take(*packet, now);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  const std::uint8_t kind = in.octet();
  const FrameOptions options{.clock_rate = 1u + in.octet(),
                             .late = (kind & 1) != 0 ? LateFrames::give : LateFrames::drop,
                             .delay = std::chrono::milliseconds((kind & 2) != 0 ? 100 : 0),
                             .frame_bytes = 2000,
                             .frames = 8,
                             .bytes = 4000};
  FrameAssembler assembler(source, options);
  StreamedPackets connection;
  FrameAssembler::TimePoint now(std::chrono::hours(1));
  std::uint64_t given = 0;
  while (!in.empty()) {
    const std::uint8_t step = in.octet();
    now += std::chrono::milliseconds(step / 2);
    if (step % 2 != 0)
      assembler.take(packet_of(in), now);
    else if ((kind & 4) != 0)
      take_stream(in, connection, assembler, now);
    else
      assembler.take(in.octets(in.octet()), now);
    require(assembler.kept() <= options.frames && assembler.bytes() <= options.bytes);
    while (const auto frame = assembler.next(now)) {
      require(!frame->octets.empty() && frame->octets.size() <= options.frame_bytes);
      require(!frame->late || options.late == LateFrames::give);
      ++given;
    }
  }
  require(assembler.report().frames == given);
  return 0;
}
