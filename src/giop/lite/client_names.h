// The numbers that a client gives to object keys and operations on a connection: its side of GIOPlite.
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

// A name's length and octets, for hashing and comparing without a call: up to 16 octets are in the words, and
// of longer names the first and the last.
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
  // The same name, being at `name`, as the one at `other` that has these words.
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
// the server is known to have learnt it: a reply with a short head says so for the names of its request, and
// that the server speaks GIOPlite at all, so that from then on what has been sent has been learnt.
class ClientNames {
 public:
  class Name {
   public:
    std::uint16_t number() const { return number_; }
    // The server knows it.
    bool known() const { return known_.load(std::memory_order_acquire); }

   private:
    friend class ClientNames;
    Name(const PreparedTarget& target, std::string_view operation, std::uint16_t number);

    std::atomic<std::uint64_t> target_;  // the serial of the last one whose address was found to be the same
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

  // The names of a request of GIOP 1.2, to be said by number, or else to be offered; null: they have none,
  // because there are too many, they are too long, or the server does not speak GIOPlite. Valid as long as
  // this is.
  Name* find(const PreparedTarget& target, std::string_view operation) {
    if (Name* const known = find_known(target, operation)) return known;
    return find_or_add(target, operation);
  }
  // The names if they can be said by number, and are found at once: in nearly all cases.
  Name* find_known(const PreparedTarget& target, std::string_view operation) const {
    const NameWords words(operation);
    Name* const name = slots_[first_slot(target, words)].load(std::memory_order_acquire);
    if (!name || name->target_.load(std::memory_order_relaxed) != target.serial() || !name->known() ||
        !words.is(operation.data(), name->words_, name->operation_.data())) [[unlikely]]
      return nullptr;
    return name;
  }

  // The reply to a request that offered `name`.
  void answered(Name& name, bool with_short_head);
  // A request that offered `name` has left, and will have no reply; later ones leave after it.
  void sent(Name& name);
  // The server has answered an offer as one that does not know it.
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

  // A slot's place is its number. Once set, it stays.
  std::array<std::atomic<Name*>, max_names> slots_{};
  std::atomic<Server> server_{Server::not_known};
};

// Null: the connection is not to speak GIOPlite.
inline std::unique_ptr<ClientNames> names_for(const Messaging& messaging) {
  return messaging.short_heads ? std::make_unique<ClientNames>() : nullptr;
}

}  // namespace takt::giop::lite
