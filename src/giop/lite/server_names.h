// The server's side of GIOPlite: object keys and operations that a client has numbered.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <takt/base/bytes.h>

#include "giop/header/lite_format.h"
#include "giop/lite/operation_handle.h"

namespace takt::giop::lite {

// One thread at a time. Memory grows with the names that the peer numbers, up to max_names and
// max_name_octets. The meaning of a number never changes, so views are valid as long as this object.
class ServerNames {
 public:
  struct Names {
    ByteView object_key;
    std::string_view operation;  // null data: the number has no meaning
    mutable OperationHandle handle;
  };

  ServerNames() { pages_.fill(&empty_page_); }

  // Allocates for new names. Returns false, without effect, if the number or the names exceed the limits, or
  // the number has another meaning.
  bool learn(std::uint16_t number, ByteView object_key, std::string_view operation);
  // Null if the number has no meaning.
  const Names* find(std::uint16_t number) const {
    if (number >= max_names) [[unlikely]]
      return nullptr;
    const Names& names = (*pages_[number / page_names])[number % page_names];
    return names.operation.data() ? &names : nullptr;
  }

 private:
  // Clients number names by their hashes: a table up to the highest number would be mostly empty.
  static constexpr std::size_t page_names = 64;
  using Page = std::array<Names, page_names>;
  static_assert(max_names % page_names == 0);

  Page& own_page_of(std::uint16_t number);

  static constexpr std::size_t pages = max_names / page_names;
  inline static const Page empty_page_{};
  std::array<const Page*, pages> pages_;  // an own page or the empty one
  std::array<std::unique_ptr<Page>, pages> own_pages_;
  std::vector<std::unique_ptr<std::uint8_t[]>> octets_;
};

}  // namespace takt::giop::lite
