// The raw peer's protocol: messages as long as minimal GIOP 1.2 messages, but without decoding.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

#include "common/priorities.h"
#include "common/workload.h"

namespace bench::raw {

enum class Op : std::uint32_t {
  cube_octet,
  cube_void,
  cube_long,
  cube_struct,
  echo,
  ping,
  octets,
  longs,
  structs,
  digest
};

// GIOP header, request header and an octet argument add up to 80 bytes; a payload follows.
struct Request {
  Op op;
  std::uint32_t payload_bytes;
  std::uint8_t argument;
  std::uint8_t filler[71];
};
static_assert(sizeof(Request) == 80);

// A reply consists of a header and the result.
inline constexpr std::size_t reply_header_bytes = 24;

constexpr std::size_t reply_bytes(Op op, std::size_t payload_bytes) {
  switch (op) {
    case Op::cube_octet:
      return reply_header_bytes + 1;
    case Op::cube_long:
    case Op::cube_struct:
    case Op::echo:
      return reply_header_bytes + payload_bytes;
    case Op::digest:
      return reply_header_bytes + 4;
    case Op::ping:
      return 0;
    default:
      return reply_header_bytes;
  }
}

// The server side of a connection: answers every request that a read completes.
class Connection {
 public:
  explicit Connection(Sink& sink, const Work& work = Work()) : sink_(sink), work_(work) {}

  // False once the client has closed the connection.
  template <class Channel>
  bool serve_one_read(Channel& channel) {
    const std::size_t got = channel.read_some(buffer_.get() + used_, capacity_bytes - used_);
    if (got == 0) return false;
    used_ += got;
    std::size_t at = 0;
    while (used_ - at >= sizeof(Request)) {
      Request request;
      std::memcpy(&request, buffer_.get() + at, sizeof request);
      check(request.payload_bytes <= capacity_bytes - sizeof request, "a request is too large");
      if (used_ - at < sizeof request + request.payload_bytes) break;
      answer(channel, request, {buffer_.get() + at + sizeof request, request.payload_bytes});
      at += sizeof request + request.payload_bytes;
    }
    used_ -= at;
    if (at && used_) std::memmove(buffer_.get(), buffer_.get() + at, used_);
    return true;
  }

 private:
  static constexpr std::size_t capacity_bytes = 5 << 20, max_echo_bytes = 256;

  template <class Channel>
  void answer(Channel& channel, const Request& request, std::span<const std::uint8_t> payload) {
    std::uint8_t reply[reply_header_bytes + max_echo_bytes];
    std::memset(reply, 0, reply_header_bytes + 4);
    switch (request.op) {
      case Op::cube_octet:
        work_.run();
        reply[reply_header_bytes] = cube(request.argument);
        break;
      case Op::cube_long:
        put_cube<std::int32_t>(payload, reply);
        break;
      case Op::cube_struct:
        put_cube<BinStruct>(payload, reply);
        break;
      case Op::echo:
        check(payload.size() <= max_echo_bytes, "a text is too long");
        std::ranges::copy(payload, reply + reply_header_bytes);
        break;
      case Op::ping:
        sink_.add(request.argument);
        break;
      case Op::octets:
        sink_.add(digest_octets(payload.data(), payload.size()));
        break;
      case Op::longs:
        sink_.add(digest_longs(as<std::int32_t>(payload)));
        break;
      case Op::structs:
        sink_.add(digest_structs(as<BinStruct>(payload)));
        break;
      case Op::digest: {
        const std::uint32_t total = sink_.total();
        std::memcpy(reply + reply_header_bytes, &total, sizeof total);
        break;
      }
      default:
        break;
    }
    if (const std::size_t size = reply_bytes(request.op, payload.size())) channel.write_all(reply, size);
  }

  template <class T>
  static void put_cube(std::span<const std::uint8_t> payload, std::uint8_t* reply) {
    check(payload.size() == sizeof(T), "a number has another length");
    T x;
    std::memcpy(&x, payload.data(), sizeof x);
    x = cube(x);
    std::memcpy(reply + reply_header_bytes, &x, sizeof x);
  }

  // Payloads that are read as numbers have lengths that are multiples of 8, so they are aligned.
  template <class T>
  static std::span<const T> as(std::span<const std::uint8_t> bytes) {
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }

  Sink& sink_;
  const Work work_;
  std::unique_ptr<std::uint8_t[]> buffer_ = std::make_unique_for_overwrite<std::uint8_t[]>(capacity_bytes);
  std::size_t used_ = 0;
};

}  // namespace bench::raw
