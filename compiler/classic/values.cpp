// Valuetypes: their classes, OBV_ classes with the state, factories, and boxes.
#include <algorithm>

#include "classic/printing.h"
#include "classic/types.h"
#include "cpp/names.h"

namespace takt::idl::classic {

using cpp::Call;
using cpp::escaped;
using Kind = DeclarationKind;

std::string named_type(const Declaration& member) {
  const TypeKind kind = member.type->kind;
  return kind == TypeKind::sequence ? "_" + member.name + "_seq"
         : kind == TypeKind::array  ? "_" + member.name
                                    : type_name(*member.type);
}
void print_named_type(Context& context, const Type& type, const std::string& named) {
  if (type.kind == TypeKind::sequence)
    context.out.print("typedef $type $name;", {{"type", type_name(type)}, {"name", named}});
  if (type.kind == TypeKind::array)
    context.out.print(
        "typedef $type $name$dimensions;\ntypedef ::takt::classic::Arrays<$name>::Slice $slice;",
        {{"type", member_type(type)},
         {"name", named},
         {"dimensions", dimensions(type)},
         {"slice", named + "_slice"}});
}

namespace {

// How a member is read, changed and kept.
struct Accessor {
  std::string result, arguments, body;  // the body of its implementation
  bool constant;
};

std::vector<Accessor> accessors(const Type& type, const std::string& named, const std::string& field) {
  const std::string keep = "{ " + field + " = takt_value; }", give = "{ return " + field + "; }";
  switch (category(type)) {
    case Category::string:
    case Category::wstring: {
      const std::string c = category(type) == Category::wstring ? "wchar_t" : "char";
      return {{"void", c + "* takt_value", keep, false},
              {"void", "const " + c + "* takt_value", keep, false},
              {"void", "const ::takt::classic::TextVar<" + c + ">& takt_value", keep, false},
              {"const " + c + "*", "", "{ return " + field + ".in(); }", true}};
    }
    case Category::object:
      return {{"void", named + "_ptr takt_value",
               "{ " + field + " = ::takt::classic::duplicated(takt_value); }", false},
              {named + "_ptr", "", "{ return " + field + ".in(); }", true}};
    case Category::fixed_value:
    case Category::variable_value:
      return {{"void", "const " + named + "& takt_value", keep, false},
              {"const " + named + "&", "", give, true},
              {named + "&", "", give, false}};
    case Category::array:
      return {{"void", "const " + named + " takt_value",
               "{ ::takt::classic::Arrays< " + named + ">::copy(" + field + ", takt_value); }", false},
              {"const " + named + "_slice*", "", give, true},
              {named + "_slice*", "", give, false}};
    default:
      return {{"void", named + " takt_value", keep, false}, {named, "", give, true}};
  }
}

// The type in which a value keeps a member.
std::string kept_type(const Type& type, const std::string& named) {
  return type.kind == TypeKind::array || type.kind == TypeKind::sequence ? named : member_type(type);
}

// The interfaces that a value names, and their bases.
std::vector<const Declaration*> supported_by(const Declaration& value) {
  std::vector<const Declaration*> found;
  for (const Declaration* supported : value.supports)
    for (const Declaration* interface : cpp::with_bases(defined(*supported)))
      if (std::ranges::find(found, interface) == found.end()) found.push_back(interface);
  return found;
}
std::vector<const Declaration*> operations_of(const Declaration& value) {
  std::vector<const Declaration*> found;
  for (const Declaration* base : cpp::with_bases(value))
    for (const Declaration* member : base->contents)
      if (member->kind == Kind::operation || member->kind == Kind::attribute) found.push_back(member);
  for (const Declaration* base : cpp::with_bases(value))
    for (const Declaration* interface : supported_by(*base))
      for (const Declaration* member : interface->contents)
        if (member->kind == Kind::operation || member->kind == Kind::attribute) found.push_back(member);
  return found;
}
// Whether the OBV_ class can be used as it is.
bool is_complete(const Declaration& value) {
  return operations_of(value).empty() &&
         std::ranges::none_of(cpp::with_bases(value), &Declaration::is_custom);
}
const Declaration* concrete_base(const Declaration& value) {
  if (value.bases.empty()) return nullptr;
  const Declaration& first = defined(*value.bases.front());
  return first.is_abstract ? nullptr : &first;
}
// All state members, those of bases first.
std::vector<const Declaration*> all_members(const Declaration& value) {
  std::vector<const Declaration*> all;
  for (const Declaration* base : cpp::with_bases(value))
    for (const Declaration* member : members_of(*base)) all.push_back(member);
  return all;
}
// The type of a member, as it is spelled outside its class.
std::string outside_type(const Declaration& member) {
  const TypeKind kind = member.type->kind;
  return kind == TypeKind::sequence || kind == TypeKind::array
             ? full_name(*member.scope) + "::" + named_type(member)
             : named_type(member);
}
std::string state_parameters(const Declaration& value) {
  std::string list;
  for (const Declaration* member : all_members(value)) {
    const std::string named = outside_type(*member);
    const std::string spelled = category(*member->type) == Category::array ? "const " + named + "_slice*"
                                : member->type->kind == TypeKind::sequence ? "const " + named + "&"
                                                                           : in_type(*member->type);
    list += (list.empty() ? "" : ", ") + spelled + " takt_" + member->name;
  }
  return list;
}

void print_common(Context& context, const Declaration& declaration) {
  const std::string name = escaped(declaration.name);
  context.out.print(R"(typedef $name_ptr _ptr_type;
typedef $name_var _var_type;
static $name* _downcast(::CORBA::ValueBase* takt_value) { return dynamic_cast<$name*>(takt_value); }
static $name* _duplicate($name* takt_value) {
  if (takt_value) takt_value->_add_ref();
  return takt_value;
}
static $name* _nil() { return nullptr; }
static const char* const _PD_repoId;
static const char* _takt_formal_id() { return _PD_repoId; }
static const char* _tao_obv_static_repository_id() { return _PD_repoId; })",
                    {{"name", name}, {"name_ptr", name + "_ptr"}, {"name_var", name + "_var"}});
}

void print_initializers(Context& context, const Declaration& declaration) {
  cpp::Writer& out = context.out;
  const std::string name = escaped(declaration.name), factory = declaration.name + "_init";
  const bool complete = is_complete(declaration);
  out.print(R"(class $factory : public virtual ::CORBA::ValueFactoryBase {
 public:
  static $factory* _downcast(::CORBA::ValueFactory takt_factory) { return dynamic_cast<$factory*>(takt_factory); }
  $factory() {})",
            {{"factory", factory}});
  for (const Declaration* inner : declaration.contents) {
    if (inner->kind != Kind::initializer) continue;
    std::string parameters;
    for (const auto& parameter : inner->parameters)
      parameters +=
          (parameters.empty() ? "" : ", ") + parameter_type(parameter) + " " + parameter_name(parameter);
    out.print("  virtual $name* $method($parameters) = 0;",
              {{"name", name}, {"method", escaped(inner->name)}, {"parameters", parameters}});
  }
  if (complete) out.print(" private:\n  ::CORBA::ValueBase* create_for_unmarshal() override;");
  out.print("};\ntypedef ::takt::classic::ObjectVar<$factory> $var;",
            {{"factory", factory}, {"var", factory + "_var"}});
}

}  // namespace

