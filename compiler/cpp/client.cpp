#include "cpp/client.h"

#include <algorithm>

#include "cpp/ami.h"
#include "cpp/declarations.h"
#include "cpp/orb_idl.h"
#include "cpp/runtime_types.h"

namespace takt::idl::cpp {

namespace {

using Kind = DeclarationKind;

bool is_printed(const Declaration& declaration) {
  switch (declaration.kind) {
    case Kind::module_:
    case Kind::component:
    case Kind::home:
    case Kind::port_type:
    case Kind::type_parameter:
    case Kind::template_module:
      return false;
    default:
      return true;
  }
}

bool has_source(const Declaration& declaration) {
  return is_printed(declaration) && declaration.kind != Kind::constant &&
         declaration.kind != Kind::forward_ && declaration.kind != Kind::native &&
         declaration.kind != Kind::bitset && declaration.kind != Kind::bitmask;
}

// The runtime headers that the declarations need.
struct Needs {
  bool any = false, values = false, custom = false, references = false, abstracts = false;

  void see(const Type* type) {
    for (; type; type = type->element) {
      if (type->key) see(type->key);
      any = any || type->kind == TypeKind::any || type->kind == TypeKind::typecode;
      values = values || type->kind == TypeKind::value_base;
      references = references || type->kind == TypeKind::object;
      if (type->kind == TypeKind::named) {
        values = values || is_value(*type->declaration);
        references = references || is_interface(*type->declaration);
        abstracts = abstracts || is_abstract_interface(defined(*type->declaration));
      }
    }
  }
  void see(const Declaration& declaration) {
    see(declaration.type);
    values = values || is_value(declaration);
    abstracts = abstracts || is_abstract_interface(declaration);
    custom = custom || declaration.is_custom;
    references = references || declaration.kind == Kind::interface_ || !declaration.supports.empty();
    for (const auto& parameter : declaration.parameters) see(parameter.type);
    for (const Declaration* inner : declaration.contents) see(*inner);
  }
};

// Whether the declaration, or one nested in it at any depth, has a call for which `wanted` holds.
template <class Wanted>
bool has_call(const Declaration& declaration, const Wanted& wanted) {
  return (declaration.in_main_file && std::ranges::any_of(calls_of(declaration), wanted)) ||
         std::ranges::any_of(declaration.contents,
                             [&](const Declaration* inner) { return has_call(*inner, wanted); });
}
bool has_views(const Context& context) {
  return has_call(context.unit.root, [&](const Call& call) {
    return std::ranges::any_of(call.parameters,
                               [&](const auto& parameter) { return viewed(context, call, parameter); });
  });
}
bool has_held(const Context& context) {
  return has_call(context.unit.root, [&](const Call& call) { return returns_held(context, call); });
}

}  // namespace

namespace {

// Whether no header of the runtime has the declaration.
bool is_generated(const Context& context, const Declaration& declaration) {
  return context.options.own_types || runtimes_header(context.unit, declaration).empty();
}

void print_definition(Context& context, const Declaration& declaration) {
  switch (declaration.kind) {
    case Kind::struct_:
    case Kind::exception:
      return print_struct(context, declaration);
    case Kind::union_:
      return print_union(context, declaration);
    case Kind::enum_:
      return print_enum(context, declaration);
    case Kind::bitmask:
      return print_bitmask(context, declaration);
    case Kind::bitset:
      return print_bitset(context, declaration);
    case Kind::constant:
      return print_constant(context, declaration);
    case Kind::interface_:
      return print_interface(context, declaration);
    case Kind::value:
    case Kind::event:
      return print_value(context, declaration);
    case Kind::value_box:
      return print_value_box(context, declaration);
    case Kind::forward_:
    case Kind::native:
      return context.out.print("class $name;", {{"name", escaped(declaration.name)}});
    case Kind::typedef_:
      return context.out.print("using $name = $type;",
                               {{"name", escaped(declaration.name)},
                                {"type", context.names.type(*declaration.type, declaration.scope)}});
    default:
      return;
  }
}

}  // namespace

void print_declaration(Context& context, const Declaration& declaration) {
  print_definition(context, declaration);
  print_type_code(context, declaration);
}

void print_nested(Context& context, const Declaration& declaration) {
  for (const Declaration* inner : declaration.contents) print_declaration(context, *inner);
  context.out.blank();
}

std::string description(const Declaration& declaration, const std::vector<const Declaration*>& members) {
  std::string names;
  for (const Declaration* member : members)
    names += (names.empty() ? "" : ", ") + string_literal(member->name);
  return "{" + string_literal(declaration.repository_id) + ", " +
         string_literal(declaration.scoped_name().substr(2)) + ", {" + names + "}}";
}

void print_value_semantics(Context& context, const std::string& name) {
  if (name != "swap")  // a class has no member of its own name
    context.out.print(R"(void swap($name& other) { std::swap(*this, other); }
friend void swap($name& a, $name& b) { a.swap(b); })",
                      {{"name", name}});
  context.out.print(
      R"(friend bool operator==(const $name& a, const $name& b) { return takt::cdr::equal(a, b); }
template <class Out>
friend Out& operator<<(Out& out, const $name& value) { return IDL::write(out, value); })",
      {{"name", name}});
}

