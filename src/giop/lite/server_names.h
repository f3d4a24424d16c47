// The server's side of GIOPlite: object keys and operations that a client has numbered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <takt/base/bytes.h>

namespace takt::giop::lite {

// One thread at a time. Memory grows with the names that the peer numbers, up to max_names and
// max_name_octets. The meaning of a number never changes, so views are valid as long as this object.
class ServerNames {
 public:
  struct Names {
    ByteView object_key;
    std::string_view operation;  // null data: the number has no meaning
  };

  // Allocates for new names. Returns false, without effect, if the number or the names exceed the limits, or
  // the number has another meaning.
  bool learn(std::uint16_t number, ByteView object_key, std::string_view operation);
  // Null if the number has no meaning.
  const Names* find(std::uint16_t number) const {
    if (number >= names_.size() || !names_[number].operation.data()) [[unlikely]]
      return nullptr;
    return &names_[number];
  }

 private:
  std::vector<Names> names_;
  std::vector<std::unique_ptr<std::uint8_t[]>> octets_;
};

}  // namespace takt::giop::lite
