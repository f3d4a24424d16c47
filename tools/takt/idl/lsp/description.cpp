// The text that an editor shows when the cursor rests on a name.
#include <array>

#include "cpp/names.h"
#include "idl/lsp/answers.h"
#include "sema/scopes.h"

namespace takt::command::lsp {
namespace {

using idl::Declaration;
using K = idl::DeclarationKind;

std::string parameters_of(const idl::cpp::Names& names, const Declaration& operation) {
  using Direction = Declaration::Direction;
  std::string text;
  for (const auto& each : operation.parameters)
    text += (text.empty() ? "" : ", ") +
            (each.direction == Direction::in ? names.in_type(*each.type, nullptr)
                                             : names.type(*each.type, nullptr) + "&") +
            " " + idl::cpp::escaped(each.name);
  return text;
}

// Lines of C++; empty if the declaration is none of its own.
std::string cpp_of(const idl::cpp::Names& names, const Declaration& declaration) {
  const std::string name = idl::cpp::escaped(declaration.name);
  const auto type = [&] {
    return declaration.type ? names.type(*declaration.type, nullptr) : std::string("void");
  };
  switch (declaration.kind) {
    case K::operation:
      return type() + " " + name + "(" + parameters_of(names, declaration) + ")";
    case K::attribute: {
      const std::string reads = type() + " " + name + "()";
      return declaration.is_readonly
                 ? reads
                 : reads + "\nvoid " + name + "(" + names.in_type(*declaration.type, nullptr) + " value)";
    }
    case K::member:
      if (!declaration.type) return "";
      return (declaration.is_optional ? "IDL::optional<" + type() + ">" : type()) + " " + name;
    case K::constant: {
      const auto [spelled, value] = names.constant(declaration, nullptr);
      return "constexpr " + spelled + " " + idl::cpp::full_name(declaration) + " = " + value;
    }
    case K::interface_:
    case K::value:
    case K::forward_:
      return "IDL::traits<" + idl::cpp::full_name(declaration) + ">::ref_type";
    case K::module_:
      return "namespace " + idl::cpp::full_name(declaration);
    case K::struct_:
    case K::union_:
    case K::enum_:
    case K::enumerator:
    case K::exception:
    case K::typedef_:
    case K::bitset:
    case K::bitmask:
    case K::value_box:
      return idl::cpp::full_name(declaration);
    default:
      return "";
  }
}

}  // namespace

std::string description_of(const idl::Unit& unit, const Declaration& declaration) {
  const idl::cpp::Names names(unit);
  std::string text = "**" + declaration.scoped_name().substr(2) + "**: " + idl::describe(declaration.kind);
  if (declaration.scope && declaration.scope->kind == K::enum_)
    text += " of " + declaration.scope->scoped_name().substr(2);
  if (!declaration.repository_id.empty()) text += "\n\nRepository id: `" + declaration.repository_id + "`";
  if (const std::string cpp = cpp_of(names, declaration); !cpp.empty())
    text += "\n\n```cpp\n" + cpp + "\n```";
  return text;
}

}  // namespace takt::command::lsp
