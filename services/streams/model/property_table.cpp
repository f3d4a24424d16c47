#include "streams/model/property_table.h"

#include <utility>

#include <takt/base/gather_buffer.h>
#include <takt/cdr/any.h>
#include <takt/cdr/codec.h>
#include <takt/corba.h>

namespace takt::streams {
namespace {

// With the description of its type, which a client can make as large as it likes.
std::size_t bytes_of(const CORBA::Any& value) {
  GatherBuffer buffer(512);
  cdr::Encoder encoder(buffer, cdr::any_format());
  encoder.set_borrowing(false);
  cdr::write(encoder, value);
  return buffer.owned_size();
}

}  // namespace

void PropertyTable::fix(const std::string& name, CORBA::Any value) {
  const std::size_t bytes = name.size() + bytes_of(value);
  const std::lock_guard lock(mutex_);
  entries_.insert_or_assign(name, Entry{std::move(value), true, bytes});
}

std::optional<PropertyTable::Reason> PropertyTable::define(const std::string& name, const CORBA::Any& value) {
  if (name.empty()) return Reason::invalid_property_name;
  const std::size_t bytes = name.size() + bytes_of(value);
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(name);
  const bool exists = found != entries_.end();
  if (exists && found->second.fixed) return Reason::read_only_property;
  if (exists && !found->second.value.type()->equivalent(value.type())) return Reason::conflicting_property;
  const std::size_t others = bytes_ - (exists ? found->second.bytes : 0);
  if (bytes > limits_.property_bytes || others > limits_.property_bytes - bytes)
    throw CORBA::IMP_LIMIT(
        0, CORBA::COMPLETED_NO,
        "the properties of an object have more than " + std::to_string(limits_.property_bytes) + " octets");
  if (!exists && entries_.size() >= limits_.properties)
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                           "an object has more than " + std::to_string(limits_.properties) + " properties");
  bytes_ = others + bytes;
  entries_.insert_or_assign(name, Entry{value, false, bytes});
  return std::nullopt;
}

std::optional<PropertyTable::Reason> PropertyTable::remove(const std::string& name) {
  if (name.empty()) return Reason::invalid_property_name;
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(name);
  if (found == entries_.end()) return Reason::property_not_found;
  if (found->second.fixed) return Reason::fixed_property;
  bytes_ -= found->second.bytes;
  entries_.erase(found);
  return std::nullopt;
}

std::optional<CORBA::Any> PropertyTable::find(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(name);
  return found == entries_.end() ? std::nullopt : std::optional(found->second.value);
}

CosPropertyService::Properties PropertyTable::named(const CosPropertyService::PropertyNames& names,
                                                    bool& all) const {
  const CORBA::Any nothing(cdr::basic_typecode(CORBA::TCKind::tk_void), nullptr);
  CosPropertyService::Properties found;
  std::size_t bytes = 0;
  all = true;
  const std::lock_guard lock(mutex_);
  for (const std::string& name : names) {
    const auto entry = entries_.find(name);
    const bool is_there = entry != entries_.end();
    all = all && is_there;
    bytes += is_there ? entry->second.bytes : 0;
    if (bytes > limits_.answer_bytes)
      throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                             "the properties of these names have more than " +
                                 std::to_string(limits_.answer_bytes) + " octets together");
    found.push_back({name, is_there ? entry->second.value : nothing});
  }
  return found;
}

CosPropertyService::Properties PropertyTable::all() const {
  CosPropertyService::Properties properties;
  const std::lock_guard lock(mutex_);
  for (const auto& [name, entry] : entries_) properties.push_back({name, entry.value});
  return properties;
}

std::size_t PropertyTable::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace takt::streams
