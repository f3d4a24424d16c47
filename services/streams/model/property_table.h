// The properties of one object (OMG Property Service 1.0).
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "CosPropertyServiceC.h"
#include "streams/model/limits.h"

namespace takt::streams {

// Thread-safe. Its values are copies.
class PropertyTable {
 public:
  using Reason = CosPropertyService::ExceptionReason;

  explicit PropertyTable(const Limits& limits) : limits_(limits) {}

  // A property that clients can read only.
  void fix(const std::string& name, CORBA::Any value);
  // Adds a property, or changes its value to another of the same type. The reason if it does not. Throws
  // IMP_LIMIT if it would be too large, or one too many.
  std::optional<Reason> define(const std::string& name, const CORBA::Any& value);
  std::optional<Reason> remove(const std::string& name);
  // A property for each name, in their order; its value is void, and `all` false, if there is none. IMP_LIMIT
  // if they are too long together.
  CosPropertyService::Properties named(const CosPropertyService::PropertyNames& names, bool& all) const;
  std::optional<CORBA::Any> find(const std::string& name) const;
  CosPropertyService::Properties all() const;
  std::size_t size() const;

 private:
  struct Entry {
    CORBA::Any value;
    bool fixed;
    std::size_t bytes;
  };

  const Limits limits_;
  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;
  std::size_t bytes_ = 0;
};

}  // namespace takt::streams