std::string obv_name(const Declaration& value) { return prefixed_name("OBV_", value); }

void print_value_forward(Context& context, const Declaration& declaration) {
  const std::string name = escaped(declaration.name);
  context.out.print(
      R"(class $name;
typedef $name* $ptr;
typedef ::takt::classic::ObjectVar<$name> $var;
typedef ::takt::classic::ObjectOut<$name> $out;)",
      {{"name", name}, {"ptr", name + "_ptr"}, {"var", name + "_var"}, {"out", name + "_out"}});
}

namespace {

std::string base_clause(const Declaration& value) {
  std::string bases;
  const auto add = [&](const std::string& base) {
    bases += (bases.empty() ? "" : ", ") + ("public virtual " + base);
  };
  for (const Declaration* base : value.bases) add(full_name(defined(*base)));
  if (value.is_custom) add("::CORBA::CustomMarshal");
  if (bases.empty()) add("::CORBA::ValueBase");
  for (const Declaration* supported : value.supports)
    if (defined(*supported).is_abstract) add(full_name(defined(*supported)));
  return bases;
}

// The pure virtual accessors of the public or the private members.
void print_accessors(Context& context, const Declaration& value, bool of_private) {
  for (const Declaration* member : members_of(value)) {
    if (member->is_private != of_private) continue;
    for (const Accessor& accessor : accessors(*member->type, named_type(*member), ""))
      context.out.print("virtual $result $name($arguments)$const = 0;",
                        {{"result", accessor.result},
                         {"name", escaped(member->name)},
                         {"arguments", accessor.arguments},
                         {"const", accessor.constant ? " const" : ""}});
  }
}

}  // namespace

