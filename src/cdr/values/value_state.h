// What encoder and decoder remember of the values of one message; there only once there was a value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <takt/cdr/any.h>
#include <takt/cdr/value.h>

#include "cdr/values/chunks.h"

namespace takt::cdr {

using AnyTable = std::vector<CORBA::Any>;
using AnyContents = std::vector<std::shared_ptr<const AnyContent>>;

// CORBA 3.0.3, 15.3.4.1 and 15.3.4.2.
namespace value_tag {
inline constexpr std::uint32_t null = 0;
inline constexpr std::uint32_t indirection = 0xffffffff;
inline constexpr std::uint32_t header = 0x7fffff00;  // with flags; less than that is the size of a chunk
inline constexpr std::uint32_t codebase = 1, type_mask = 6, one_id = 2, id_list = 6, chunked = 8;
inline constexpr std::uint32_t last_header = 0x7fffffff;
}  // namespace value_tag

struct ValueEncoding {
  struct Chunk {
    bool open = false;
    std::size_t before;   // owned octets before the chunk's size was written
    std::size_t size_at;  // owned octets before the size
    std::size_t data;     // the index of the first octet of data
  };

  std::unordered_map<const void*, std::size_t> positions;  // of values' tags, by address
  std::vector<std::shared_ptr<CORBA::ValueBase>> alive;    // so that no address is used again
  std::map<std::string, std::size_t, std::less<>> ids;
  Chunk chunk;
  std::uint32_t level = 0;  // of chunked values inside each other
  std::uint32_t depth = 0;
  ValueTable* table = nullptr;
  AnyTable* anys = nullptr;
  Environment* environment = nullptr;  // of the objects that were written beside the table
};

// Something that was read, and where. Positions only grow, so that they are searched by halving.
template <class T>
class ByPosition {
 public:
  // Gives its place among the entries.
  std::size_t add(std::size_t position, T what) {
    entries_.emplace_back(position, std::move(what));
    return entries_.size() - 1;
  }
  T& at(std::size_t place) { return entries_[place].second; }
  const T* find(std::size_t position) const {
    const auto at = std::lower_bound(entries_.begin(), entries_.end(), position,
                                     [](const auto& entry, std::size_t key) { return entry.first < key; });
    return at != entries_.end() && at->first == position ? &at->second : nullptr;
  }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

 private:
  std::vector<std::pair<std::size_t, T>> entries_;
};

// Values that were made, after a message was decoded, out of its Anys, and refer to each other in circles.
// They are taken apart with the message's own. Any thread.
struct LaterValues {
  std::mutex mutex;
  ValueTable values;
  AnyContents contents;
};

struct ValueDecoding {
  struct Known {
    std::shared_ptr<CORBA::ValueBase> value;
    bool whole = false;  // its state has been read
  };

  ByPosition<Known> values;
  ByPosition<std::shared_ptr<const std::string>> ids;  // and codebase URLs
  ByPosition<std::shared_ptr<const std::vector<std::shared_ptr<const std::string>>>> id_lists;
  std::size_t octets = 0;  // of the body that were to be read when the first value came
  Chunks chunks;
  std::uint32_t level = 0;  // of chunked values inside each other
  std::uint32_t ended = 0;  // an end tag ended all levels from here on, and not all have seen it yet; 0: none
  bool cyclic = false;      // a value refers to one that it is part of
  const ValueTable* table = nullptr;
  const AnyTable* anys = nullptr;
  AnyContents contents;                // of Anys that refer to values
  std::shared_ptr<LaterValues> later;  // there once there was such an Any
  std::weak_ptr<LaterValues> message;  // that what is decoded came in, if that is not this decoder's

  // The message has been decoded, and its decoder ends.
  void end() noexcept;
};

// In place of Anys, `encoder` writes, and `decoder` reads, indices into a table: by them it is known how many
// references to an Any's content there are.
void collect_anys(Encoder& encoder, AnyTable& table);
void take_anys_from(Decoder& decoder, const AnyTable& table);
// Null: Anys are written, and read, whole.
AnyTable* collected_anys(const Encoder& encoder);
const AnyTable* given_anys(const Decoder& decoder);

// The content of an Any has been read that refers to values.
void note_content(Decoder& decoder, const std::shared_ptr<AnyContent>& content);

// Takes apart the values that nothing refers to but they themselves, and the contents of Anys among them.
// An entry may be there more than once.
void end_cycles(const ValueTable& values, const AnyContents& contents) noexcept;

}  // namespace takt::cdr
