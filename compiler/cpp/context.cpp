#include "cpp/context.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "cpp/orb_idl.h"
#include "cpp/runtime_types.h"
#include "sema/interpreted.h"
#include "sema/secrets.h"
#include "sema/views.h"

namespace takt::idl::cpp {

namespace {

bool any_wanted(const Declaration& module, const std::function<bool(const Declaration&)>& wanted) {
  return std::ranges::any_of(module.contents, [&](const Declaration* inner) {
    return inner->kind == DeclarationKind::module_ ? any_wanted(*inner, wanted)
                                                   : inner->in_main_file && wanted(*inner);
  });
}

void walk(Context& context, const Declaration& module, const std::function<bool(const Declaration&)>& wanted,
          const std::function<void(const Declaration&)>& visit, const std::string& inner,
          const std::string& prefix) {
  bool inside = false;  // inside the inner namespace
  const auto go = [&](bool in) {
    if (inner.empty() || inside == in) return;
    inside = in;
    context.out.blank();
    context.out.print(in ? "$name {" : "}  // $name", {{"name", inner}});
    context.out.blank();
  };
  for (const Declaration* declaration : module.contents) {
    if (declaration->kind == DeclarationKind::module_) {
      if (!any_wanted(*declaration, wanted)) continue;
      go(false);
      const std::string name = prefix.empty() ? escaped(declaration->name) : prefix + declaration->name;
      context.out.blank();
      context.out.print("namespace $name {", {{"name", name}});
      context.out.blank();
      walk(context, *declaration, wanted, visit, inner, {});
      context.out.blank();
      context.out.print("}  // namespace $name", {{"name", name}});
    } else if (declaration->in_main_file && wanted(*declaration)) {
      go(true);
      visit(*declaration);
    }
  }
  go(false);
}

void add_with_bases(const Declaration& interface, std::vector<const Declaration*>& found) {
  // An interface that was found already has its bases in the list; walking them again would take exponential
  // time in a lattice.
  if (std::ranges::find(found, &interface) != found.end()) return;
  for (const Declaration* base : interface.bases) add_with_bases(defined(*base), found);
  found.push_back(&interface);
}

}  // namespace

void in_namespaces(Context& context, const std::function<bool(const Declaration&)>& wanted,
                   const std::function<void(const Declaration&)>& visit, const std::string& inner,
                   const std::string& prefix) {
  walk(context, context.unit.root, wanted, visit, inner, prefix);
}

bool in_class(const Declaration& declaration) {
  const Declaration* scope = declaration.scope;
  return scope && scope->scope && scope->kind != DeclarationKind::module_;
}

std::vector<const Declaration*> members_of(const Declaration& declaration) {
  std::vector<const Declaration*> members;
  for (const Declaration* inner : declaration.contents)
    if (inner->kind == DeclarationKind::member) members.push_back(inner);
  return members;
}

std::string own_name(const Context& context, const std::string& suffix) {
  return generated_name(context.idl_path, suffix, context.options);
}

void print_origin(Context& context) {
  context.out.print("// Made by takt-idl from $file; changes will be lost.", {{"file", context.idl_file}});
}

void print_includes_of_others(Context& context, const std::string& suffix, OmgTypes omg_types) {
  const bool own = context.options.own_types;
  Options naming = context.options;
  naming.keep_folders = naming.keep_folders || naming.keep_included_folders;
  const std::vector<bool> is_orbs = orb_files(context.unit);
  for (std::size_t i = 0; i < context.unit.files.size(); ++i) {
    const File& file = context.unit.files[i];
    if (file.is_main || file.name.starts_with('<')) continue;
    const std::string_view header = omg_types == OmgTypes::of_the_runtime && !own
                                        ? runtimes_header_of_file(context.unit, i)
                                        : std::string_view();
    const ProvidedHeader* const provided = provided_header(context.unit, i, context.options.provided_headers);
    if (!header.empty())
      context.out.print("#include <$header>", {{"header", std::string(header)}});
    else if (provided)
      context.out.print(
          "#include <$header>",
          {{"header", suffix == context.options.server_header ? provided->server : provided->client}});
    else if (own || !is_orbs[i])
      context.out.print("#include \"$name\"", {{"name", generated_name(file.name, suffix, naming)}});
  }
}

std::vector<const Declaration*> with_bases(const Declaration& interface) {
  std::vector<const Declaration*> found;
  add_with_bases(interface, found);
  return found;
}

std::vector<Call> calls_of(const Declaration& interface) {
  std::vector<Call> calls;
  for (const Declaration* member : interface.contents) {
    const std::string name = escaped(member->name);
    if (member->kind == DeclarationKind::operation) {
      const bool is_void = !member->type || member->type->kind == TypeKind::void_;
      calls.push_back({member, name, name, member->name, is_void ? nullptr : member->type, member->parameters,
                       member->raises});
    } else if (member->kind == DeclarationKind::attribute) {
      calls.push_back(
          {member, name, "_get_" + member->name, "_get_" + member->name, member->type, {}, member->raises});
      if (member->is_readonly) continue;
      Declaration::Parameter value;
      value.type = member->type;
      value.name = "value";
      calls.push_back({member,
                       name,
                       "_set_" + member->name,
                       "_set_" + member->name,
                       nullptr,
                       {value},
                       member->set_raises});
    }
  }
  return calls;
}

std::vector<std::string> secret_calls(const Context& context) {
  const Secrets secrets(context.unit);
  const bool of_all_files = secrets.in_own_values();
  std::set<std::string> names;
  for (const Declaration& each : context.unit.declarations) {
    if (!(each.in_main_file || of_all_files) || each.kind != DeclarationKind::interface_ || each.is_local)
      continue;
    for (const Call& call : calls_of(each))
      if (secrets.has(*call.declaration)) names.insert(call.wire_name);
  }
  // Marks of operations and parameters, and the members of exceptions, are not in the handlers' declarations.
  for (const auto& [interface, added] : context.unit.asynchronous) {
    if (!(interface->in_main_file || of_all_files)) continue;
    for (const AsynchronousCall& call : added.calls)
      if (secrets.has(*call.declaration)) names.insert({call.reply, call.exception});
  }
  return {names.begin(), names.end()};
}

void print_secret_calls(Context& context, const std::string& storage) {
  const auto names = secret_calls(context);
  if (names.empty()) return;
  context.out.blank();
  // Headers of several files may name the same operation.
  std::string file = context.idl_file;
  std::ranges::replace_if(file, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  context.out.print("namespace takt_secrets_of_$file {", {{"file", file}});
  for (const std::string& name : names)
    context.out.print("$storage const ::takt::SecretOperation $name(\"$wire\");",
                      {{"storage", storage},
                       {"name", (name.front() == '_' ? "attribute" : "operation_") + name},
                       {"wire", name}});
  context.out.print("}");
}

const Type* viewed(const Context& context, const Call& call, const Declaration::Parameter& parameter) {
  // Factories of valuetypes take no views.
  if (!call.declaration || call.declaration->kind != DeclarationKind::operation) return nullptr;
  const bool wanted =
      context.options.views ? can_be_view(parameter) : is_view(*call.declaration, parameter, context.unit);
  return wanted ? &parameter.type->resolved() : nullptr;
}

bool returns_held(const Context& context, const Call& call) {
  return call.result && call.declaration && is_held(*call.declaration, context.unit);
}

bool is_interpreted(const Context& context, const Call& call) {
  const auto is_viewed = [&](const auto& parameter) { return viewed(context, call, parameter) != nullptr; };
  if (std::ranges::any_of(call.parameters, is_viewed) || returns_held(context, call)) return false;
  return takes_interpreter(*call.declaration, context.unit).value_or(context.options.interpreted);
}

bool has_interpreted(const Context& context, bool inherited) {
  const auto declares = [&](const Declaration* interface) {
    return std::ranges::any_of(calls_of(*interface),
                               [&](const Call& call) { return is_interpreted(context, call); });
  };
  return std::ranges::any_of(context.unit.declarations, [&](const Declaration& one) {
    if (!one.in_main_file || one.kind != DeclarationKind::interface_ || one.is_local) return false;
    return inherited ? std::ranges::any_of(with_bases(one), declares) : declares(&one);
  });
}

std::string result_type(const Context& context, const Call& call, const Declaration* scope) {
  if (returns_held(context, call)) return "takt::HeldOctets";
  return call.result ? context.names.type(*call.result, scope) : "void";
}

std::string parameter_list(const Context& context, const Call& call, const Declaration* scope) {
  std::string list;
  for (const auto& parameter : call.parameters) {
    if (!list.empty()) list += ", ";
    if (const Type* sequence = viewed(context, call, parameter))
      list += "std::span<const " + context.names.type(*sequence->element, scope) + ">";
    else if (parameter.direction == Declaration::Direction::in)
      list += context.names.in_type(*parameter.type, scope);
    else
      list += context.names.type(*parameter.type, scope) + "&";
    list += " " + escaped(parameter.name);
  }
  return list;
}

}  // namespace takt::idl::cpp
