// Which object keys and operations a client has numbered on a connection: the server's side of GIOPlite.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <takt/base/bytes.h>

namespace takt::giop::lite {

// One thread at a time. Its memory is bounded by max_names and max_name_octets, and grows with what the peer
// numbers. What a number stands for never changes, so views stay valid as long as this does.
class ServerNames {
 public:
  struct Names {
    ByteView object_key;
    std::string_view operation;  // null data: the number stands for nothing
  };

  // Allocates, for names that it does not know. False, and nothing learnt: the number or the names are beyond
  // the limits, or it stands for other names.
  bool learn(std::uint16_t number, ByteView object_key, std::string_view operation);
  // Null: nothing has that number.
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
