// Breaks cycles of values, which IDL leaves to the application; the ORB frees other values.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include <takt/corba.h>

#include "valuesC.h"

namespace takt::fuzz::live {

// Keeps the last few values, and breaks their cycles when others come, and in the destructor.
class Untangled {
 public:
  ~Untangled() { drop(); }
  void take(const IDL::traits<CORBA::ValueBase>::ref_type& value) {
    if (kept_.size() >= 3) drop();
    if (value) kept_.push_back(value);
  }

 private:
  using Value = IDL::traits<CORBA::ValueBase>::ref_type;

  static std::vector<Value> parts_of(CORBA::ValueBase& value) {
    std::vector<Value> parts;
    if (auto* const node = dynamic_cast<Interop::Node*>(&value)) {
      parts.assign(node->others().begin(), node->others().end());
      parts.push_back(node->next());
    } else if (auto* const derived = dynamic_cast<Interop::Derived*>(&value)) {
      parts.push_back(derived->inner());
      if (auto* const wide = dynamic_cast<Interop::Wide*>(&value)) parts.push_back(wide->lost());
    }
    return parts;
  }
  static void clear(CORBA::ValueBase& value) {
    if (auto* const node = dynamic_cast<Interop::Node*>(&value)) {
      node->next(nullptr);
      node->others({});
    } else if (auto* const derived = dynamic_cast<Interop::Derived*>(&value)) {
      derived->inner(nullptr);
      if (auto* const wide = dynamic_cast<Interop::Wide*>(&value)) wide->lost(nullptr);
    }
  }

  // Starts with values that no others refer to; the rest is in cycles, or referred to by these.
  void drop() {
    std::unordered_map<CORBA::ValueBase*, std::size_t> holders;
    std::vector<Value> all = kept_;
    for (const Value& value : kept_) holders.try_emplace(value.get(), 0);
    for (std::size_t i = 0; i < all.size(); ++i)
      for (const Value& part : parts_of(*all[i]))
        if (part && holders.try_emplace(part.get(), 0).first->second++ == 0 && !is_kept(part))
          all.push_back(part);
    std::vector<CORBA::ValueBase*> free;
    for (const auto& [value, count] : holders)
      if (count == 0) free.push_back(value);
    for (std::size_t i = 0; i < free.size(); ++i)
      for (const Value& part : parts_of(*free[i]))
        if (part && --holders[part.get()] == 0) free.push_back(part.get());
    if (free.size() < holders.size())
      for (const Value& value : all) clear(*value);
    kept_.clear();
  }
  bool is_kept(const Value& value) const {
    for (const Value& one : kept_)
      if (one == value) return true;
    return false;
  }

  std::vector<Value> kept_;
};

}  // namespace takt::fuzz::live
