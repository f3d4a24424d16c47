// Named arguments and contexts of dynamic requests (CORBA 3.0.3, chapter 7).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <takt/cdr/any.h>
#include <takt/reference/local_object.h>
#include <takt/reference/orb_types.h>

namespace takt::dynamic {
class OrbRequests;
class Results;
}  // namespace takt::dynamic

namespace CORBA {

// Which way an argument goes.
using Flags = std::uint32_t;
inline constexpr Flags ARG_IN = 1, ARG_OUT = 2, ARG_INOUT = 3;

// There is no such item.
class Bounds final : public UserException {
 public:
  const char* _rep_id() const noexcept override { return "IDL:omg.org/CORBA/Bounds:1.0"; }
  const char* _name() const noexcept override { return "Bounds"; }
  const char* what() const noexcept override { return "CORBA::Bounds: the list has no item with that index"; }
  [[noreturn]] void _raise() const override { throw *this; }
};

// A value with a name and a direction. One thread at a time.
class NamedValue final : public LocalObject {
 public:
  using _ref_type = object_reference<NamedValue>;
  explicit NamedValue(Flags flags, std::string name = {}, Any value = {})
      : name_(std::move(name)), flags_(flags), value_(std::move(value)) {}

  const std::string& name() const { return name_; }
  // Owned by this object. A changed value is sent with the next request.
  Any& value() { return value_; }
  const Any& value() const { return value_; }
  Flags flags() const { return flags_; }

  // Without its value, whose memory it keeps where that was a number.
  void _forget() {
    value_ = Any();
    if (memory_ && memory_.use_count() != 1) memory_ = nullptr;
  }
  // After _forget(): as if it were made anew.
  void _renew(Flags flags, const std::string& name) {
    name_ = name;
    flags_ = flags;
  }

 private:
  friend class takt::dynamic::Results;
  std::string name_;
  Flags flags_;
  Any value_;
  std::shared_ptr<takt::cdr::AnyContent> memory_;  // a received value's memory, which the next one uses
};

// A list of them, in the order of an operation's parameters. One thread at a time.
class NVList final : public LocalObject {
 public:
  using _ref_type = object_reference<NVList>;
  using Item = object_reference<NamedValue>;

  std::uint32_t count() const { return count_; }
  Item add(Flags flags) { return _add({}, flags); }
  Item add_item(const std::string& name, Flags flags) { return _add(name, flags); }
  Item add_value(const std::string& name, const Any& value, Flags flags) {
    Item item = _add(name, flags);
    item->value() = value;
    return item;
  }
  // Bounds.
  Item item(std::uint32_t index) const {
    if (index >= count_) throw Bounds();
    return items_[index];
  }
  void remove(std::uint32_t index) {
    if (index >= count_) throw Bounds();
    items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(index));
    --count_;
  }

  std::span<const Item> _items() const { return {items_.data(), count_}; }
  // Whether a value has one of the flags.
  bool _has(Flags flags) const {
    return std::ranges::any_of(_items(), [&](const Item& item) { return (item->flags() & flags) != 0; });
  }
  const Item& _add(const std::string& name, Flags flags) {
    if (count_ == items_.size())
      items_.push_back(make_reference<NamedValue>(flags, name));
    else
      items_[count_]->_renew(flags, name);
    return items_[count_++];
  }
  // Removes all values. Keeps the memory of some that have no other references.
  void _clear() noexcept;

 private:
  std::vector<Item> items_;  // those that are removed behind the others
  std::uint32_t count_ = 0;
};

using ExceptionList = std::vector<typecode_reference>;
using ContextList = std::vector<std::string>;  // names, with * at their ends for all that begin so

// Properties with names, each a string; those of a parent hold where there is none of that name. One thread
// at a time.
class Context final : public LocalObject {
 public:
  using _ref_type = object_reference<Context>;
  explicit Context(std::string name = {}, object_reference<Context> parent = {})
      : name_(std::move(name)), parent_(std::move(parent)) {}

  const std::string& context_name() const { return name_; }
  object_reference<Context> parent() const { return parent_; }
  // Must be owned by a reference.
  object_reference<Context> create_child(const std::string& name);
  // BAD_TYPECODE unless the value is a string.
  void set_one_value(const std::string& name, const Any& value);
  void set_values(const object_reference<NVList>& values);
  // One name, or with * at its end all that begin so. BAD_CONTEXT where there is none.
  void delete_values(const std::string& pattern);
  // The values of this scope, or of the one named, and, unless `flags` is CTX_RESTRICT_SCOPE, of those around
  // it. BAD_CONTEXT where there is no such scope or no value.
  object_reference<NVList> get_values(const std::string& start_scope, Flags flags,
                                      const std::string& pattern);

  // All that match, nearer ones first in place of farther ones.
  std::map<std::string, std::string> _matching(const std::string& pattern,
                                               bool this_scope_alone = false) const;
  // For create_child(): the creator of a context passes its reference.
  void _owned_by(const std::shared_ptr<Context>& self) { self_ = self; }

 private:
  const std::string name_;
  const object_reference<Context> parent_;
  std::map<std::string, std::string> values_;
  std::weak_ptr<Context> self_;
};
inline constexpr Flags CTX_RESTRICT_SCOPE = 15;

}  // namespace CORBA
