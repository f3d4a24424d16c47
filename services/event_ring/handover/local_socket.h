// Sockets by which a channel hands its shared buffers to readers of this machine.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>

#include <takt/base/bytes.h>

#include "event_ring/memory/shared_memory.h"

namespace takt::event_ring {

// Both sides send one: a reader the level of the events that it wants, and the channel the size of that
// level's ring, with the descriptor of its memory.
struct Greeting {
  std::uint32_t number = 0;

  static constexpr std::size_t bytes = 16;
  std::array<std::uint8_t, bytes> encode() const;
  // Nothing for another protocol, or version.
  static std::optional<Greeting> decode(ByteView octets);
};

// The figures that a reader sends again and again.
struct ReaderReport {
  std::uint64_t read = 0, lost = 0;  // events

  static constexpr std::size_t bytes = 24;
  std::array<std::uint8_t, bytes> encode() const;
  // Nothing for another protocol.
  static std::optional<ReaderReport> decode(ByteView octets);
  bool operator==(const ReaderReport&) const = default;
};

// Sockets have names in Linux's abstract namespace, made of a token of 32 hexadecimal digits. Errors are
// errno values; EACCES: the process at the other end belongs to another user.
bool is_token(const std::string& token);
// Does not block later, in accept_reader() and the functions below.
std::expected<Descriptor, int> listen_at(const std::string& token);
struct AcceptedReader {
  Descriptor socket;
  std::int32_t process = 0;  // id in the system; 0: it is in another namespace of process ids
};
// EAGAIN: there is none.
std::expected<AcceptedReader, int> accept_reader(const Descriptor& listener);
// A connection of which one message can be awaited for `patience`, or 1 ms if that is shorter.
std::expected<Descriptor, int> connect_to(const std::string& token, std::chrono::milliseconds patience);

// Sends it in one piece, with a copy of the descriptor unless that is not open. 0 or an error.
int send_greeting(const Descriptor& socket, Greeting greeting, const Descriptor& memory = {});
// The reader's, by the channel. EPROTO: the other end says something else, or sends descriptors, which are
// never taken; EPIPE: it has closed.
std::expected<Greeting, int> receive_greeting(const Descriptor& socket);
// A later message of a reader; errors as above, and EAGAIN: there is none.
std::expected<ReaderReport, int> receive_report(const Descriptor& socket);
// Sends it in one piece. Does not wait: it is left out if the socket is full.
void send_report(const Descriptor& socket, ReaderReport report);
struct OfferedMemory {
  Greeting greeting;
  Descriptor memory;  // not open if none came, as when this process can have no more
};
// The channel's, by the reader. EPROTO also for several descriptors, which are closed.
std::expected<OfferedMemory, int> receive_memory(const Descriptor& socket);
// Whether the other end has closed. Does not wait.
bool has_closed(const Descriptor& socket);

}  // namespace takt::event_ring
