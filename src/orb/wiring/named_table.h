// Strategies by name: the ORB's own and those of plug-ins.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/settings.h"

namespace takt::orb {

// In the order in which they were added. Changes only while the ORB starts, or loads a plug-in.
class NameTable {
 public:
  using Entry = std::pair<std::string, std::shared_ptr<const void>>;

  const std::vector<Entry>& all() const { return all_; }
  // The name must not be in the table.
  void add(std::string name, std::shared_ptr<const void> strategy) {
    all_.emplace_back(std::move(name), std::move(strategy));
  }
  // Null if there is none.
  const void* find(std::string_view name) const;
  // The strategy that an option's value names. Throws BAD_PARAM with the names that there are.
  const void* at(std::string_view option, const Settings& settings) const;

 private:
  std::vector<Entry> all_;
};

// The same for strategies of one kind.
template <class T>
class NamedTable : public NameTable {
 public:
  void add(std::string name, std::shared_ptr<const T> strategy) {
    NameTable::add(std::move(name), std::move(strategy));
  }
  const T& at(std::string_view option, const Settings& settings) const {
    return *static_cast<const T*>(NameTable::at(option, settings));
  }
};

}  // namespace takt::orb
