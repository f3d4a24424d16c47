// A recording has the octets that pass a recorded stream, and nothing else.
#include "recorder/recorded_stream.h"

#include "../rooms/memory_stream.h"
#include "recording.h"

namespace takt::recorder {
namespace {

using RecordedStreams = RecordingTest;

TEST_F(RecordedStreams, RecordBothDirections) {
  const auto ring = make();
  rooms::Wire wire;
  const Octets request = message(10, 'q'), reply = message(20, 'r');
  wire.incoming = request;
  const auto stream = recorded_stream(std::make_unique<rooms::MemoryStream>(wire), ring, OpenedBy::peer);
  Octets into(100);
  EXPECT_EQ(stream->read(into).bytes, request.size());
  EXPECT_EQ(stream->read(into).status, transport::IoStatus::would_block);
  EXPECT_EQ(stream->write(reply).bytes, reply.size());
  EXPECT_EQ(wire.outgoing, reply);
  const Recording recording = read();
  ASSERT_EQ(recording.messages.size(), 2u);
  EXPECT_EQ(recording.messages[0].octets, request);
  EXPECT_EQ(recording.messages[0].direction, Direction::received);
  EXPECT_EQ(recording.messages[1].octets, reply);
  EXPECT_EQ(recording.messages[1].direction, Direction::sent);
  EXPECT_LE(recording.messages[0].time_ns, recording.messages[1].time_ns);
  EXPECT_EQ(recording.connections.at(recording.messages[0].connection).text, "memory");
}

TEST_F(RecordedStreams, RecordWhatWasWrittenAndNotWhatWasRefused) {
  const auto ring = make();
  rooms::Wire wire;
  wire.write_limit = 30;
  const Octets octets = message(50);
  const auto stream = recorded_stream(std::make_unique<rooms::MemoryStream>(wire), ring, OpenedBy::us);
  const ByteView pieces[] = {ByteView(octets).first(20), ByteView(octets).subspan(20)};
  EXPECT_EQ(stream->write_gather(pieces).bytes, 30u);
  EXPECT_EQ(stream->write(ByteView(octets).subspan(30)).bytes, 0u);
  EXPECT_EQ(read().messages.at(0).octets.size(), 30u);
  wire.write_limit = SIZE_MAX;
  stream->write(ByteView(octets).subspan(30));
  EXPECT_EQ(read().messages.at(0).octets, octets);
}

TEST_F(RecordedStreams, OutliveTheirOrbsOtherUsersOfTheRing) {
  auto ring = make();
  rooms::Wire wire;
  auto stream = recorded_stream(std::make_unique<rooms::MemoryStream>(wire), ring, OpenedBy::us);
  ring.reset();
  stream->write(message(4));
  stream.reset();
  EXPECT_EQ(read().messages.size(), 1u);
  EXPECT_NE(read().connections.at(1).closed_ns, 0);
}

}  // namespace
}  // namespace takt::recorder
