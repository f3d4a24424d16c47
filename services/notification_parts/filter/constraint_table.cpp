#include "notification_parts/filter/constraint_table.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace takt::notification {
namespace {

bool takes(const StoredConstraint& constraint, const Candidate& event) {
  return constraint.types.empty() || std::ranges::any_of(constraint.types, [&](const TypeName& each) {
           return fits(each, event.domain(), event.type());
         });
}

ConstraintTable::List::iterator place_of(ConstraintTable::List& list, std::int32_t id) {
  return std::ranges::find_if(list, [&](const auto& each) { return each->id == id; });
}

}  // namespace

ConstraintTable::Snapshot ConstraintTable::snapshot() const {
  const std::lock_guard lock(mutex_);
  return list_;
}

std::expected<ConstraintTable::Stored, ConstraintTable::Fault> ConstraintTable::parsed(
    std::int32_t id, const ConstraintText& text) const {
  const auto& types = text.expression.event_types();
  if (types.size() > limits_.event_types) return std::unexpected(TooMany());
  auto parsed =
      constraint::Constraint::parse(text.expression.constraint_expr(), {.octets = limits_.constraint_bytes});
  if (!parsed) return std::unexpected(Invalid(text.expression));
  StoredConstraint made{.id = id, .text = text, .types = {}, .parsed = std::move(*parsed), .bytes = 0};
  for (const auto& type : types) made.types.push_back(name_of(type));
  made.bytes = sizeof made + text.expression.constraint_expr().size() + text.value._content().octets.size() +
               2 * notification::bytes_of(made.types) + made.parsed.bytes();
  return std::make_shared<const StoredConstraint>(std::move(made));
}

std::expected<ConstraintTable::List, ConstraintTable::Fault> ConstraintTable::add(
    const std::vector<ConstraintText>& texts) {
  if (texts.size() > limits_.constraints) return std::unexpected(TooMany());
  List added;
  std::uint64_t bytes = this->bytes();
  for (const ConstraintText& text : texts) {
    auto made = parsed(0, text);
    if (!made) return std::unexpected(std::move(made.error()));
    if ((bytes += (*made)->bytes) > limits_.filter_bytes) return std::unexpected(TooLarge());
    added.push_back(std::move(*made));
  }
  const std::lock_guard lock(mutex_);
  if (list_->size() + added.size() > limits_.constraints ||
      std::numeric_limits<std::int32_t>::max() - last_id_ < static_cast<std::int64_t>(added.size()))
    return std::unexpected(TooMany());
  for (Stored& each : added) {
    auto with_id = std::make_shared<StoredConstraint>(*each);
    with_id->id = ++last_id_;
    each = std::move(with_id);
  }
  auto list = std::make_shared<List>(*list_);
  list->insert(list->end(), added.begin(), added.end());
  list_ = std::move(list);
  return added;
}

std::expected<void, ConstraintTable::Fault> ConstraintTable::modify(
    const Ids& removed, const std::vector<Replacement>& replaced) {
  List made;
  std::uint64_t bytes = 0;
  if (replaced.size() > limits_.constraints) return std::unexpected(TooMany());
  for (const Replacement& each : replaced) {
    auto constraint = parsed(each.id, each.text);
    if (!constraint) return std::unexpected(std::move(constraint.error()));
    if ((bytes += (*constraint)->bytes) > limits_.filter_bytes) return std::unexpected(TooLarge());
    made.push_back(std::move(*constraint));
  }
  const std::lock_guard lock(mutex_);
  auto list = std::make_shared<List>(*list_);
  for (const std::int32_t id : removed) {
    const auto place = place_of(*list, id);
    if (place == list->end()) return std::unexpected(Missing(id));
    list->erase(place);
  }
  for (Stored& each : made) {
    const auto place = place_of(*list, each->id);
    if (place == list->end()) return std::unexpected(Missing(each->id));
    *place = std::move(each);
  }
  if (bytes_of(*list) > std::max(limits_.filter_bytes, bytes_of(*list_))) return std::unexpected(TooLarge());
  list_ = std::move(list);
  return {};
}

std::expected<ConstraintTable::List, ConstraintTable::Fault> ConstraintTable::get(const Ids& ids) const {
  if (ids.size() > limits_.constraints) return std::unexpected(TooMany());
  List list = *snapshot(), found;
  for (const std::int32_t id : ids) {
    const auto place = place_of(list, id);
    if (place == list.end()) return std::unexpected(Missing(id));
    found.push_back(*place);
  }
  return found;
}

void ConstraintTable::clear() {
  const std::lock_guard lock(mutex_);
  list_ = std::make_shared<List>();
}

void ConstraintTable::restore(Snapshot list) {
  const std::lock_guard lock(mutex_);
  list_ = std::move(list);
}

bool ConstraintTable::restore(std::int32_t id, const ConstraintText& text) {
  auto made = parsed(id, text);
  if (!made) return false;
  const std::lock_guard lock(mutex_);
  auto list = std::make_shared<List>(*list_);
  list->push_back(std::move(*made));
  list_ = std::move(list);
  last_id_ = std::max(last_id_, id);
  return true;
}

CosNotifyFilter::ConstraintInfoSeq infos_of(const ConstraintTable::List& list) {
  CosNotifyFilter::ConstraintInfoSeq infos;
  for (const auto& each : list) infos.emplace_back(each->text.expression, each->id);
  return infos;
}

CosNotifyFilter::MappingConstraintInfoSeq mapping_infos_of(const ConstraintTable::List& list) {
  CosNotifyFilter::MappingConstraintInfoSeq infos;
  for (const auto& each : list) infos.emplace_back(each->text.expression, each->id, each->text.value);
  return infos;
}

ConstraintTable::Stored ConstraintTable::first_match(Candidate& event, std::size_t& steps) const {
  const Snapshot list = snapshot();
  for (const Stored& each : *list) {
    const std::size_t needed = 1 + each->types.size();
    if (steps < needed) {
      steps = 0;
      return nullptr;
    }
    steps -= needed;
    if (!takes(*each, event)) continue;
    if (each->parsed.is_empty()) return each;
    // Decoding is done once for all filters, so it must not depend on what each has left.
    if (event.decoding_steps() > limits_.filter_steps) continue;
    if (each->parsed.match(event.parts(), steps) == constraint::Match::yes) return each;
  }
  return nullptr;
}

std::uint64_t ConstraintTable::bytes_of(const List& list) {
  std::uint64_t bytes = 0;
  for (const Stored& each : list) bytes += each->bytes;
  return bytes;
}

std::uint64_t ConstraintTable::bytes() const { return bytes_of(*snapshot()); }

std::set<TypeName> ConstraintTable::types() const {
  std::set<TypeName> types;
  for (const Snapshot list = snapshot(); const Stored& each : *list) {
    if (each->types.empty()) types.insert({"*", "%ALL"});
    types.insert(each->types.begin(), each->types.end());
  }
  return types;
}

}  // namespace takt::notification