void print_value(Context& context, const Declaration& declaration) {
  cpp::Writer& out = context.out;
  const std::string name = escaped(declaration.name);
  out.blank();
  print_value_forward(context, declaration);
  out.print("class $name : $bases {\n public:", {{"name", name}, {"bases", base_clause(declaration)}});
  out.indent(2);
  print_common(context, declaration);
  for (const Declaration* inner : declaration.contents)
    if (inner->kind != Kind::member && inner->kind != Kind::initializer) print_declaration(context, *inner);
  for (const Declaration* member : members_of(declaration))
    print_named_type(context, *member->type, named_type(*member));
  print_accessors(context, declaration, false);
  std::vector<const Declaration*> owners = supported_by(declaration);
  owners.push_back(&declaration);
  for (const Declaration* owner : owners)
    for (const Call& call : cpp::calls_of(*owner))
      out.print(
          "virtual $result $name($parameters) = 0;",
          {{"result", result_type(call.result)}, {"name", call.method}, {"parameters", parameters_of(call)}});
  out.indent(-2);
  out.print(" protected:");
  out.indent(2);
  print_accessors(context, declaration, true);
  out.print("$name() {}\n~$name() override {}", {{"name", name}});
  out.indent(-2);
  out.print("};");
  if (!declaration.is_abstract) print_initializers(context, declaration);
}

void print_value_source(Context& context, const Declaration& declaration) {
  context.out.print(
      "const char* const $name::_PD_repoId = $id;",
      {{"name", local_name(declaration)}, {"id", cpp::string_literal(declaration.repository_id)}});
  if (declaration.kind != Kind::value || declaration.is_abstract || !is_complete(declaration)) return;
  const std::string flat = "takt_made_" + declaration.name;
  std::string factory = local_name(declaration);
  factory.resize(factory.size() - escaped(declaration.name).size());
  context.out.print(R"(::CORBA::ValueBase* $factory::create_for_unmarshal() { return new $obv; }
static ::takt::classic::ValueImplementation* $flat() { return new $obv; }
static const ::takt::classic::ValueRegistration $flat_registration($id, &$flat);)",
                    {{"factory", factory + declaration.name + "_init"},
                     {"obv", obv_name(declaration)},
                     {"flat", flat},
                     {"flat_registration", flat + "_registration"},
                     {"id", cpp::string_literal(declaration.repository_id)}});
}

