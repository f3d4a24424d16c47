// A thread's bindings for each kind of its calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "client/bindings.h"
#include "giop/contexts/priorities.h"

namespace takt::client {

class ClientChannel;

// One set of bindings is in use. Calls of each priority, and calls with a quality, have a set of their own,
// so that switching between them is free. Clients choose the priorities of the threads that serve them, so
// the number of sets is limited. One thread.
class BindingSets {
 public:
  // The kind of calls that share a set, as a number.
  using Kind = std::uint32_t;
  static constexpr Kind usual = 0;  // neither priority nor quality
  static constexpr Kind asynchronous = Kind{1} << 31;
  // `quality_row`: the marking that the quality asks for; 0 unless an ORB marks connections by it.
  static Kind kind_of(std::optional<giop::Priority> priority, bool has_quality, std::uint8_t quality_row) {
    const Kind of_priority = priority ? static_cast<Kind>(*priority) + 1 : 0;
    return of_priority << 5 | static_cast<Kind>(quality_row) << 1 | static_cast<Kind>(has_quality);
  }
  // Sets of other kinds than the usual one. Beyond that the oldest is forgotten; its channels stay open.
  static constexpr std::size_t most = 64;
  std::size_t size() const { return others_.size(); }

  // The set in use.
  Bindings& current() { return *current_; }
  const Bindings& current() const { return *current_; }
  Kind kind() const { return kind_; }
  // Takes the set for that kind into use. The previous one is found at once.
  void use(Kind wanted) {
    if (wanted == kind_) return;
    std::swap(current_, previous_);
    std::swap(kind_, previous_kind_);
    if (wanted != kind_) find(wanted);
  }
  // Without memory, use() leaves an empty set in place of that one, which the next call has to find.
  bool is_missing() const { return current_ == &none_; }
  Bindings& find_missing() { return *(current_ = &set_for(kind_)); }  // throws std::bad_alloc
  // From withhold() until release() the current set is empty, so that every call must be bound again.
  void withhold() { withheld_ = std::exchange(current_, &none_); }
  void release() { current_ = withheld_; }

  // Forgets the bindings on a channel in all sets; null: all bindings.
  void forget(const ClientChannel* channel = nullptr);

 private:
  void find(Kind wanted) noexcept;
  Bindings& set_for(Kind wanted);

  static Bindings none_;  // stays empty
  Bindings usual_;
  Bindings* current_ = &usual_;
  Kind kind_ = usual;  // the kind of `current_`
  Bindings* previous_ = &usual_;
  Kind previous_kind_ = usual;
  Bindings* withheld_ = nullptr;
  std::vector<std::pair<Kind, std::unique_ptr<Bindings>>> others_;
  std::size_t next_forgotten_ = 0;  // next entry of others_ to replace
};

}  // namespace takt::client
