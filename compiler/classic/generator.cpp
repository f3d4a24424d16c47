#include "classic/generator.h"

#include <algorithm>
#include <filesystem>

#include "classic/printing.h"
#include "classic/types.h"
#include "cpp/names.h"

namespace takt::idl::classic {

namespace {

using Kind = DeclarationKind;

bool is_declared(const Declaration& declaration) { return declaration.kind != Kind::module_; }
bool is_served(const Declaration& declaration) { return declaration.kind == Kind::interface_; }

// Calls `visit` for the declaration and those inside it.
void each(const Declaration& declaration, const std::function<void(const Declaration&)>& visit) {
  visit(declaration);
  for (const Declaration* inner : declaration.contents) each(*inner, visit);
}

std::string client_header(Context& context) {
  context.out = {};
  print_origin(context);
  context.out.print("#pragma once");
  context.out.blank();
  context.out.print("#include <takt/classic/corba.h>");
  context.out.blank();
  cpp::print_includes_of_others(context, context.options.client_header);
  in_modules(context, "", std::string("inline namespace ") + inner_namespace, is_declared,
             [&](const Declaration& declaration) { print_declaration(context, declaration); });
  std::string enums;
  each(context.unit.root, [&](const Declaration& one) {
    if (one.kind == Kind::enum_ && one.in_main_file)
      enums += "template <>\nstruct EnumCount< " + full_name(one) +
               "> {\n  static const std::uint32_t value = " + std::to_string(one.contents.size()) + ";\n};\n";
  });
  if (!enums.empty())
    context.out.print("\nnamespace takt {\nnamespace classic {\n" + enums +
                      "}  // namespace classic\n}  // namespace takt");
  context.out.blank();
  return context.out.take();
}

void print_sources(Context& context, const Declaration& declaration) {
  for (const Declaration* inner : declaration.contents) print_sources(context, *inner);
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
  in_modules(context, "", std::string("inline namespace ") + inner_namespace, is_declared,
             [&](const Declaration& declaration) { print_sources(context, declaration); });
  return context.out.take();
}

std::string server_header(Context& context) {
  context.out = {};
  print_origin(context);
  context.out.print("#pragma once");
  context.out.blank();
  context.out.print("#include \"$name\"",
                    {{"name", cpp::generated_name(context.idl_file, context.options.client_header)}});
  cpp::print_includes_of_others(context, context.options.server_header);
  in_modules(context, "POA_", "", is_served,
             [&](const Declaration& declaration) { print_skeleton(context, declaration); });
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
  in_modules(context, "POA_", "", is_served, [&](const Declaration& declaration) {
    if (const auto printed = print_skeleton_source(context, declaration); !printed) failure = printed.error();
  });
  if (!failure.empty()) return std::unexpected(failure);
  return context.out.take();
}

bool has_wanted(const Declaration& module, const std::function<bool(const Declaration&)>& wanted) {
  return std::ranges::any_of(module.contents, [&](const Declaration* inner) {
    return inner->kind == Kind::module_ ? has_wanted(*inner, wanted) : inner->in_main_file && wanted(*inner);
  });
}

void walk(Context& context, const Declaration& module, const std::string& prefix, const std::string& inner,
          const std::function<bool(const Declaration&)>& wanted,
          const std::function<void(const Declaration&)>& visit) {
  bool inside = false;
  const auto go = [&](bool in) {
    if (inner.empty() || inside == in) return;
    inside = in;
    context.out.blank();
    context.out.print(in ? "$name {" : "}  // $name", {{"name", inner}});
  };
  for (const Declaration* declaration : module.contents) {
    if (declaration->kind == Kind::module_) {
      if (!has_wanted(*declaration, wanted)) continue;
      go(false);
      const std::string name = prefix.empty() ? cpp::escaped(declaration->name) : prefix + declaration->name;
      context.out.blank();
      context.out.print("namespace $name {", {{"name", name}});
      walk(context, *declaration, "", inner, wanted, visit);
      context.out.print("}  // namespace $name", {{"name", name}});
    } else if (declaration->in_main_file && wanted(*declaration)) {
      go(true);
      visit(*declaration);
    }
  }
  go(false);
}

}  // namespace

void in_modules(Context& context, const std::string& prefix, const std::string& inner,
                const std::function<bool(const Declaration&)>& wanted,
                const std::function<void(const Declaration&)>& visit) {
  walk(context, context.unit.root, prefix, inner, wanted, visit);
}

std::string local_name(const Declaration& declaration) {
  std::string name = cpp::escaped(declaration.name);
  for (const Declaration* at = declaration.scope; at && at->scope && at->kind != Kind::module_;
       at = at->scope)
    name = cpp::escaped(at->name) + "::" + name;
  return name;
}

bool in_class(const Declaration& declaration) {
  return declaration.scope && declaration.scope->scope && declaration.scope->kind != Kind::module_;
}

std::vector<const Declaration*> members_of(const Declaration& declaration) {
  std::vector<const Declaration*> members;
  for (const Declaration* inner : declaration.contents)
    if (inner->kind == Kind::member) members.push_back(inner);
  return members;
}

std::expected<std::vector<cpp::GeneratedFile>, std::string> generate(const Unit& unit,
                                                                     const cpp::Options& options) {
  if (std::string text = unsupported(unit); !text.empty()) return std::unexpected(std::move(text));
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