void print_obv(Context& context, const Declaration& declaration) {
  cpp::Writer& out = context.out;
  const std::string obv = obv_name(declaration), name = obv.substr(obv.rfind("::") + 2);
  const bool complete = is_complete(declaration);
  std::string bases = "public virtual " + full_name(declaration);
  if (const Declaration* base = concrete_base(declaration)) bases += ", public virtual " + obv_name(*base);
  if (complete) bases += ", public virtual ::CORBA::DefaultValueRefCountBase";
  out.print("class $name : $bases {\n public:", {{"name", name}, {"bases", bases}});
  out.indent(2);
  const std::string parameters = state_parameters(declaration);
  if (!complete) out.indent(-2), out.print(" protected:"), out.indent(2);
  out.print("$name() {}", {{"name", name}});
  if (!parameters.empty()) out.print("$name($parameters);", {{"name", name}, {"parameters", parameters}});
  if (!complete) out.indent(-2), out.print(" public:"), out.indent(2);
  for (const bool hidden : {false, true}) {
    if (hidden) out.indent(-2), out.print(" protected:"), out.indent(2);
    for (const Declaration* member : members_of(declaration)) {
      if (member->is_private != hidden) continue;
      for (const Accessor& accessor : accessors(*member->type, named_type(*member), "_pd_" + member->name))
        out.print("$result $name($arguments)$const override $body",
                  {{"result", accessor.result},
                   {"name", escaped(member->name)},
                   {"arguments", accessor.arguments},
                   {"const", accessor.constant ? " const" : ""},
                   {"body", accessor.body}});
    }
  }
  out.print("~$name() override {}", {{"name", name}});
  out.indent(-2);
  out.print(" public:");
  out.indent(2);
  out.print(R"(const ::takt::classic::ValueType& _takt_value_type() const override;
void _takt_write_state(::takt::classic::Writer& takt_out) const override;
void _takt_read_state(::takt::classic::Reader& takt_in) override;)");
  if (complete)
    out.print("::takt::classic::ValueImplementation* _takt_make() const override { return new $name; }",
              {{"name", name}});
  out.indent(-2);
  out.print("\n private:");
  out.indent(2);
  for (const Declaration* member : members_of(declaration))
    out.print("$type _pd_$name{};",
              {{"type", kept_type(*member->type, named_type(*member))}, {"name", member->name}});
  out.indent(-2);
  out.print("};");
}

namespace {

// The application's marshal() and unmarshal() do it.
void print_custom_state(Context& context, const std::string& name) {
  context.out.print(R"(void $name::_takt_write_state(::takt::classic::Writer& takt_out) const {
  ::takt::classic::write_custom(takt_out, *this);
}
void $name::_takt_read_state(::takt::classic::Reader& takt_in) {
  ::takt::classic::read_custom(takt_in, *this);
})",
                    {{"name", name}});
}

}  // namespace

namespace {

void print_state_constructor(Context& context, const Declaration& value, const std::string& obv) {
  const std::string parameters = state_parameters(value);
  if (parameters.empty()) return;
  context.out.print("$obv::$obv($parameters) {", {{"obv", obv}, {"parameters", parameters}});
  for (const Declaration* member : all_members(value))
    context.out.print("  $class::$member($from);", {{"class", obv_name(*member->scope)},
                                                    {"member", escaped(member->name)},
                                                    {"from", "takt_" + member->name}});
  context.out.print("}");
}

// The ids are those of the type, then of the bases that it may be truncated to.
void print_value_type(Context& context, const Declaration& value, const std::string& obv) {
  std::string ids = cpp::string_literal(value.repository_id);
  std::size_t count = 1;
  for (const Declaration* at = &value; at->is_truncatable && concrete_base(*at); ++count) {
    at = concrete_base(*at);
    ids += ", " + cpp::string_literal(at->repository_id);
  }
  context.out.print(R"(const ::takt::classic::ValueType& $obv::_takt_value_type() const {
  static const char* const takt_ids[] = {$ids};
  static const ::takt::classic::ValueType takt_type(takt_ids, $count$custom);
  return takt_type;
})",
                    {{"obv", obv},
                     {"ids", ids},
                     {"count", std::to_string(count)},
                     {"custom", value.is_custom ? ", true" : ""}});
}

void print_state(Context& context, const Declaration& value, const std::string& obv, Transfer transfer) {
  const bool writes = transfer == Transfer::write;
  const Declaration* const base = concrete_base(value);
  const bool is_used = base || !members_of(value).empty();
  context.out.print(writes ? "void $obv::_takt_write_state(::takt::classic::Writer&$out) const {"
                           : "void $obv::_takt_read_state(::takt::classic::Reader&$in) {",
                    {{"obv", obv}, {"out", is_used ? " takt_out" : ""}, {"in", is_used ? " takt_in" : ""}});
  if (base)
    context.out.print(
        writes ? "  $base::_takt_write_state(takt_out);\n  ::takt::classic::end_base_state(takt_out);"
               : "  $base::_takt_read_state(takt_in);",
        {{"base", obv_name(*base)}});
  for (const Declaration* member : members_of(value))
    context.out.print("  $statement;",
                      {{"statement", member_statement(transfer, *member->type, "_pd_" + member->name)}});
  context.out.print("}");
}

}  // namespace

