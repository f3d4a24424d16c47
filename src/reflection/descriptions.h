// Descriptions of interfaces, as skeletons carry them (compiler/description writes them).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/cdr/typecode.h>

namespace takt::reflection {

struct DescribedException {
  CORBA::typecode_reference type;
  std::string defined_in;    // a repository id; empty at the outermost level
  std::uint32_t number = 0;  // in the description of its interface
};

// A member of an interface; `defined_in` is the interface's id.
struct DescribedMember {
  std::string name, id, defined_in;
};
struct DescribedParameter {
  std::string name;
  std::uint32_t mode = 0;  // 0 in, 1 out, 2 inout, as CORBA::ParameterMode
  CORBA::typecode_reference type;
};
struct DescribedOperation : DescribedMember {
  bool is_oneway = false;
  CORBA::typecode_reference result;
  std::vector<DescribedParameter> parameters;
  std::vector<std::string> contexts;
  std::vector<DescribedException> exceptions;
};
struct DescribedAttribute : DescribedMember {
  bool is_readonly = false;
  CORBA::typecode_reference type;
  std::vector<DescribedException> get_exceptions, set_exceptions;
};

struct DescribedBase {
  std::string id;
  bool is_abstract = false;
};

struct DescribedInterface {
  std::string id, scoped_name, defined_in;  // "::M::I"
  std::vector<DescribedBase> bases;         // direct ones
  // With the inherited ones, those of bases first.
  std::vector<DescribedOperation> operations;
  std::vector<DescribedAttribute> attributes;

  std::string name() const { return scoped_name.substr(scoped_name.rfind(':') + 1); }
};

// Descriptions of interfaces, as skeletons have them: sections of the program, each from first to last.
using Sections = std::vector<std::pair<const char* const*, const char* const*>>;

// Immutable; any thread.
class Descriptions {
 public:
  explicit Descriptions(const Sections& sections);

  bool has(const std::string& id) const { return octets_.contains(id); }
  // Throws INTF_REPOS (OMG minor 2) if the interface or one of its bases has no description. Allocates.
  DescribedInterface find(const std::string& id) const;
  // Whether the interface is `base` or derives from it, as far as descriptions tell.
  bool is_a(const std::string& id, const std::string& base) const;

 private:
  class Finder;

  std::map<std::string, ByteView, std::less<>> octets_;
};

// The part after the last colon of a repository id.
std::string version_of(const std::string& id);

}  // namespace takt::reflection
