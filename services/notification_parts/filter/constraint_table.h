// The constraints of a filter or mapping filter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "CosNotifyFilterC.h"
#include "constraint/constraint.h"
#include "notification_parts/filter/candidate.h"
#include "notification_parts/model/event_types.h"
#include "notification_parts/model/limits.h"

namespace takt::notification {

// A constraint as a client gives it. `value` is null in filters; in mapping filters, the value for events
// that match.
struct ConstraintText {
  CosNotifyFilter::ConstraintExp expression;
  CORBA::Any value{};
};

// A constraint as it was given, and parsed. Immutable.
struct StoredConstraint {
  std::int32_t id;
  ConstraintText text;
  std::vector<TypeName> types;  // empty: all
  constraint::Constraint parsed;
  std::uint64_t bytes;  // estimate of the memory that it takes
};

// Thread-safe: events are matched against the constraints that there were when the match began.
class ConstraintTable {
 public:
  using Stored = std::shared_ptr<const StoredConstraint>;
  using List = std::vector<Stored>;
  using Ids = std::vector<std::int32_t>;
  struct Missing {
    std::int32_t id;
  };
  struct Invalid {
    CosNotifyFilter::ConstraintExp expression;
  };
  struct TooMany {};
  struct TooLarge {};  // the constraints take more than Limits::filter_bytes
  using Fault = std::variant<Missing, Invalid, TooMany, TooLarge>;
  struct Replacement {
    std::int32_t id;
    ConstraintText text;
  };

  explicit ConstraintTable(const Limits& limits) : limits_(limits), list_(std::make_shared<List>()) {}

  // All or none.
  std::expected<List, Fault> add(const std::vector<ConstraintText>& texts);
  // Removes and replaces all, or nothing. A replaced constraint keeps its place.
  std::expected<void, Fault> modify(const Ids& removed, const std::vector<Replacement>& replaced);
  std::expected<List, Fault> get(const Ids& ids) const;
  List all() const { return *snapshot(); }
  void clear();
  using Snapshot = std::shared_ptr<const List>;
  Snapshot snapshot() const;
  // Puts an earlier list back.
  void restore(Snapshot list);
  // Adds a constraint that was stored with its id. False if it is not valid.
  bool restore(std::int32_t id, const ConstraintText& text);

  // The first constraint that the event matches; null if there is none, or the steps are used up.
  Stored first_match(Candidate& event, std::size_t& steps) const;
  // The memory of all constraints, about.
  std::uint64_t bytes() const;
  // The types of all constraints; "*" and "%ALL" stand for all.
  std::set<TypeName> types() const;

 private:
  std::expected<Stored, Fault> parsed(std::int32_t id, const ConstraintText& text) const;
  static std::uint64_t bytes_of(const List& list);

  const Limits& limits_;
  mutable std::mutex mutex_;
  Snapshot list_;
  std::int32_t last_id_ = 0;
};

// As lists of the IDL.
CosNotifyFilter::ConstraintInfoSeq infos_of(const ConstraintTable::List& list);
CosNotifyFilter::MappingConstraintInfoSeq mapping_infos_of(const ConstraintTable::List& list);

}  // namespace takt::notification
