// Making the TypeCodes of types that contain each other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <takt/cdr/typecode.h>

namespace takt::cdr {

// The types whose TypeCodes are being made, outermost first. Makers that meet a type again take its TypeCode
// from here, so that n types that contain each other need at most n * n TypeCodes. Key: a pointer or a number
// that identifies a type and is not Key{}. For one thread.
template <class Key>
class TypesInProgress {
 public:
  std::size_t depth() const { return open_.size(); }

  // Whether the type is being made: it is recursive, and a recursion stands for it here.
  bool encloses(Key key) {
    const auto found = std::find(open_.begin(), open_.end(), key);
    if (found == open_.end()) return false;
    refer_to(static_cast<std::size_t>(found - open_.begin()));
    return true;
  }
  // The TypeCode of a type that was made inside the enclosing types and refers to one of them; nil if there
  // is none. It is complete only inside them.
  CORBA::typecode_reference made_inside(Key key) {
    const auto found = inside_.find(key);
    if (found == inside_.end()) return {};
    refer_to(found->second.refers_to);
    return found->second.type;
  }

  struct Made {
    CORBA::typecode_reference type;
    bool is_whole;  // refers to no enclosing type, so it may be kept
  };
  // Runs `make` inside this type. `can_be_meant`: a recursion can stand for the type, which is true for
  // structs, unions, exceptions, values and boxes. Throws what `make` throws.
  template <class Make>
  Made make(Key key, bool can_be_meant, Make make) {
    Opened opened(*this, can_be_meant ? key : Key{});
    CORBA::typecode_reference type = make();
    const std::size_t refers_to = refers_to_;
    const bool is_whole = opened.is_whole();
    if (!is_whole) {
      inside_.insert_or_assign(key, Inside{type, refers_to});
      order_.push_back(key);
    }
    return {std::move(type), is_whole};
  }

 private:
  static constexpr std::size_t none = SIZE_MAX;

  // A type from the beginning of its making to the end.
  class Opened {
   public:
    Opened(TypesInProgress& all, Key key)
        : all_(all),
          depth_(all.open_.size()),
          first_inside_(all.order_.size()),
          outer_(std::exchange(all.refers_to_, none)) {
      all.open_.push_back(key);
    }
    ~Opened() {
      all_.open_.pop_back();
      all_.forget(first_inside_, depth_);
      all_.refers_to_ = is_whole() ? outer_ : std::min(outer_, all_.refers_to_);
    }
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;
    bool is_whole() const { return all_.refers_to_ >= depth_; }

   private:
    TypesInProgress& all_;
    std::size_t depth_, first_inside_, outer_;
  };

  struct Inside {
    CORBA::typecode_reference type;
    std::size_t refers_to;
  };

  void refer_to(std::size_t index) { refers_to_ = std::min(refers_to_, index); }
  // Removes those that were made since `first` and refer to the type at `depth`, which is complete now.
  void forget(std::size_t first, std::size_t depth) {
    auto kept = order_.begin() + static_cast<std::ptrdiff_t>(first);
    for (auto at = kept; at != order_.end(); ++at) {
      const auto found = inside_.find(*at);
      if (found == inside_.end()) continue;
      if (found->second.refers_to >= depth)
        inside_.erase(found);
      else
        *kept++ = *at;
    }
    order_.erase(kept, order_.end());
  }

  std::vector<Key> open_;
  std::map<Key, Inside> inside_;
  std::vector<Key> order_;        // the keys of inside_ in the order of their making
  std::size_t refers_to_ = none;  // index in open_ of the outermost type that the result refers to
};

}  // namespace takt::cdr
