#include "classic/generator.h"

#include <algorithm>
#include <filesystem>

#include "classic/printing.h"
#include "classic/types.h"
#include "cpp/ami.h"
#include "cpp/helper_names.h"
#include "cpp/late_servants.h"
#include "cpp/names.h"
#include "cpp/orb_idl.h"

namespace takt::idl::classic {

namespace {

using Kind = DeclarationKind;

// The namespace in each module that keeps both mappings apart in one program.
constexpr const char* inner_namespace = "inline namespace takt_classic_";

bool is_declared(const Declaration& declaration) { return declaration.kind != Kind::module_; }
bool is_served(const Declaration& declaration) {
  return declaration.kind == Kind::interface_ && !declaration.is_local;
}

bool is_servant(const Declaration& declaration) {
  return is_served(declaration) || (declaration.kind == Kind::value &&
                                    std::ranges::any_of(declaration.supports, [](const Declaration* one) {
                                      return !defined(*one).is_abstract;
                                    }));
}

bool has_state(const Declaration& declaration) {
  return declaration.kind == Kind::value && !declaration.is_abstract;
}

// Calls `visit` for the declaration and those inside it.
void each(const Declaration& declaration, const std::function<void(const Declaration&)>& visit) {
  visit(declaration);
  for (const Declaration* inner : declaration.contents) each(*inner, visit);
}

bool is_undefined_handle(const Declaration& declaration) {
  return declaration.kind == Kind::forward_ && is_undefined(declaration) &&
         (declaration.forward_kind == Kind::interface_ || declaration.forward_kind == Kind::value);
}

// Leaves Handles to the file that defines the interface or value. This stands before all uses.
void print_undefined_handles(Context& context) {
  std::string handles;
  cpp::in_namespaces(
      context, is_undefined_handle,
      [&](const Declaration& declaration) {
        context.out.print("class $name;", {{"name", cpp::escaped(declaration.name)}});
        handles += "extern template struct Handles< " + full_name(declaration) + ">;\n";
      },
      inner_namespace);
  if (!handles.empty())
    context.out.print("\nnamespace takt {\nnamespace classic {\n" + handles +
                      "}  // namespace classic\n}  // namespace takt");
}

// Instantiates Handles for files that only declare an interface or value of this one.
void print_defined_handles(Context& context) {
  std::string handles;
  each(context.unit.root, [&](const Declaration& one) {
    if (!one.in_main_file) return;
    const std::string of = "Handles< " + full_name(one) + ">";
    if (one.is_local && one.kind == Kind::interface_)  // which cannot be sent
      handles += "template " + full_name(one) + "* " + of + "::nil();\ntemplate " + full_name(one) + "* " +
                 of + "::duplicate(" + full_name(one) + "*);\ntemplate void " + of + "::release(" +
                 full_name(one) + "*);\n";
    else if (one.kind == Kind::interface_ || one.kind == Kind::value)
      handles += "template struct " + of + ";\n";
  });
  if (!handles.empty())
    context.out.print("\nnamespace takt {\nnamespace classic {\n" + handles +
                      "}  // namespace classic\n}  // namespace takt");
}

std::string client_header(Context& context) {
  context.out = {};
  print_origin(context);
  context.out.print("#pragma once");
  context.out.blank();
  context.out.print("#include <takt/classic/corba.h>");
  if (cpp::has_asynchronous(context)) context.out.print("#include <takt/classic/pollers.h>");
  if (!cpp::secret_calls(context).empty()) context.out.print("#include <takt/base/secret_operation.h>");
  context.out.blank();
  cpp::print_includes_of_others(context, context.options.client_header, cpp::OmgTypes::generated);
  print_undefined_handles(context);
  cpp::in_namespaces(
      context, is_declared, [&](const Declaration& declaration) { print_declaration(context, declaration); },
      inner_namespace);
  std::string enums;
  each(context.unit.root, [&](const Declaration& one) {
    if (one.kind == Kind::enum_ && one.in_main_file)
      enums += "template <>\nstruct EnumCount< " + full_name(one) +
               "> {\n  static const std::uint32_t value = " + std::to_string(one.contents.size()) + ";\n};\n";
    if (cpp::is_value(one) && one.kind != Kind::forward_ && one.in_main_file)
      enums += "template <>\nstruct Proxies< " + full_name(one) + "> : ValueProxies< " + full_name(one) +
               "> {};\n";
    if (one.kind == Kind::interface_ && one.is_abstract && one.in_main_file)
      enums += "template <>\nstruct Proxies< " + full_name(one) + "> : AbstractProxies< " + full_name(one) +
               "> {};\n";
  });
  if (!enums.empty())
    context.out.print("\nnamespace takt {\nnamespace classic {\n" + enums +
                      "}  // namespace classic\n}  // namespace takt");
  cpp::in_namespaces(
      context, is_declared,
      [&](const Declaration& declaration) { print_any_operators(context, declaration); }, inner_namespace);
  cpp::in_namespaces(
      context, has_state, [&](const Declaration& declaration) { print_obv(context, declaration); }, {},
      "OBV_");
  cpp::print_secret_calls(context, "static");
  context.out.blank();
  return context.out.take();
}

void print_sources(Context& context, const Declaration& declaration) {
  for (const Declaration* inner : declaration.contents) print_sources(context, *inner);
  print_type_code_source(context, declaration);
  switch (declaration.kind) {
    case Kind::struct_:
    case Kind::exception:
      return print_struct_source(context, declaration);
    case Kind::union_:
      return print_union_source(context, declaration);
    case Kind::constant:
      return print_constant_source(context, declaration);
    case Kind::interface_:
      return print_interface_source(context, declaration);
    case Kind::value:
      return print_value_source(context, declaration);
    case Kind::value_box:
      return print_box_source(context, declaration);
    default:
      return;
  }
}

std::string client_source(Context& context) {
  context.out = {};
  print_origin(context);
  context.out.print("#include \"$name\"",
                    {{"name", cpp::generated_name(context.idl_file, context.options.client_header)}});
  context.out.blank();
  context.out.print("#include <cstring>");
  cpp::in_namespaces(
      context, is_declared, [&](const Declaration& declaration) { print_sources(context, declaration); },
      inner_namespace);
  cpp::in_namespaces(
      context, has_state, [&](const Declaration& declaration) { print_obv_source(context, declaration); }, {},
      "OBV_");
  print_defined_handles(context);
  return context.out.take();
}

std::string server_header(Context& context) {
  context.out = {};
  print_origin(context);
  context.out.print("#pragma once");
  context.out.blank();
  context.out.print("#include \"$name\"",
                    {{"name", cpp::generated_name(context.idl_file, context.options.client_header)}});
  cpp::print_includes_of_others(context, context.options.server_header, cpp::OmgTypes::generated);
  if (context.options.amh) context.out.print("#include <takt/classic/late.h>");
  cpp::in_namespaces(
      context, is_servant, [&](const Declaration& declaration) { print_skeleton(context, declaration); }, {},
      "POA_");
  if (context.options.amh) {
    cpp::in_namespaces(
        context, cpp::answers_late, [&](const Declaration& one) { print_late_handlers(context, one); },
        inner_namespace);
    cpp::in_namespaces(
        context, cpp::answers_late, [&](const Declaration& one) { print_late_skeleton(context, one); }, {},
        "POA_");
  }
  context.out.blank();
  return context.out.take();
}

std::expected<std::string, std::string> server_source(Context& context) {
  context.out = {};
  print_origin(context);
  context.out.print("#include \"$name\"",
                    {{"name", cpp::generated_name(context.idl_file, context.options.server_header)}});
  context.out.blank();
  context.out.print("#include <cstring>");
  std::string failure;
  cpp::in_namespaces(
      context, is_served,
      [&](const Declaration& declaration) {
        if (const auto printed = print_skeleton_source(context, declaration); !printed)
          failure = printed.error();
      },
      {}, "POA_");
  if (context.options.amh) {
    cpp::in_namespaces(
        context, cpp::answers_late, [&](const Declaration& one) { print_late_handlers_source(context, one); },
        inner_namespace);
    cpp::in_namespaces(
        context, cpp::answers_late,
        [&](const Declaration& one) {
          if (const auto printed = print_late_skeleton_source(context, one); !printed)
            failure = printed.error();
        },
        {}, "POA_");
  }
  if (!failure.empty()) return std::unexpected(failure);
  return context.out.take();
}

}  // namespace

namespace {

bool has_variables(const Declaration& declaration) {
  switch (declaration.kind) {
    case Kind::interface_:
    case Kind::struct_:
    case Kind::union_:
    case Kind::value:
    case Kind::value_box:
      return true;
    case Kind::typedef_:
      return declaration.type->kind == TypeKind::sequence || declaration.type->kind == TypeKind::array;
    default:
      return false;
  }
}

// "::POA_M::Foo" for ::M::Foo, and "::POA_Foo" for ::Foo.
std::string with_prefix(const char* prefix, const Declaration& declaration) {
  return std::string("::") + prefix + declaration.scoped_name().substr(2);
}

std::vector<std::string> helpers_of(const Declaration& declaration) {
  if (!has_variables(declaration)) return {};
  const std::string name = declaration.scoped_name();
  std::vector<std::string> helpers{name + "_var", name + "_out"};
  if (declaration.kind == Kind::interface_) {
    helpers.push_back(name + "_ptr");
    if (!declaration.is_local && !declaration.is_abstract)
      helpers.push_back(with_prefix("POA_", declaration));
  }
  if (declaration.kind == Kind::value && !declaration.is_abstract) {
    helpers.push_back(name + "_init");
    helpers.push_back(with_prefix("OBV_", declaration));
  }
  return helpers;
}

}  // namespace

std::string local_name(const Declaration& declaration) {
  std::string name = cpp::escaped(declaration.name);
  for (const Declaration* at = declaration.scope; at && at->scope && at->kind != Kind::module_;
       at = at->scope)
    name = cpp::escaped(at->name) + "::" + name;
  return name;
}

std::expected<std::vector<cpp::GeneratedFile>, std::string> generate(const Unit& unit,
                                                                     const cpp::Options& options) {
  const auto main = std::ranges::find_if(unit.files, &File::is_main);
  if (cpp::describes_orb(unit))
    return cpp::files_of_library(main->name, options, "takt/classic/corba.h", "takt/classic/corba.h");
  if (const auto* const header = cpp::provided_header_of_main_file(unit, options.provided_headers))
    return cpp::files_of_library(main->name, options, header->client, header->server);
  if (std::string text = unsupported(unit); !text.empty()) return std::unexpected(std::move(text));
  if (std::string text = cpp::taken_helper_name(unit, helpers_of); !text.empty())
    return std::unexpected(std::move(text));
  if (options.views) return std::unexpected("--views is of the IDL to C++11 mapping");
  if (!options.schedule.empty()) return std::unexpected("--schedule is of the IDL to C++11 mapping");
  Context context(unit, options);
  context.names.in_full(true);
  for (const File& file : unit.files)
    if (file.is_main) context.idl_file = std::filesystem::path(file.name).filename().string();
  std::vector<cpp::GeneratedFile> files;
  const auto add = [&](const std::string& suffix, std::string text) {
    files.push_back({cpp::generated_name(context.idl_file, suffix), std::move(text)});
  };
  add(options.client_header, client_header(context));
  add(options.client_source, client_source(context));
  if (options.server) {
    add(options.server_header, server_header(context));
    auto source = server_source(context);
    if (!source) return std::unexpected(source.error());
    add(options.server_source, std::move(*source));
  }
  return files;
}

}  // namespace takt::idl::classic