void print_obv_source(Context& context, const Declaration& declaration) {
  const std::string whole = obv_name(declaration), obv = whole.substr(whole.rfind("::") + 2);
  print_state_constructor(context, declaration, obv);
  print_value_type(context, declaration, obv);
  if (declaration.is_custom) return print_custom_state(context, obv);
  print_state(context, declaration, obv, Transfer::write);
  print_state(context, declaration, obv, Transfer::read);
}

namespace {

// The members of a boxed struct or union, as the box's own.
void print_boxed_members(Context& context, const Declaration& boxed, const std::string& box) {
  const bool is_union = boxed.kind == Kind::union_;
  if (is_union) {
    const std::string discriminator = type_name(*boxed.type);
    context.out.print(
        "$type _d() const { return _pd_value._d(); }\nvoid _d($type takt_value) { _pd_value._d(takt_value); "
        "}",
        {{"type", discriminator}});
  }
  for (const Declaration* member : members_of(boxed)) {
    const std::string name = escaped(member->name), place = "_pd_value." + name;
    if (name == box) continue;  // would be a constructor
    for (const Accessor& accessor : accessors(*member->type, outside_type(*member), place)) {
      const std::string call = accessor.arguments.empty() ? "return " + place + "()" : place + "(takt_value)";
      context.out.print("$result $name($arguments)$const $body",
                        {{"result", accessor.result},
                         {"name", name},
                         {"arguments", accessor.arguments},
                         {"const", accessor.constant ? " const" : ""},
                         {"body", is_union ? "{ " + call + "; }" : accessor.body}});
    }
  }
}

// Prints the members of a box beside its value (C++ mapping 1.3, 4.17.7).
void print_box_contents(Context& context, const Declaration& declaration, const std::string& named) {
  const Type& type = declaration.type->resolved();
  const std::string box = escaped(declaration.name);
  cpp::Writer& out = context.out;
  switch (type.kind) {
    case TypeKind::named:
      if (const Declaration& boxed = defined(*type.declaration);
          boxed.kind == Kind::struct_ || boxed.kind == Kind::union_)
        print_boxed_members(context, boxed, box);
      return;
    case TypeKind::string:
    case TypeKind::wstring:
      return out.print(
          R"($char& operator[](::CORBA::ULong takt_index) { return _pd_value.inout()[takt_index]; }
$char operator[](::CORBA::ULong takt_index) const { return _pd_value.in()[takt_index]; })",
          {{"char", type.kind == TypeKind::string ? "char" : "wchar_t"}});
    case TypeKind::sequence:
      out.print(
          type.bound == 0
              ? R"(explicit $box(::CORBA::ULong takt_maximum) : _pd_value(takt_maximum) {}
$box(::CORBA::ULong takt_maximum, ::CORBA::ULong takt_length, $named::Stored* takt_data, ::CORBA::Boolean takt_release = false)
    : _pd_value(takt_maximum, takt_length, takt_data, takt_release) {})"
              : R"($box(::CORBA::ULong takt_length, $named::Stored* takt_data, ::CORBA::Boolean takt_release = false)
    : _pd_value(takt_length, takt_data, takt_release) {})",
          {{"box", box}, {"named", named}});
      out.print(R"(::CORBA::ULong maximum() const { return _pd_value.maximum(); }
::CORBA::ULong length() const { return _pd_value.length(); }
void length(::CORBA::ULong takt_length) { _pd_value.length(takt_length); })");
      [[fallthrough]];
    case TypeKind::array:
      return out.print(
          R"(decltype(auto) operator[](::CORBA::ULong takt_index) { return _pd_value[takt_index]; }
decltype(auto) operator[](::CORBA::ULong takt_index) const { return _pd_value[takt_index]; })");
    default:
      return;
  }
}

}  // namespace

