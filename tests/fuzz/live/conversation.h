// Everything that one hostile client sends on one connection, generated from a seed.
#pragma once

#include <array>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "captures.h"
#include "grammar/messages.h"

namespace takt::fuzz::live {

enum class Carrier : std::uint8_t { tcp, tls, unix_socket, shared_memory, udp };
inline constexpr std::string_view carrier_names[] = {"tcp", "tls", "unix", "shm", "udp"};

struct Step {
  bool beneath = false;  // bypasses the transport's own protocol (TLS records, datagrams)
  Octets octets;
};

struct Conversation {
  std::uint64_t seed = 0;
  Carrier carrier = Carrier::tcp;
  bool deaf = false;  // does not read replies
  std::vector<Step> steps;

  std::size_t octets() const;
};

// The object keys, in the order of object_names.
using Keys = std::array<Octets, std::size(object_names)>;

Conversation make_conversation(std::uint64_t seed, const std::vector<Carrier>& carriers, const Keys& keys,
                               const Captures& captures);

// Writes lines of text: "carrier tcp", "stream 47494f50...", "beneath 47".
void write_conversation(std::ostream& to, const Conversation& conversation);
std::vector<Conversation> read_conversations(std::istream& from);

}  // namespace takt::fuzz::live
