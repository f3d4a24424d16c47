// Filters, mapping filters, and the filters that are attached to an administrator or a proxy.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "CosNotifyFilterC.h"
#include "notification_parts/filter/callback.h"
#include "notification_parts/filter/constraint_table.h"
#include "notification_parts/model/object.h"

namespace takt::notification {

// Thread-safe. It matches nothing after its end, and while it has no constraints.
class Filter final : public Object {
 public:
  Filter(ObjectId id, std::string grammar, const Limits& limits)
      : Object(id), constraints(limits), grammar_(std::move(grammar)), limits_(limits) {}

  const std::string& grammar() const { return grammar_; }
  bool matches(Candidate& event, std::size_t& steps) const {
    return !ended_ && constraints.first_match(event, steps) != nullptr;
  }
  // Still attached to others, which keep it.
  void end();
  bool has_ended() const { return ended_; }

  // Nothing if there are as many as there may be.
  std::optional<std::int32_t> attach(FilterCallback::Client client);
  bool detach(std::int32_t id);
  std::vector<std::int32_t> callback_ids() const;
  // To be called after a change of the constraints: the callbacks that must be made ready because the types
  // have changed.
  std::vector<std::shared_ptr<FilterCallback>> types_changed();
  bool has_callbacks() const;
  // The memory of the constraints, and of the types that are kept for callbacks, about. It counts the types
  // of a change before types_changed() keeps them.
  std::uint64_t bytes() const;

  ConstraintTable constraints;

 private:
  const std::string grammar_;
  const Limits& limits_;
  std::atomic<bool> ended_{false};
  mutable std::mutex mutex_;
  std::map<std::int32_t, std::shared_ptr<FilterCallback>> callbacks_;
  std::int32_t last_callback_ = 0;
  FilterCallback::Types known_types_;  // while there are callbacks
};

// Chooses a value for an event. Thread-safe.
class MappingFilter final : public Object {
 public:
  MappingFilter(ObjectId id, std::string grammar, CORBA::Any default_value, const Limits& limits)
      : Object(id),
        constraints(limits),
        grammar_(std::move(grammar)),
        default_value_(std::move(default_value)) {}

  const std::string& grammar() const { return grammar_; }
  const CORBA::Any& default_value() const { return default_value_; }
  // The value of the first constraint that the event matches; null if there is none.
  ConstraintTable::Stored match(Candidate& event, std::size_t& steps) const {
    return ended_ ? nullptr : constraints.first_match(event, steps);
  }
  void end() {
    ended_ = true;
    constraints.clear();
  }
  bool has_ended() const { return ended_; }

  ConstraintTable constraints;

 private:
  const std::string grammar_;
  const CORBA::Any default_value_;
  std::atomic<bool> ended_{false};
};

using FilterPtr = std::shared_ptr<Filter>;
using MappingFilterPtr = std::shared_ptr<MappingFilter>;

// The filters of one object. Thread-safe.
class FilterList {
 public:
  explicit FilterList(const Limits& limits) : limits_(limits), list_(std::make_shared<List>()) {}

  // The number of the attachment; nothing if there are as many as there may be.
  std::optional<std::int32_t> add(FilterPtr filter);
  bool remove(std::int32_t number);
  FilterPtr get(std::int32_t number) const;
  std::vector<std::int32_t> numbers() const;
  void clear();
  // Whether there are filters.
  bool empty() const { return empty_; }
  // Whether one of the filters matches, or there are none.
  bool pass(Candidate& event) const;

  using List = std::map<std::int32_t, FilterPtr>;  // by numbers
  std::shared_ptr<const List> snapshot() const;
  // Puts an earlier list back.
  void restore(std::shared_ptr<const List> list);

 private:
  void replace(std::shared_ptr<const List> list);  // under the lock

  const Limits& limits_;
  mutable std::mutex mutex_;
  std::shared_ptr<const List> list_;
  std::int32_t last_ = 0;
  std::atomic<bool> empty_{true};
};

}  // namespace takt::notification