void print_box(Context& context, const Declaration& declaration) {
  cpp::Writer& out = context.out;
  const Type& type = *declaration.type;
  const Category kind = category(type);
  const std::string name = escaped(declaration.name);
  const bool anonymous = type.kind == TypeKind::sequence || type.kind == TypeKind::array;
  const std::string named = anonymous ? "_boxed" : type_name(type);
  const bool managed = kind == Category::string || kind == Category::wstring || kind == Category::object;
  out.blank();
  print_value_forward(context, declaration);
  out.print("class $name : public virtual ::CORBA::DefaultValueRefCountBase {\n public:", {{"name", name}});
  out.indent(2);
  print_common(context, declaration);
  print_named_type(context, type, named);
  out.print(
      "$name() {}\n$name(const $name& takt_from) : ::CORBA::ValueBase(takt_from), "
      "::CORBA::DefaultValueRefCountBase(takt_from) { _takt_assign(takt_from); }",
      {{"name", name}});
  for (const Accessor& accessor : accessors(type, named, "_pd_value")) {
    out.print("$result _value($arguments)$const $body", {{"result", accessor.result},
                                                         {"arguments", accessor.arguments},
                                                         {"const", accessor.constant ? " const" : ""},
                                                         {"body", accessor.body}});
    if (!accessor.arguments.empty())
      out.print(
          "$explicit$name($arguments) { _value(takt_value); }\n$name& operator=($arguments) {\n  "
          "_value(takt_value);\n  return *this;\n}",
          {{"explicit", "explicit "}, {"name", name}, {"arguments", accessor.arguments}});
    else if (accessor.constant)
      out.print("$result _boxed_in() const { return _value(); }", {{"result", accessor.result}});
  }
  const std::string kept = kept_type(type, named);
  const std::string place = kind == Category::array ? named + "_slice*" : managed ? "" : named + "&";
  if (!place.empty()) {
    out.print("$place _boxed_inout() { return _pd_value; }", {{"place", place}});
    if (kind == Category::basic || kind == Category::fixed_value)
      out.print("$place _boxed_out() { return _pd_value; }", {{"place", place}});
  } else {
    out.print(
        "auto _boxed_inout() -> decltype(::std::declval< $kept&>().inout()) { return _pd_value.inout(); }\n"
        "auto _boxed_out() -> decltype(::std::declval< $kept&>().out()) { return _pd_value.out(); }",
        {{"kept", kept}});
  }
  print_box_contents(context, declaration, named);
  out.print(R"(const ::takt::classic::ValueType& _takt_value_type() const override;
void _takt_write_state(::takt::classic::Writer& takt_out) const override;
void _takt_read_state(::takt::classic::Reader& takt_in) override;
::takt::classic::ValueImplementation* _takt_make() const override { return new $name; })",
            {{"name", name}});
  out.indent(-2);
  out.print("\n private:");
  out.indent(2);
  out.print("~$name() override {}", {{"name", name}});
  out.print(kind == Category::array
                ? "void _takt_assign(const $name& takt_from) { ::takt::classic::copy_array(_pd_value, "
                  "takt_from._pd_value); }"
                : "void _takt_assign(const $name& takt_from) { _pd_value = takt_from._pd_value; }",
            {{"name", name}});
  out.print("$kept _pd_value{};", {{"kept", kept}});
  out.indent(-2);
  out.print("};");
}

void print_box_source(Context& context, const Declaration& declaration) {
  const Type& type = *declaration.type;
  print_value_source(context, declaration);
  context.out.print(R"(const ::takt::classic::ValueType& $name::_takt_value_type() const {
  static const char* const takt_ids[] = {$id};
  static const ::takt::classic::ValueType takt_type(takt_ids, 1);
  return takt_type;
}
void $name::_takt_write_state(::takt::classic::Writer& takt_out) const { $write; }
void $name::_takt_read_state(::takt::classic::Reader& takt_in) { $read; }
static ::takt::classic::ValueImplementation* takt_made_$plain() { return new $full; }
static const ::takt::classic::ValueRegistration takt_made_$plain_registration($id, &takt_made_$plain);)",
                    {{"name", local_name(declaration)},
                     {"full", full_name(declaration)},
                     {"plain", declaration.name},
                     {"plain_registration", declaration.name + "_registration"},
                     {"id", cpp::string_literal(declaration.repository_id)},
                     {"write", member_statement(Transfer::write, type, "_pd_value")},
                     {"read", member_statement(Transfer::read, type, "_pd_value")}});
}

}  // namespace takt::idl::classic
