// Keeps the bodies of secret messages out of a recording.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>

#include <takt/base/bytes.h>

#include "base/secret_operations.h"

namespace takt::recorder {

// The messages of one connection, in both directions. Where it cannot tell whether a message is secret, it
// is. One thread for each direction. Neither locks nor allocates.
class SecretMessages {
 public:
  static constexpr std::uint64_t everything = UINT64_MAX;
  // The first 16 octets of a message of GIOP 1.2 have the id of its request.
  static constexpr std::size_t start_bytes = 16;

  // How many octets of the message that begins with these, at least start_bytes or a whole message, may be
  // recorded; less than 64 KiB unless it is everything. `notes`: it is a request that was received, whose
  // reply may be secret.
  std::uint64_t recordable(ByteView octets, bool notes) noexcept {
    return secret_operations::exist() ? recordable_of_some(octets, notes) : everything;
  }
  // Call before requests are sent, because a reply may arrive before write() returns. `skip`: octets that
  // belong to the message before. `start`: octets before the pieces, which begin a message.
  void before_write(std::span<const ByteView> pieces, std::uint64_t skip, ByteView start) noexcept {
    if (secret_operations::exist()) note_requests(pieces, skip, start);
  }

 private:
  static constexpr std::size_t most_requests = 64;

  std::uint64_t recordable_of_some(ByteView octets, bool notes) noexcept;
  std::uint64_t recordable_of_other(ByteView octets, bool notes_it) noexcept;
  void note_requests(std::span<const ByteView> pieces, std::uint64_t skip, ByteView start) noexcept;
  void note_request(ByteView octets) noexcept;
  void note(std::optional<std::uint32_t> id) noexcept;
  bool take(std::uint32_t id) noexcept;

  // Ids, plus 1, of secret requests without a reply; 0: free.
  std::array<std::atomic<std::uint64_t>, most_requests> requests_{};
  std::atomic<bool> all_replies_{false};  // more than there is room for, or one without a known id
};

}  // namespace takt::recorder
