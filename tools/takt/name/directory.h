// What is bound, by calls to the contexts.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include <takt/orb/orb.h>

#include "CosNamingC.h"

namespace takt::command {

struct Entry {
  CosNaming::Name name{};  // from the context that was asked for
  bool is_context = false;
  CORBA::object_reference<CORBA::Object> object{};  // nil unless it was resolved
  std::string reference{};                          // "IOR:...", if it was resolved
  std::string fault{};  // why it could not be resolved or listed; or that it was listed before
};

// Whoever serves: the service may be wrong or hostile.
struct DirectoryLimits {
  std::size_t entries = 1'000'000;
  std::size_t depth = 64;
};

class Directory {
 public:
  using ContextRef = CORBA::object_reference<CosNaming::NamingContext>;

  Directory(CORBA::ORB& orb, DirectoryLimits limits) : orb_(orb), limits_(limits) {}

  // Of the context itself. Throws what the calls throw.
  std::vector<Entry> list(const ContextRef& context, bool resolve);
  // Each context's entries stand behind it, as far as `depth` says; one that leads back to a context that is
  // there already is not gone into again. What cannot be listed has a fault.
  std::vector<Entry> tree(const ContextRef& context);

 private:
  void append(const ContextRef& context, const CosNaming::Name& before, std::vector<Entry>& entries);
  void resolve(const ContextRef& context, Entry& entry) const;

  CORBA::ORB& orb_;
  const DirectoryLimits limits_;
  std::set<std::string> visited_;
};

}  // namespace takt::command
