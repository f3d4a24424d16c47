// TypeCodes: their declarations in the header and their construction in the source.
#include "cpp/declarations.h"

namespace takt::idl::cpp {

namespace {

using Kind = DeclarationKind;

// Classes get a static member function _type_code; other types get a free function.
bool is_class(const Declaration& declaration) {
  switch (declaration.kind) {
    case Kind::struct_:
    case Kind::union_:
    case Kind::exception:
    case Kind::interface_:
    case Kind::value:
    case Kind::value_box:
    case Kind::event:
      return true;
    default:
      return false;
  }
}

bool has_function(const Declaration& declaration) {
  return declaration.kind == Kind::typedef_ && declaration.type->resolved().kind != TypeKind::void_ &&
         !(declaration.type->resolved().kind == TypeKind::named &&
           defined(*declaration.type->resolved().declaration).kind == Kind::native);
}

std::string scope_prefix(const Declaration& declaration) {
  std::string prefix;
  for (const Declaration* at = declaration.scope; at && at->scope && at->kind != Kind::module_;
       at = at->scope)
    prefix = (at->kind == Kind::union_ ? "_types_of_" : "") + escaped(at->name) + "::" + prefix;
  return prefix;
}

// The scope in which the function's body looks up names: its class.
std::string expression(const Context& context, const Type& type, const Declaration* scope) {
  const std::string bound = std::to_string(type.bound);
  switch (type.kind) {
    case TypeKind::string:
    case TypeKind::wstring:
    case TypeKind::fixed:
      break;
    case TypeKind::sequence:
      return "takt::cdr::sequence_typecode(" + expression(context, *type.element, scope) + ", " + bound + ")";
    case TypeKind::array:
      return "takt::cdr::array_typecode(" + expression(context, *type.element, scope) + ", " + bound + ")";
    case TypeKind::map:
      return "takt::cdr::map_typecode(" + expression(context, *type.key, scope) + ", " +
             expression(context, *type.element, scope) + ", " + bound + ")";
    case TypeKind::named: {
      const Declaration& meant = defined(*type.declaration);
      const std::string name = context.names.declared(meant, scope);
      if (is_class(meant)) return name + "::_type_code()";
      if (has_function(meant)) {
        const auto colon = name.rfind("::");
        const auto at = colon == std::string::npos ? 0 : colon + 2;
        return name.substr(0, at) + "_type_code_of_" + name.substr(at) + "()";
      }
      break;
    }
    default:
      break;
  }
  return "IDL::type_code<" + context.names.type(type, scope) + ">()";
}

std::string list(const Context& context, const Declaration& declaration) {
  std::string types;
  for (const Declaration* member : members_of(declaration)) {
    const std::string type = expression(context, *member->type, &declaration);
    types += (types.empty() ? "" : ", ") +
             (member->is_optional ? "takt::cdr::optional_typecode(" + type + ")" : type);
  }
  return "[] { return takt::cdr::TypeCodes{" + types + "}; }";
}

std::string id_and_name(const Declaration& declaration) {
  return string_literal(declaration.repository_id) + ", " + string_literal(declaration.name);
}

std::string value_arguments(const Context& context, const Declaration& declaration) {
  std::string members;
  for (const Declaration* member : members_of(declaration))
    members += (members.empty() ? "{" : ", {") + string_literal(member->name) + ", " +
               expression(context, *member->type, &declaration) +
               (member->is_private ? ", CORBA::PRIVATE_MEMBER}" : ", CORBA::PUBLIC_MEMBER}");
  const Declaration* base = declaration.bases.empty() ? nullptr : &defined(*declaration.bases[0]);
  const std::string base_get = base && !base->is_abstract
                                   ? "&" + context.names.declared(*base, &declaration) + "::_type_code"
                                   : "nullptr";
  const char* modifier = declaration.is_custom        ? "CORBA::VM_CUSTOM"
                         : declaration.is_abstract    ? "CORBA::VM_ABSTRACT"
                         : declaration.is_truncatable ? "CORBA::VM_TRUNCATABLE"
                                                      : "CORBA::VM_NONE";
  return id_and_name(declaration) + ", " + modifier + ", " + base_get +
         ",\n      [] { return std::vector<takt::cdr::ValueMember>{" + members + "}; }";
}

// The expression that a _type_code function returns.
std::string made(const Context& context, const Declaration& declaration) {
  const std::string name = escaped(declaration.name);
  switch (declaration.kind) {
    case Kind::struct_:
    case Kind::exception: {
      const std::string base =
          declaration.bases.empty()
              ? ""
              : ",\n      &" + context.names.declared(defined(*declaration.bases[0]), &declaration) +
                    "::_type_code";
      return "struct_typecode<" + name +
             ">(CORBA::TCKind::" + (declaration.kind == Kind::struct_ ? "tk_struct" : "tk_except") +
             ",\n      " + list(context, declaration) + base + ")";
    }
    case Kind::union_:
      return "union_typecode<" + name + ">(" + expression(context, *declaration.type, &declaration) +
             ",\n      " + list(context, declaration) + ")";
    case Kind::interface_:
      return "named_typecode<" + name + ">(CORBA::TCKind::" +
             (declaration.is_local      ? "tk_local_interface"
              : declaration.is_abstract ? "tk_abstract_interface"
                                        : "tk_objref") +
             ", " + id_and_name(declaration) + ")";
    case Kind::value_box:
      return "box_typecode<" + name + ">(" + id_and_name(declaration) + ", [] { return " +
             expression(context, *declaration.type, &declaration) + "; })";
    case Kind::value:
      return "value_typecode<" + name + ">(" + value_arguments(context, declaration) + ")";
    case Kind::event:
      return "value_typecode<" + name + ">(" + value_arguments(context, declaration) +
             ",\n      CORBA::TCKind::tk_event)";
    default:
      return "alias_typecode(" + id_and_name(declaration) + ", [] { return " +
             expression(context, *declaration.type, declaration.scope) + "; })";
  }
}

}  // namespace

void print_type_code(Context& context, const Declaration& declaration) {
  const std::string name = escaped(declaration.name);
  const bool inside = in_class(declaration);
  std::string get;
  if (is_class(declaration)) {
    get = name + "::_type_code";
  } else if (declaration.kind == Kind::enum_ || has_function(declaration)) {
    get = "_type_code_of_" + name;
    context.out.print("$staticCORBA::typecode_reference $get();",
                      {{"staticCORBA", inside ? "static CORBA" : "CORBA"}, {"get", get}});
  } else {
    return;
  }
  context.out.print("$storage constexpr takt::cdr::TypeCodeConstant _tc_$name{&$get};",
                    {{"storage", inside ? "static" : "inline"}, {"name", declaration.name}, {"get", get}});
}

void print_type_code_source(Context& context, const Declaration& declaration) {
  for (const Declaration* inner : declaration.contents)
    if (declaration.kind != Kind::module_) print_type_code_source(context, *inner);
  const std::string name = escaped(declaration.name), prefix = scope_prefix(declaration);
  if (declaration.kind == Kind::exception)
    context.out.print(
        "const takt::cdr::ExceptionForm* $class::_form() const noexcept { return "
        "&takt::cdr::exception_form<$name>; }",
        {{"class", prefix + name}, {"name", name}});
  if (declaration.kind == Kind::enum_)
    context.out.print(
        "CORBA::typecode_reference $prefix_type_code_of_$name() { return takt::cdr::enum_typecode<$name>(); "
        "}",
        {{"prefix_type_code_of_", prefix + "_type_code_of_"}, {"name", name}});
  else if (is_class(declaration))
    context.out.print(R"(CORBA::typecode_reference $class::_type_code() {
  return takt::cdr::$made;
})",
                      {{"class", prefix + name}, {"made", made(context, declaration)}});
  if (has_text(declaration))
    context.out.print(R"(const char* $class::what() const noexcept try {
  return _text.keep(takt::cdr::text_of_exception(*this));
} catch (...) {
  return _rep_id();
})",
                      {{"class", prefix + name}});
  if (declaration.kind != Kind::enum_ && !is_class(declaration) && has_function(declaration))
    context.out.print(
        R"(CORBA::typecode_reference $function$name() {
  return takt::cdr::$made;
})",
        {{"function", prefix + "_type_code_of_"}, {"name", name}, {"made", made(context, declaration)}});
}

}  // namespace takt::idl::cpp
