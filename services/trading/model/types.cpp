#include "trading/model/types.h"

#include <algorithm>
#include <set>
#include <utility>

namespace takt::trading {
namespace {

// Each property once, with the mode that has all that any definition demands.
void merge(std::vector<PropertyType>& properties, const PropertyType& further) {
  const auto same = std::ranges::find(properties, further.name(), [](auto& each) { return each.name(); });
  if (same == properties.end()) {
    properties.push_back(further);
    return;
  }
  same->mode(static_cast<PropertyMode>(static_cast<std::uint32_t>(same->mode()) |
                                       static_cast<std::uint32_t>(further.mode())));
}

}  // namespace

TypeRepository::IncarnationNumber idl_of(Incarnation number) {
  return {static_cast<std::uint32_t>(number >> 32), static_cast<std::uint32_t>(number)};
}

Incarnation incarnation_of(const TypeRepository::IncarnationNumber& number) {
  return Incarnation{number.high()} << 32 | number.low();
}

const PropertyType* ServiceType::property(const std::string& wanted) const {
  const auto found = std::ranges::find_if(properties, [&](auto& each) { return each.name() == wanted; });
  return found == properties.end() ? nullptr : &*found;
}

TypePtr TypeBook::find(const std::string& name) const {
  const auto found = types_.find(name);
  return found == types_.end() ? nullptr : found->second;
}

std::vector<std::string> TypeBook::descendants(const std::string& name) const {
  std::set<std::string> found;
  std::vector<std::string> left{name};
  while (!left.empty()) {
    const auto direct = direct_.find(left.back());
    left.pop_back();
    if (direct == direct_.end()) continue;
    for (const std::string& each : direct->second)
      if (found.insert(each).second) left.push_back(each);
  }
  return {found.begin(), found.end()};
}

TypePtr TypeBook::made(std::string name, TypeRepository::TypeStruct own) const {
  auto type = std::make_shared<ServiceType>();
  std::set<std::string> ancestors;
  for (const PropertyType& each : own.props()) merge(type->properties, each);
  for (const std::string& each : own.super_types()) {
    const TypePtr super = types_.at(each);
    ancestors.insert(each);
    ancestors.insert(super->ancestors.begin(), super->ancestors.end());
    for (const PropertyType& inherited : super->properties) merge(type->properties, inherited);
  }
  std::ranges::sort(type->properties, {}, [](const PropertyType& each) { return each.name(); });
  type->ancestors.assign(ancestors.begin(), ancestors.end());
  type->name = std::move(name);
  type->own = std::move(own);
  return type;
}

void TypeBook::put(TypePtr type) {
  incarnation_ = std::max(incarnation_, type->incarnation());
  const bool is_new = !types_.contains(type->name);
  if (is_new)
    for (const std::string& each : type->own.super_types()) direct_[each].push_back(type->name);
  types_[type->name] = std::move(type);
}

void TypeBook::remove(const std::string& name) {
  const auto found = types_.find(name);
  if (found == types_.end()) return;
  for (const std::string& each : found->second->own.super_types()) std::erase(direct_[each], name);
  direct_.erase(name);
  types_.erase(found);
}

}  // namespace takt::trading
