#include "sema/ami.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace takt::idl {

namespace {

using K = DeclarationKind;

std::string folded_name(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

// The value of @ami, @ami(TRUE) or @ami(FALSE); none for other arguments.
std::optional<bool> value_of_ami(const AnnotationUse& use) {
  if (use.arguments.empty()) return true;
  const auto* value = std::get_if<bool>(&use.arguments[0].second.is);
  return use.arguments.size() == 1 && value ? std::optional(*value) : std::nullopt;
}

bool may_have_calls(const Declaration& one) {
  return one.kind == K::interface_ && !one.is_local && !one.is_abstract;
}

class Ami {
 public:
  Ami(Unit& unit, Diagnostics& diagnostics, bool all)
      : unit_(unit), diagnostics_(diagnostics), all_(all && !unit.own_annotations.contains("ami")) {}

  void add() {
    std::vector<Declaration*> interfaces;
    for (Declaration& one : unit_.declarations) {
      check_annotation(one);
      if (may_have_calls(one)) interfaces.push_back(&one);
    }
    for (Declaration* one : interfaces)
      if (choice_of(*one).value_or(all_)) choose(*one);
    check_pragmas();
    if (chosen_.empty() || diagnostics_.failed()) return;
    add_messaging();
    for (Declaration* one : interfaces)  // bases come first
      if (chosen_.contains(one)) add_handler(*one);
  }

 private:
  const AnnotationUse* annotation_of(const Declaration& one) const {
    return unit_.own_annotations.contains("ami") ? nullptr : one.find_annotation("ami");
  }
  void check_annotation(const Declaration& one) {
    const AnnotationUse* use = annotation_of(one);
    if (!use) return;
    if (!may_have_calls(one))
      diagnostics_.error(use->at, "@ami applies to interfaces that are neither local nor abstract");
    else if (!value_of_ami(*use))
      diagnostics_.error(use->at, "@ami takes TRUE, FALSE or no argument");
  }
  std::optional<bool> choice_of(const Declaration& one) const {
    if (const AnnotationUse* use = annotation_of(one)) return value_of_ami(*use);
    if (unit_.ami_pragmas.contains(one.scoped_name().substr(2))) return true;
    return std::nullopt;
  }
  void check_pragmas() {
    for (const auto& [name, at] : unit_.ami_pragmas)
      if (std::ranges::none_of(chosen_,
                               [&](const Declaration* one) { return one->scoped_name() == "::" + name; }))
        diagnostics_.error(at, "#pragma corba_ami \"" + name +
                                   "\": no interface that is neither local nor abstract has this name");
  }
  // A handler derives from the handlers of the bases, so these have asynchronous calls too.
  void choose(Declaration& interface) {
    if (!chosen_.insert(&interface).second) return;
    for (Declaration* base : interface.bases) {
      if (!may_have_calls(*base) || chosen_.contains(base)) continue;
      const bool possible =
          base->in_main_file ? choice_of(*base).value_or(true) : choice_of(*base).value_or(all_);
      if (!possible)
        diagnostics_.error(interface.at,
                           "'" + interface.name + "' has asynchronous calls, but its base '" +
                               base->scoped_name().substr(2) +
                               "' has none: put @ami before it too, or use --ami for both files");
      else
        choose(*base);
    }
  }

  Declaration& make(K kind, std::string name, Declaration& scope, const Declaration& like) {
    Declaration& made = unit_.declarations.emplace_back();
    made.kind = kind;
    made.name = std::move(name);
    made.scope = &scope;
    made.at = like.at;
    made.in_main_file = like.in_main_file;
    return made;
  }
  const Type* type_of(Type type) { return &unit_.types.emplace_back(type); }

  // Messaging's types are those of the runtime, and none of the unit's files declares them.
  void add_messaging() {
    unit_.files.push_back({"<ami>", false});
    Declaration like;
    like.at.file = static_cast<std::uint32_t>(unit_.files.size() - 1);
    like.in_main_file = false;
    Declaration* module = nullptr;
    for (Declaration* one : unit_.root.contents)
      if (one->kind == K::module_ && one->name == "Messaging") module = one;
    if (!module) {
      module = &make(K::module_, "Messaging", unit_.root, like);
      module->repository_id = "IDL:omg.org/Messaging:1.0";
      unit_.root.contents.push_back(module);
    }
    reply_handler_ = &make(K::interface_, "ReplyHandler", *module, like);
    reply_handler_->repository_id = "IDL:omg.org/Messaging/ReplyHandler:1.0";
    poller_ = &make(K::value, "Poller", *module, like);
    poller_->repository_id = "IDL:omg.org/Messaging/Poller:1.0";
    poller_->is_abstract = true;
    Declaration& holder = make(K::value, "ExceptionHolder", *module, like);
    holder.repository_id = "IDL:omg.org/Messaging/ExceptionHolder:1.0";
    const Type* const boolean = type_of({.kind = TypeKind::boolean});
    const Type* const octets =
        type_of({.kind = TypeKind::sequence, .element = type_of({.kind = TypeKind::octet})});
    const auto add_member = [&](const char* name, const Type* type) {
      Declaration& member = make(K::member, name, holder, like);
      member.type = type;
      member.is_private = true;
      holder.contents.push_back(&member);
    };
    add_member("is_system_exception", boolean);
    add_member("byte_order", boolean);
    add_member("marshaled_exception", octets);
    module->contents.push_back(reply_handler_);
    module->contents.push_back(poller_);
    module->contents.push_back(&holder);
    holder_ = type_of({.kind = TypeKind::named, .declaration = &holder});
    void_ = type_of({});
    milliseconds_ = type_of({.kind = TypeKind::uint32});
  }

  static bool declares(const Declaration& scope, const std::string& name) {
    return std::ranges::any_of(
        scope.contents, [&](const Declaration* one) { return folded_name(one->name) == folded_name(name); });
  }
  // Whether the interface has or inherits an operation or attribute of that name.
  bool has(const Declaration& interface, const std::string& name) const {
    return std::ranges::any_of(unit_.all_operations(interface), [&](const Declaration* one) {
      return folded_name(one->name) == folded_name(name);
    });
  }

  void add_handler(Declaration& interface) {
    AsynchronousInterface& added = unit_.asynchronous[&interface];
    added.handler = &add_beside(interface, K::interface_, "Handler");
    derive(*added.handler, interface, &AsynchronousInterface::handler, *reply_handler_);
    added.poller = &add_beside(interface, K::value, "Poller");
    added.poller->is_abstract = true;
    derive(*added.poller, interface, &AsynchronousInterface::poller, *poller_);
    for (const Declaration* one : interface.contents) {
      if (one->kind == K::operation && !one->is_oneway) add_call(interface, added, *one, false);
      if (one->kind != K::attribute) continue;
      add_call(interface, added, *one, false);
      if (!one->is_readonly) add_call(interface, added, *one, true);
    }
  }

  // From those of the interface's bases, or else from the root.
  void derive(Declaration& added, const Declaration& interface, Declaration* AsynchronousInterface::* which,
              Declaration& root) {
    for (const Declaration* base : interface.bases)
      if (const auto found = unit_.asynchronous.find(base); found != unit_.asynchronous.end())
        added.bases.push_back(found->second.*which);
    if (added.bases.empty()) added.bases.push_back(&root);
  }

  // Declares it before the interface, and defines it behind.
  Declaration& add_beside(Declaration& interface, K kind, const char* suffix) {
    Declaration& scope = *interface.scope;
    std::string name = "AMI_" + interface.name + suffix;
    while (declares(scope, name)) name = "AMI_" + name;
    Declaration& added = make(kind, name, scope, interface);
    added.repository_id = id_beside(interface, name);
    Declaration& forward = make(K::forward_, name, scope, interface);
    forward.repository_id = added.repository_id;
    forward.definition = &added;
    forward.forward_kind = kind;
    scope.contents.insert(std::ranges::find(scope.contents, &interface), &forward);
    auto behind = std::ranges::find(scope.contents, &interface) + 1;
    while (behind != scope.contents.end() && is_added_for(interface, **behind)) ++behind;
    scope.contents.insert(behind, &added);
    return added;
  }
  bool is_added_for(const Declaration& interface, const Declaration& one) const {
    const auto found = unit_.asynchronous.find(&interface);
    return found != unit_.asynchronous.end() && found->second.handler == &one;
  }

  static std::string id_beside(const Declaration& interface, const std::string& name) {
    const std::string& id = interface.repository_id;
    const std::size_t end = id.rfind(':');
    const std::size_t begin = id.find_last_of("/:", end - 1);
    if (!id.starts_with("IDL:") || end == std::string::npos || end < 4) return "IDL:" + name + ":1.0";
    return id.substr(0, begin + 1) + name + id.substr(end);
  }

  // A name that no operation or attribute of the interface has.
  std::string free_name(const Declaration& interface, const std::string& prefix,
                        const std::string& name) const {
    std::string found = prefix + name;
    for (std::string ami = "ami_"; has(interface, found); ami += "ami_") found = prefix + ami + name;
    return found;
  }

  void add_call(const Declaration& interface, AsynchronousInterface& to, const Declaration& of, bool sets) {
    const bool attribute = of.kind == K::attribute;
    AsynchronousCall call;
    call.declaration = &of;
    call.sets = sets;
    call.reply = attribute ? (sets ? "set_" : "get_") + of.name : of.name;
    if (attribute && has(interface, call.reply))
      return diagnostics_.error(of.at, "the reply handler cannot have '" + call.reply +
                                           "' for both the attribute '" + of.name +
                                           "' and the operation of that name");
    call.send = free_name(interface, "sendc_", call.reply);
    call.start = free_name(interface, "async_", call.reply);
    call.exception = call.reply + "_excep";
    for (std::string ami = "_ami"; has(interface, call.exception); ami += "_ami")
      call.exception = call.reply + ami + "_excep";
    call.poll = free_name(interface, "sendp_", call.reply);
    call.outcome = is_of_every_poller(call.reply) ? "ami_" + call.reply : call.reply;
    Declaration& reply = add_operation(*to.handler, call.reply, of);
    add_results(reply, of, sets, Direction::in);
    Declaration& exception = add_operation(*to.handler, call.exception, of);
    add_parameter(exception, "excep_holder", holder_, Direction::in);
    Declaration& outcome = add_operation(*to.poller, call.outcome, of);
    outcome.raises = sets ? of.set_raises : of.raises;
    add_parameter(outcome, "ami_timeout", milliseconds_, Direction::in);
    add_results(outcome, of, sets, Direction::out);
    to.calls.push_back(std::move(call));
  }
  static bool is_of_every_poller(const std::string& name) {
    static const std::set<std::string> names{"is_ready",       "create_pollable_set", "operation_target",
                                             "operation_name", "associated_handler",  "is_from_poller"};
    return names.contains(folded_name(name));
  }

  using Direction = Declaration::Direction;
  static void add_parameter(Declaration& operation, const std::string& name, const Type* type,
                            Direction direction) {
    Declaration::Parameter& parameter = operation.parameters.emplace_back();
    parameter.direction = direction;
    parameter.type = type;
    parameter.name = name;
    parameter.at = operation.at;
  }
  // The result, and the inout and out values.
  static void add_results(Declaration& operation, const Declaration& of, bool sets, Direction direction) {
    if (!sets && of.type && of.type->kind != TypeKind::void_)
      add_parameter(operation, "ami_return_val", of.type, direction);
    for (const auto& parameter : of.parameters)
      if (parameter.direction != Direction::in)
        add_parameter(operation, parameter.name, parameter.type, direction);
  }

  Declaration& add_operation(Declaration& to, const std::string& name, const Declaration& like) {
    Declaration& operation = make(K::operation, name, to, like);
    operation.repository_id = to.repository_id.substr(0, to.repository_id.rfind(':')) + "/" + name + ":1.0";
    operation.type = void_;
    to.contents.push_back(&operation);
    return operation;
  }

  Unit& unit_;
  Diagnostics& diagnostics_;
  const bool all_;
  std::set<Declaration*> chosen_;
  Declaration* reply_handler_ = nullptr;
  Declaration* poller_ = nullptr;
  const Type* holder_ = nullptr;
  const Type* void_ = nullptr;
  const Type* milliseconds_ = nullptr;
};

}  // namespace

void add_asynchronous_calls(Unit& unit, Diagnostics& diagnostics, bool all) {
  Ami(unit, diagnostics, all).add();
}

}  // namespace takt::idl
