// State of an encoder or decoder for the values of one message. Made with the first value.
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

// Value tags (CORBA 3.0.3, 15.3.4.1 and 15.3.4.2).
namespace value_tag {
inline constexpr std::uint32_t null = 0;
inline constexpr std::uint32_t indirection = 0xffffffff;
inline constexpr std::uint32_t header = 0x7fffff00;  // combined with flags; smaller tags are chunk sizes
inline constexpr std::uint32_t codebase = 1, type_mask = 6, one_id = 2, id_list = 6, chunked = 8;
inline constexpr std::uint32_t last_header = 0x7fffffff;
}  // namespace value_tag

struct ValueEncoding {
  struct Chunk {
    bool open = false;
    std::size_t before;   // owned octets before the alignment of the chunk's size
    std::size_t size_at;  // owned octets before the chunk's size
    std::size_t data;     // index of the first octet of data
  };

  std::unordered_map<const void*, std::size_t> positions;  // positions of the values' tags, by address
  std::vector<std::shared_ptr<CORBA::ValueBase>> alive;    // keeps addresses from being reused
  std::map<std::string, std::size_t, std::less<>> ids;
  // In TAO's form, the value with chunks that is being written.
  struct Classes {
    bool tagged = false;      // the value has chunks
    std::uint32_t ended = 0;  // classes whose members have been written, the base of all first
    std::size_t first_tag = 0;
  };
  struct EndTag {
    std::size_t at;      // owned octets before it
    std::uint32_t less;  // the level of the value's first base, less the tag's level
  };

  Chunk chunk;
  Classes classes;
  // Tags of the value and of the values around it. They are patched when all classes are known.
  std::vector<EndTag> tags;
  std::uint32_t level = 0;        // nesting level of chunked values
  std::size_t after_end_tag = 0;  // owned octets up to the end of the last end tag; 0: there is none
  std::uint32_t depth = 0;
  ValueTable* table = nullptr;
  AnyTable* anys = nullptr;
  Environment* environment = nullptr;  // environment of objects written beside the table
};

// Entries by their position in the message. Positions only grow, so find() is a binary search.
template <class T>
class ByPosition {
 public:
  // Returns the index of the new entry.
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

// Values made from a message's Anys after it was decoded, which may form cycles. They are taken apart
// together with the message's own. Any thread.
struct LaterValues {
  std::mutex mutex;
  ValueTable values;
  AnyContents contents;
};

struct ValueDecoding {
  struct Known {
    std::shared_ptr<CORBA::ValueBase> value;
    bool whole = false;  // whether its state has been read
  };

  ByPosition<Known> values;
  ByPosition<std::shared_ptr<const std::string>> ids;  // also codebase URLs
  ByPosition<std::shared_ptr<const std::vector<std::shared_ptr<const std::string>>>> id_lists;
  std::size_t octets = 0;  // remaining octets of the body when the first value came
  Chunks chunks;
  std::uint32_t ended =
      0;  // an end tag has ended all levels from this one on, and some have not handled it; 0: none
  bool cyclic = false;  // a value refers to one that contains it
  const ValueTable* table = nullptr;
  const AnyTable* anys = nullptr;
  AnyContents contents;                // contents of Anys that refer to values
  std::shared_ptr<LaterValues> later;  // made with the first such Any
  std::weak_ptr<LaterValues> message;  // the message that this content came in, if it is not this decoder's

  // Called when the message has been decoded and its decoder is destroyed.
  void end() noexcept;
};

// Makes `encoder` write, and `decoder` read, indices into a table instead of Anys. They count the references
// to an Any's content.
void collect_anys(Encoder& encoder, AnyTable& table);
void take_anys_from(Decoder& decoder, const AnyTable& table);
// Null if Anys are written and read as a whole.
AnyTable* collected_anys(const Encoder& encoder);
const AnyTable* given_anys(const Decoder& decoder);

// An Any's content that refers to values has been read.
void note_content(Decoder& decoder, const std::shared_ptr<AnyContent>& content);

// Takes apart the values, and the contents of Anys among them, that only refer to each other. Entries may be
// duplicates.
void break_cycles(const ValueTable& values, const AnyContents& contents) noexcept;

}  // namespace takt::cdr
