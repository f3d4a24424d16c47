// Changes of types of events that clients have yet to be told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "events/model/event.h"
#include "notification_parts/model/event_types.h"

namespace takt::notification {

// A change that the proxies of a channel's other side share. Immutable. Its octets are counted in `memory`,
// which must outlive it.
class SharedChange {
 public:
  SharedChange(Subscription::Change change, events::Memory& memory)
      : change_(std::move(change)),
        bytes_(bytes_of(change_.added) + bytes_of(change_.removed)),
        memory_(memory) {
    memory_.take(bytes_);
  }
  ~SharedChange() { memory_.give_back(bytes_); }
  SharedChange(const SharedChange&) = delete;
  SharedChange& operator=(const SharedChange&) = delete;

  const Subscription::Change& operator*() const { return change_; }
  std::size_t size() const { return change_.added.size() + change_.removed.size(); }

 private:
  const Subscription::Change change_;
  const std::uint64_t bytes_;
  events::Memory& memory_;
};

using ChangePtr = std::shared_ptr<const SharedChange>;

// The changes that one client has yet to be told, in their order. One thread at a time.
class UntoldChanges {
 public:
  explicit UntoldChanges(events::Memory& memory) : memory_(memory) {}

  bool empty() const { return changes_.empty(); }
  // The types in all changes.
  std::size_t size() const { return size_; }
  void add(ChangePtr change);
  // Makes one change of all; none if they undo each other.
  void merge();
  // Removes and returns all changes as one; null if they undo each other.
  ChangePtr take();
  // The change comes before all others.
  void put_back(ChangePtr change);
  void clear();

 private:
  events::Memory& memory_;
  std::vector<ChangePtr> changes_;
  std::size_t size_ = 0;
};

}  // namespace takt::notification
