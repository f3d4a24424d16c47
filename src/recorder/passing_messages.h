// Finds the messages among the octets of one direction of a connection.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <takt/base/bytes.h>

#include "recorder/recording_ring.h"
#include "recorder/secret_messages.h"

namespace takt::recorder {

// One thread at a time. Neither locks nor allocates. `ring` and `secrets` must outlive it.
class PassingMessages {
 public:
  PassingMessages(RecordingRing& ring, std::uint32_t connection, Direction direction, SecretMessages& secrets)
      : ring_(ring),
        place_in_stream_{.stream_offset = 0, .connection = connection, .direction = direction},
        secrets_(secrets),
        most_short_(std::min<std::size_t>(ring.message_bytes(), RecordingRing::most_short_bytes)) {}

  // The next octets of the direction. Each message in them, or part of one, becomes a piece of the recording.
  void pass(ByteView octets, std::int64_t time_ns) noexcept;
  // The octets of the present message that have not passed.
  std::uint64_t rest_of_message() const { return size_ - offset_; }
  // Octets that have passed and begin a message of which nothing is known yet. Then there is no such rest.
  ByteView divided_start() const { return ByteView(start_).first(start_size_); }
  // No octets follow.
  void end() noexcept;

 private:
  static constexpr std::size_t start_bytes = SecretMessages::start_bytes;
  static_assert(start_bytes == RecordingRing::least_short_bytes);

  bool is_short(ByteView octets) const noexcept;
  void pass_any(ByteView octets, std::int64_t time_ns) noexcept;
  void pass_messages(ByteView octets, std::int64_t time_ns) noexcept;
  ByteView pass_divided_start(ByteView octets, std::int64_t time_ns) noexcept;
  void pass_start(std::int64_t time_ns) noexcept;
  void begin(ByteView octets) noexcept;
  void put(ByteView octets, std::int64_t time_ns) noexcept;

  RecordingRing& ring_;
  RecordingRing::StreamPlace place_in_stream_;
  SecretMessages& secrets_;
  const std::size_t most_short_;  // octets of the longest message that is_short() may take
  bool is_between_ = true;        // the next octet begins a message
  RecordingRing::Run run_;
  PieceKind kind_ = PieceKind::message;  // kind of the present octets
  std::uint64_t size_ = 0;               // size of the present message
  std::uint64_t offset_ = 0;        // octets of it that have passed; size_: the next octet begins another
  std::uint64_t recordable_ = 0;    // octets of it that are recorded
  std::uint16_t secret_bytes_ = 0;  // as in FirstBlock
  std::size_t start_size_ = 0;      // octets in start_
  std::array<std::uint8_t, start_bytes> start_{};
};

}  // namespace takt::recorder
