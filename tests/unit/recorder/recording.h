// Rings in a folder of the test's own, and what is in their files.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "recorder/recording_file.h"
#include "recorder/recording_ring.h"
#include "recorder/ring_writing.h"

namespace takt::recorder {

using Octets = std::vector<std::uint8_t>;

// A message of GIOP 1.2 with a body of that size, the octets of which are `fill`.
inline Octets message(std::uint32_t body_bytes, std::uint8_t fill = 'b') {
  Octets octets(12 + body_bytes, fill);
  const std::uint8_t head[8] = {'G', 'I', 'O', 'P', 1, 2, std::endian::native == std::endian::little, 0};
  std::memcpy(octets.data(), head, sizeof head);
  std::memcpy(octets.data() + 8, &body_bytes, sizeof body_bytes);
  return octets;
}

inline Piece whole(const Octets& octets, std::uint64_t stream_offset = 0) {
  return {.time_ns = 7,
          .stream_offset = stream_offset,
          .connection = 1,
          .message_bytes = static_cast<std::uint32_t>(octets.size()),
          .offset = 0,
          .direction = Direction::sent,
          .kind = PieceKind::message,
          .octets = octets};
}

// A writer that writes one piece.
inline void put_alone(RecordingRing& ring, const Piece& piece) {
  RecordingRing::Run run;
  ring.put(piece, run);
}

class RecordingTest : public testing::Test {
 protected:
  RecordingTest() {
    char name[] = "/tmp/takt-recording-XXXXXX";
    EXPECT_NE(::mkdtemp(name), nullptr);
    folder = name;
    path = folder + "/recording";
  }
  ~RecordingTest() override { std::filesystem::remove_all(folder); }
  std::shared_ptr<RecordingRing> make(std::size_t bytes = least_file_bytes,
                                      std::size_t message_bytes = 4096) {
    auto ring = RecordingRing::create(path, {bytes, message_bytes}, {"program", "orb", "host"});
    EXPECT_TRUE(ring) << ring.error().text;
    return ring ? std::move(*ring) : nullptr;
  }
  std::string refusal() const {
    const auto ring = RecordingRing::create(path, {least_file_bytes, 4096}, {});
    return ring ? std::string() : ring.error().text;
  }
  Octets file() const {
    std::ifstream in(path, std::ios::binary);
    return Octets(std::istreambuf_iterator<char>(in), {});
  }
  // Each read is one of the file.
  Recording read() const {
    std::ifstream in;
    in.rdbuf()->pubsetbuf(nullptr, 0);
    in.open(path, std::ios::binary);
    auto result = read_recording([&](std::uint64_t offset, std::span<std::uint8_t> to) {
      in.seekg(static_cast<std::streamoff>(offset));
      return static_cast<bool>(
          in.read(reinterpret_cast<char*>(to.data()), static_cast<std::streamsize>(to.size())));
    });
    EXPECT_TRUE(result) << result.error();
    return result ? std::move(*result) : Recording();
  }

  std::string folder, path;
};

}  // namespace takt::recorder
