// The messages of SFP 1.0, the simple flow protocol of OMG Audio/Video Streams 1.0: one to a datagram.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <takt/base/bytes.h>

namespace takt::streams::sfp {

enum class Kind : std::uint8_t {
  start,         // the producer asks to begin
  start_reply,   // the consumer answers each start
  credit,        // the producer may send `number` more frames
  end,           // no more frames come
  simple_frame,  // without number and time
  sequenced_frame,
  frame,
  fragment,  // a part of a frame, from 1 on; the frame itself is 0
};

struct Message {
  Kind kind = Kind::end;
  bool has_more = false;        // fragments follow
  std::uint32_t timestamp = 0;  // only frames have one
  std::uint32_t sequence = 0;   // frames and fragments have one
  std::uint32_t number = 0;     // credited frames, or which fragment it is
  ByteView payload = {};        // refers to the datagram
};

inline constexpr std::size_t fragment_head_bytes = 24;
inline constexpr std::size_t frame_head_bytes = 28;  // without further sources
inline constexpr std::size_t most_datagram_bytes = 65'507;

// Empty if it is no message of SFP 1.0 that Takt knows: sizes that lie, other versions, special frames.
// Numbers have the byte order that the message states; a credit states none, and is the smaller of both
// readings. Does not allocate.
std::optional<Message> parse(ByteView datagram);

// Each replaces what is in `into`, in this machine's byte order, credits in that of networks. The size that a
// message states includes its head.
void write_start(std::vector<std::uint8_t>& into);
void write_start_reply(std::vector<std::uint8_t>& into);
void write_credit(std::vector<std::uint8_t>& into, std::uint32_t frames);
void write_end(std::vector<std::uint8_t>& into);
void write_frame(std::vector<std::uint8_t>& into, std::uint32_t sequence, std::uint32_t timestamp,
                 ByteView payload, bool has_more);
void write_fragment(std::vector<std::uint8_t>& into, std::uint32_t sequence, std::uint32_t number,
                    ByteView payload, bool has_more);

}  // namespace takt::streams::sfp
