#include "orb/wiring/named_table.h"

#include <algorithm>

#include <takt/cdr/exception.h>

#include "config/option_names.h"
#include "config/option_values.h"

namespace takt::orb {

const void* NameTable::find(std::string_view name) const {
  const auto found = std::ranges::find(all_, name, &Entry::first);
  return found == all_.end() ? nullptr : found->second.get();
}

const void* NameTable::at(std::string_view option, const Settings& settings) const {
  const std::string name = texts_of(*find_option(option), settings).front();
  if (const void* const strategy = find(name)) return strategy;
  std::string names;
  for (const Entry& entry : all_)
    names.append(names.empty() ? "" : &entry == &all_.back() ? " or " : ", ") += entry.first;
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                         not_valid(std::string("option -ORB").append(option), name, "it takes " + names));
}

}  // namespace takt::orb