namespace {

void print_runtime_includes(Context& context) {
  Needs needs;
  for (const Declaration* declaration : context.unit.root.contents) needs.see(*declaration);
  const bool uses_runtime = !context.options.own_types;
  const std::pair<bool, const char*> headers[] = {
      {!secret_calls(context).empty(), "base/secret_operation.h"},
      {needs.any, "cdr/any.h"},
      {needs.custom, "cdr/data_streams.h"},
      {has_held(context), "cdr/held_octets.h"},
      {true, "cdr/mapping.h"},
      {uses_runtime && uses_orb_types(context.unit), "reference/orb_types.h"},
      {has_views(context), "cdr/sequence_view.h"},
      {needs.values, "cdr/value.h"},
      {needs.abstracts, "reference/abstract_base.h"},
      {needs.references, "reference/reference_codec.h"}};
  for (const auto& [is_needed, header] : headers)
    if (is_needed) context.out.print("#include <takt/$header>", {{"header", header}});
  if (uses_runtime)
    for (const std::string_view header : runtimes_headers_of_main_file(context.unit))
      context.out.print("#include <$header>", {{"header", std::string(header)}});
  if (has_asynchronous(context)) context.out.print("#include <takt/async/pollable.h>");
}

}  // namespace

std::string client_header(Context& context) {
  context.out = {};
  context.at_end = {};
  print_origin(context);
  context.out.print("#pragma once");
  context.out.blank();
  print_runtime_includes(context);
  context.out.blank();
  print_includes_of_others(context, context.options.client_header);
  in_namespaces(
      context,
      [&](const Declaration& declaration) {
        return is_printed(declaration) && is_generated(context, declaration);
      },
      [&](const Declaration& declaration) { print_declaration(context, declaration); });
  print_secret_calls(context, "inline");
  context.out.blank();
  return context.out.take() + context.at_end.take();
}

std::string client_source(Context& context) {
  context.out = {};
  print_origin(context);
  context.out.print("#include \"$name\"", {{"name", own_name(context, context.options.client_header)}});
  context.out.blank();
  if (has_interpreted(context, false)) context.out.print("#include <takt/invocation/interpreted_stub.h>");
  if (has_asynchronous(context))
    context.out.print("#include <takt/async/pending.h>\n#include <takt/async/poller.h>");
  const auto is_wanted = [&](const Declaration& declaration) {
    return has_source(declaration) && is_generated(context, declaration);
  };
  const bool only_data = std::ranges::none_of(context.unit.declarations, [&](const Declaration& declaration) {
    return declaration.in_main_file && is_wanted(declaration) &&
           (declaration.kind == Kind::interface_ || declaration.kind == Kind::value ||
            declaration.kind == Kind::event);
  });
  context.out.print(only_data ? "#include <takt/cdr/codec.h>" : "#include <takt/invocation/stub.h>");
  in_namespaces(context, is_wanted, [&](const Declaration& declaration) {
    if (declaration.kind == Kind::interface_)
      print_interface_source(context, declaration);
    else if (is_value(declaration))
      print_value_source(context, declaration);
    else
      context.out.blank();
    print_type_code_source(context, declaration);
  });
  return context.out.take();
}

}  // namespace takt::idl::cpp
