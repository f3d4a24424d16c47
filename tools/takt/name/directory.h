// Lists bindings by calls to contexts.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include <takt/orb/orb.h>

#include "CosNamingC.h"

namespace takt::command {

struct Entry {
  CosNaming::Name name{};  // relative to the listed context
  bool is_context = false;
  CORBA::object_reference<CORBA::Object> object{};  // nil unless resolved
  std::string reference{};                          // "IOR:...", if resolved
  std::string fault{};  // why it could not be resolved or listed, or that it is listed elsewhere
};

// Limits against a faulty or hostile service, for all that one Directory lists.
struct DirectoryLimits {
  std::size_t entries = 1'000'000;
  std::size_t octets = 2ULL << 30;  // that the entries take, roughly
  std::size_t depth = 64;
};

class Directory {
 public:
  using ContextRef = CORBA::object_reference<CosNaming::NamingContext>;

  Directory(CORBA::ORB& orb, DirectoryLimits limits) : orb_(orb), limits_(limits) {}

  // The bindings of one context. Throws the exceptions of the calls.
  std::vector<Entry> list(const ContextRef& context, bool resolve);
  // The bindings of the context and its subcontexts down to `depth`, each context followed by its contents. A
  // context that was listed already is not listed again. Entries that cannot be listed have a fault.
  std::vector<Entry> tree(const ContextRef& context);
  // Whether the service has more than `entries` and `octets` allow. What was listed before is there.
  bool cut() const { return cut_; }

 private:
  bool take(std::size_t octets);
  void append(const ContextRef& context, const CosNaming::Name& before, std::vector<Entry>& entries);
  void resolve(const ContextRef& context, Entry& entry) const;

  CORBA::ORB& orb_;
  const DirectoryLimits limits_;
  std::set<std::string> visited_;
  std::size_t entries_ = 0, octets_ = 0;
  bool cut_ = false;
};

}  // namespace takt::command
