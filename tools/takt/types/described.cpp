#include "types/described.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <takt/base/gather_buffer.h>
#include <takt/cdr/encoder.h>
#include <takt/cdr/mapping/type_code.h>
#include <takt/reference/orb_types.h>

#include "common/command.h"
#include "json/members.h"
#include "types/describe.h"

namespace takt::command {
namespace {

using CORBA::TCKind;
using CORBA::typecode_reference;

[[noreturn]] void fail_undescribed(const std::string& why) {
  fail("the server does not describe its objects (" + why +
       "); give an IDL file with --idl FILE, or start the server with -ORBReflection on, "
       "for which it must be built with takt::add_reflection() or takt::add_all()");
}

[[noreturn]] void fail_invalid(const std::string& why) {
  fail("the description of the object's interface is invalid: " + why, negative);
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_identifier(std::string_view name) {
  return !name.empty() && is_letter(name.front()) &&
         std::ranges::all_of(name, [](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}
bool is_visible(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c > ' ' && c < 0x7f; });
}

void require_identifier(const std::string& name, const char* what) {
  if (!is_identifier(name)) fail_invalid(std::string("the name of ") + what + " is no identifier");
}
void require_id(const std::string& id, const char* what) {
  if (!is_visible(id))
    fail_invalid(std::string("the repository id of ") + what + " has characters that no id has");
}
template <class List>
void require_few(const List& list, const char* what) {
  if (list.size() > most_described)
    fail_invalid("it has " + std::to_string(list.size()) + ' ' + what + ", more than " +
                 std::to_string(most_described));
}

// Checks the names in TypeCodes, and adds the types with names to a catalogue.
class Types {
 public:
  explicit Types(Catalogue& into) : into_(into) {}

  typecode_reference checked(const typecode_reference& type) {
    if (!type) fail_invalid("a type is missing");
    visit(type);
    return type;
  }

 private:
  // As deep as the nesting of TypeCodes, which their reader has limited.
  void visit(const typecode_reference& type) {
    if (!type || type->_is_recursion() || !visited_.insert(type.get()).second) return;
    if (visited_.size() > 100 * most_described)
      fail_invalid("it has more than " + std::to_string(100 * most_described) + " types");
    const cdr::TypeCodeParts& parts = type->_parts();
    require_id(parts.id, "a type");
    if (!parts.name.empty()) require_identifier(parts.name, "a type");
    for (const cdr::TypeCodeMember& member : parts.members) {
      if (!member.name.empty() && !json::is_optional(*type)) require_identifier(member.name, "a member");
      visit(member.type);
    }
    visit(parts.discriminator);
    visit(parts.content);
    if (!parts.id.empty() && into_.types.size() < 2 * most_described && is_complete(type)) {
      into_.types.emplace(parts.id, type);
      into_.types.emplace(scoped_name_of(parts.id, parts.name), type);
    }
  }

  // Whether it refers to no type around it.
  static bool is_complete(const typecode_reference& type) {
    GatherBuffer octets;
    cdr::Encoder out(octets, cdr::Format{});
    cdr::write_typecode(out, type);
    return out.ok();
  }

  Catalogue& into_;
  std::unordered_set<const CORBA::TypeCode*> visited_;
};

class Maker {
 public:
  explicit Maker(const ExtDescription& from) : from_(from) {
    require_few(from.operations(), "operations");
    require_few(from.attributes(), "attributes");
    require_identifier(from.name(), "the interface");
    require_id(from.id(), "the interface");
  }

  Catalogue catalogue() {
    interface_.id = from_.id();
    interface_.name = scoped_name_of(from_.id(), from_.name());
    for (const auto& each : from_.operations()) add(each);
    for (const auto& each : from_.attributes()) add(each);
    made_.interfaces.push_back(std::move(interface_));
    return std::move(made_);
  }

 private:
  Operation& begin(std::string name) {
    if (!names_.insert(name).second) fail_invalid("it has two operations or attributes '" + name + "'");
    Operation& operation = interface_.operations.emplace_back();
    operation.name = std::move(name);
    operation.result = cdr::basic_typecode(TCKind::tk_void);
    return operation;
  }

  void add(const Takt::Reflection::OperationDescription& described) {
    require_identifier(described.name(), "an operation");
    require_few(described.parameters(), "parameters of an operation");
    require_few(described.exceptions(), "exceptions of an operation");
    Operation& operation = begin(described.name());
    operation.is_oneway = described.mode() == Takt::Reflection::OperationMode::OP_ONEWAY;
    operation.has_contexts = !described.contexts().empty();
    operation.result = types_.checked(described.result());
    for (const auto& parameter : described.parameters()) {
      require_identifier(parameter.name(), "a parameter");
      operation.parameters.push_back(
          {parameter.name(), direction_of(parameter.mode()), value_type(parameter.type())});
    }
    add_exceptions(described.exceptions(), operation);
  }

  void add_exceptions(const Takt::Reflection::ExcDescriptionSeq& exceptions, Operation& operation) {
    for (const auto& exception : exceptions) {
      const typecode_reference type = types_.checked(exception.type());
      if (type->kind() != TCKind::tk_except) fail_invalid("an exception's type is none of an exception");
      operation.exceptions.push_back(type);
    }
  }

  void add(const Takt::Reflection::ExtAttributeDescription& described) {
    require_identifier(described.name(), "an attribute");
    require_few(described.get_exceptions(), "exceptions of an attribute");
    require_few(described.put_exceptions(), "exceptions of an attribute");
    const typecode_reference type = value_type(described.type());
    Operation& get = begin("_get_" + described.name());
    get.result = type;
    add_exceptions(described.get_exceptions(), get);
    if (described.mode() == Takt::Reflection::AttributeMode::ATTR_READONLY) return;
    Operation& set = begin("_set_" + described.name());
    set.parameters.push_back({"value", Direction::in, type});
    add_exceptions(described.put_exceptions(), set);
  }

  static Direction direction_of(Takt::Reflection::ParameterMode mode) {
    using Takt::Reflection::ParameterMode;
    return mode == ParameterMode::PARAM_IN    ? Direction::in
           : mode == ParameterMode::PARAM_OUT ? Direction::out
                                              : Direction::inout;
  }

  typecode_reference value_type(const typecode_reference& type) {
    const TCKind kind = types_.checked(type)->kind();
    if (kind == TCKind::tk_null || kind == TCKind::tk_void || kind == TCKind::tk_except)
      fail_invalid("the type of a parameter or attribute is none of a value");
    return type;
  }

  const ExtDescription& from_;
  Catalogue made_;
  Types types_{made_};
  Interface interface_;
  std::set<std::string> names_;
};

// Attributes raise nothing in the plain form.
ExtDescription extended(const Description& plain) {
  ExtDescription made(plain.name(), plain.id(), plain.defined_in(), plain.version(), plain.operations(), {},
                      plain.base_interfaces(), plain.type());
  for (const auto& each : plain.attributes())
    made.attributes().emplace_back(each.name(), each.id(), each.defined_in(), each.version(), each.type(),
                                   each.mode(), Takt::Reflection::ExcDescriptionSeq(),
                                   Takt::Reflection::ExcDescriptionSeq());
  return made;
}

// The reference's type is believed, so an object of another type is noticed by its answer.
ExtDescription description_by(const CORBA::object_reference<CORBA::Object>& definition) {
  using namespace Takt::Reflection;
  try {
    if (const auto with_exceptions = IDL::traits<InterfaceAttrExtension>::narrow(definition))
      return with_exceptions->describe_ext_interface();
    return extended(IDL::traits<Takt::Reflection::InterfaceDef>::narrow(definition)->describe_interface());
  } catch (const CORBA::BAD_OPERATION&) {
    fail_undescribed("its interface definition is an object of another type than CORBA::InterfaceDef");
  } catch (const CORBA::OBJECT_NOT_EXIST&) {
    fail_undescribed("its interface definition is an object that does not exist");
  }
}

// The exceptions are those of servers that have neither reflection nor a repository.
ExtDescription description_of(const CORBA::object_reference<CORBA::Object>& object) {
  CORBA::object_reference<CORBA::InterfaceDef> definition;
  try {
    definition = object->_get_interface();
  } catch (const CORBA::INTF_REPOS& failure) {
    fail_undescribed(failure.what());
  } catch (const CORBA::NO_IMPLEMENT& failure) {
    fail_undescribed(failure.what());
  } catch (const CORBA::BAD_OPERATION& failure) {
    fail_undescribed(failure.what());
  } catch (const CORBA::INITIALIZE& failure) {  // JacORB without a repository
    fail_undescribed(failure.what());
  }
  if (!definition) fail_undescribed("it has no interface definition");
  return description_by(definition);
}

}  // namespace

Catalogue catalogue_of(const ExtDescription& description) { return Maker(description).catalogue(); }

Catalogue catalogue_of(const Description& description) {
  require_few(description.attributes(), "attributes");
  return catalogue_of(extended(description));
}

Catalogue catalogue_of_definition(const CORBA::object_reference<CORBA::Object>& definition) {
  return catalogue_of(description_by(definition));
}

Catalogue catalogue_of_object(const CORBA::object_reference<CORBA::Object>& object) {
  return catalogue_of(description_of(object));
}

}  // namespace takt::command
