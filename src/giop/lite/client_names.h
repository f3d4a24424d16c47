// The client's side of GIOPlite: its numbers for object keys and operations on a connection.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <takt/base/bytes.h>

#include "giop/header/lite_format.h"
#include "giop/header/messaging.h"
#include "giop/message/request.h"

namespace takt::giop::lite {

// Length and octets of a name, for fast hashing and comparing. The words hold names of up to 16 octets, and
// the first and last 8 octets of longer ones.
struct NameWords {
  explicit NameWords(std::string_view name) : size(name.size()) {
    const char* const at = name.data();
    if (size >= 8) [[likely]] {
      std::memcpy(&first, at, 8);
      std::memcpy(&last, at + size - 8, 8);
    } else if (size >= 4) {
      std::uint32_t half;
      std::memcpy(&half, at, 4);
      first = half;
      std::memcpy(&half, at + size - 4, 4);
      last = half;
    } else {
      for (const char octet : name) first = first << 8 | static_cast<std::uint8_t>(octet);
    }
  }
  // Whether the name at `name` equals the one at `other`, which has the words `words`.
  bool is(const char* name, const NameWords& words, const char* other) const {
    if (size != words.size || first != words.first || last != words.last) return false;
    for (std::size_t i = 8; i + 8 < size; i += 8)
      if (std::memcmp(name + i, other + i, 8) != 0) return false;
    return true;
  }
  std::size_t size;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

// Any number of threads, without locks; find() allocates for names that are new to it. A number is used once
// the server is known to have learnt it. A reply with a short head confirms the names of its request. It also
// shows that the server speaks GIOPlite, so from then on every number that has been sent counts as learnt.
class ClientNames {
 public:
  class Name {
   public:
    std::uint16_t number() const { return number_; }
    // Whether the server has learnt the number.
    bool known() const { return known_.load(std::memory_order_acquire); }

   private:
    friend class ClientNames;
    Name(const PreparedTarget& target, std::string_view operation, std::uint16_t number);

    std::atomic<std::uint64_t> target_;  // serial of the last target found to have this address
    const NameWords words_;
    const std::string operation_;
    const std::vector<std::uint8_t> address_;
    const std::uint16_t number_;
    std::atomic<bool> known_{false};
  };

  ClientNames() = default;
  ClientNames(const ClientNames&) = delete;
  ClientNames& operator=(const ClientNames&) = delete;
  ~ClientNames();

  // The names of a GIOP 1.2 request, to be sent as a number or offered. Null if they have no number: there
  // are too many names, they are too long, or the server does not speak GIOPlite. Valid as long as this
  // object.
  Name* find(const PreparedTarget& target, std::string_view operation) {
    if (Name* const known = find_known(target, operation)) return known;
    return find_or_add(target, operation);
  }
  // Fast path: returns the names only if the server knows their number and they are in the first slot.
  Name* find_known(const PreparedTarget& target, std::string_view operation) const {
    const NameWords words(operation);
    Name* const name = slots_[first_slot(target, words)].load(std::memory_order_acquire);
    if (!name || name->target_.load(std::memory_order_relaxed) != target.serial() || !name->known() ||
        !words.is(operation.data(), name->words_, name->operation_.data())) [[unlikely]]
      return nullptr;
    return name;
  }

  // Call for the reply to a request that offered `name`.
  void answered(Name& name, bool with_short_head);
  // A oneway request that offered `name` has been sent; later requests follow it in order.
  void sent(Name& name);
  // Whether the server answered an offer in a way that shows it does not speak GIOPlite.
  bool refused() const { return server_.load(std::memory_order_relaxed) == Server::does_not; }

 private:
  enum class Server : std::uint8_t { not_known, speaks, does_not };

  static std::size_t first_slot(const PreparedTarget& target, const NameWords& words) {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
    const std::uint64_t mixed =
        (words.first ^ std::rotl(words.last, 24) ^ target.address_hash() ^ words.size) * odd;
    return mixed >> (64 - std::bit_width(max_names - 1));
  }
  static constexpr std::size_t probes = 8;

  Name* find_or_add(const PreparedTarget& target, std::string_view operation);

  // The index of a slot is its number. A slot is set only once.
  std::array<std::atomic<Name*>, max_names> slots_{};
  std::atomic<Server> server_{Server::not_known};
};

// Null if the connection does not use GIOPlite.
inline std::unique_ptr<ClientNames> names_for(const Messaging& messaging) {
  return messaging.short_heads ? std::make_unique<ClientNames>() : nullptr;
}

}  // namespace takt::giop::lite
