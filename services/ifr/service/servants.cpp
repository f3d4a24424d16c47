#include "ifr/service/servants.h"

#include <map>

#include "ifr/service/container_part.h"
#include "ifr/service/parts.h"

namespace takt::ifr {
namespace {

using Servant = CORBA::servant_reference<PortableServer::Servant>;
template <class Interface>
using Skeleton = ObjectPart<typename CORBA::servant_traits<Interface>::base_type>;

// `value` of the type with the members of the details: struct and exceptions.
template <class Base>
class MembersPart : public Base {
 public:
  using Base::Base;
  R::StructMemberSeq members() override {
    return this->core_.read([&](const Self& self) {
      TypeCodes types = this->core_.type_codes();
      return struct_members(this->core_, types, self.definition.details.members());
    });
  }
  void members(const R::StructMemberSeq& members) override {
    this->set_detail([&](Details& details) { details.members(members_from(this->core_, members)); });
  }
};

class RepositoryServant final : public ContainerPart<Skeleton<R::Repository>> {
 public:
  using ContainerPart::ContainerPart;
  Ref<R::Contained> lookup_id(const std::string& id) override {
    return core_.read([&](const Self&) {
      const auto entry = core_.store().find_id(id);
      return entry ? core_.reference<R::Contained>(*entry) : Ref<R::Contained>();
    });
  }
  CORBA::typecode_reference get_canonical_typecode(CORBA::typecode_reference type) override;
  Ref<R::PrimitiveDef> get_primitive(R::PrimitiveKind kind) override {
    return core_.unnamed<R::PrimitiveDef>(primitive_text(kind));
  }
  Ref<R::StringDef> create_string(std::uint32_t bound) override {
    require_bound(bound);
    return core_.unnamed<R::StringDef>(string_text(bound, false));
  }
  Ref<R::WstringDef> create_wstring(std::uint32_t bound) override {
    require_bound(bound);
    return core_.unnamed<R::WstringDef>(string_text(bound, true));
  }
  Ref<R::SequenceDef> create_sequence(std::uint32_t bound, Ref<R::IDLType> element) override {
    return nested<R::SequenceDef>([&](const std::string& inner) { return sequence_text(bound, inner); },
                                  element);
  }
  Ref<R::ArrayDef> create_array(std::uint32_t length, Ref<R::IDLType> element) override {
    if (length == 0) throw_bad_param(0, "an array has at least one element");
    return nested<R::ArrayDef>([&](const std::string& inner) { return array_text(length, inner); }, element);
  }
  Ref<R::FixedDef> create_fixed(std::uint16_t digits, std::int16_t scale) override {
    const std::string text = fixed_text(digits, scale);
    if (!is_type_text(text, 0))
      throw_bad_param(0, "a fixed-point type has 1 to 31 digits, and a scale up to that");
    return core_.unnamed<R::FixedDef>(text);
  }

 private:
  static void require_bound(std::uint32_t bound) {
    if (bound == 0) throw_bad_param(0, "bound 0: get_primitive() has strings without a bound");
  }
  template <class T, class MakeText>
  Ref<T> nested(MakeText&& make_text, const Ref<R::IDLType>& element) {
    return core_.read([&](const Self&) {
      const std::string text = make_text(core_.text_of(element));
      if (!is_type_text(text, core_.limits().nesting)) throw_limit("sequences and arrays nest too deep");
      const auto kind = core_.type_codes().of(parse_type(text)->element)->kind();
      if (kind == CORBA::TCKind::tk_void || kind == CORBA::TCKind::tk_null)
        throw CORBA::BAD_TYPECODE(CORBA::omg_minor(2), CORBA::COMPLETED_NO,
                                  "void and null are types of no element");
      return core_.unnamed<T>(text);
    });
  }
  // The repository's type with the id of a TypeCode; nil if there is none.
  CORBA::typecode_reference own_type(const std::string& id) {
    const auto entry = core_.store().find_id(id);
    const bool has_type = entry && (is_type(entry->kind) || entry->kind == Kind::dk_Exception);
    return has_type ? core_.type_codes().of(entry->number) : CORBA::typecode_reference();
  }
  CORBA::typecode_reference canonical(const CORBA::typecode_reference& type) {
    const cdr::TypeCodeParts& parts = type->_parts();
    if (!parts.id.empty() && !type->_is_recursion()) {
      auto own = own_type(parts.id);
      return own ? own : type;
    }
    if (type->_is_recursion() ||
        (parts.kind != CORBA::TCKind::tk_sequence && parts.kind != CORBA::TCKind::tk_array))
      return type;
    cdr::TypeCodeParts changed{.kind = parts.kind, .length = parts.length};
    changed.content = canonical(parts.content);
    return cdr::make_typecode(std::move(changed));
  }
};

// The types with the repository's definitions in place of those with the same ids.
CORBA::typecode_reference RepositoryServant::get_canonical_typecode(CORBA::typecode_reference type) {
  if (!type) throw_bad_param(0, "a nil TypeCode");
  return core_.read([&](const Self&) { return canonical(type); });
}

class ModuleServant final : public ContainerPart<ContainedPart<Skeleton<R::ModuleDef>>> {
 public:
  using ContainerPart::ContainerPart;
};

class ConstantServant final : public TypePart<ContainedPart<Skeleton<R::ConstantDef>>> {
 public:
  using TypePart::TypePart;
  Ref<R::IDLType> type_def() override {
    return detail([&](const Details& details) { return core_.type(details.type()); });
  }
  // A value of another type is lost.
  void type_def(Ref<R::IDLType> type) override {
    set_detail([&](Details& details) {
      details.type(core_.text_of(type));
      if (!details.value().type()->equivalent(core_.type_codes().of(details.type())))
        details.value(CORBA::Any());
    });
  }
  CORBA::Any value() override {
    return detail([](const Details& details) { return details.value(); });
  }
  void value(const CORBA::Any& value) override {
    set_detail([&](Details& details) { details.value(constant_from(core_, value)); });
  }
};

class StructServant final
    : public MembersPart<ContainerPart<TypePart<ContainedPart<Skeleton<R::StructDef>>>>> {
 public:
  using MembersPart::MembersPart;
};

class UnionServant final : public ContainerPart<TypePart<ContainedPart<Skeleton<R::UnionDef>>>> {
 public:
  using ContainerPart::ContainerPart;
  CORBA::typecode_reference discriminator_type() override {
    return detail([&](const Details& details) { return core_.type_codes().of(details.type()); });
  }
  Ref<R::IDLType> discriminator_type_def() override {
    return detail([&](const Details& details) { return core_.type(details.type()); });
  }
  void discriminator_type_def(Ref<R::IDLType> type) override {
    set_detail([&](Details& details) {
      TypeCodes types = core_.type_codes();
      const auto before = types.of(details.type());
      details.type(core_.text_of(type));
      if (!details.members().empty() && !before->equivalent(types.of(details.type())))
        throw_bad_param(19, "the members have labels of another type; set other members first");
    });
  }
  R::UnionMemberSeq members() override {
    return core_.read([&](const Self& self) {
      return union_members(core_, type_of(core_, self), self.definition.details.members());
    });
  }
  void members(const R::UnionMemberSeq& members) override {
    set_detail([&](Details& details) { details.members(members_from(core_, members, details.type())); });
  }
};

class EnumServant final : public TypePart<ContainedPart<Skeleton<R::EnumDef>>> {
 public:
  using TypePart::TypePart;
  R::EnumMemberSeq members() override {
    return detail([](const Details& details) {
      R::EnumMemberSeq names;
      for (const Member& member : details.members()) names.push_back(member.name());
      return names;
    });
  }
  void members(const R::EnumMemberSeq& members) override {
    set_detail([&](Details& details) { details.members(members_from(core_, members)); });
  }
};

class AliasServant final : public OriginalTypePart<TypePart<ContainedPart<Skeleton<R::AliasDef>>>> {
 public:
  using OriginalTypePart::OriginalTypePart;
};
class ValueBoxServant final : public OriginalTypePart<TypePart<ContainedPart<Skeleton<R::ValueBoxDef>>>> {
 public:
  using OriginalTypePart::OriginalTypePart;
};
class NativeServant final : public TypePart<ContainedPart<Skeleton<R::NativeDef>>> {
 public:
  using TypePart::TypePart;
};
class ExceptionServant final
    : public MembersPart<ContainerPart<TypePart<ContainedPart<Skeleton<R::ExceptionDef>>>>> {
 public:
  using MembersPart::MembersPart;
};

class AttributeServant final : public TypeDefPart<TypePart<ContainedPart<Skeleton<R::AttributeDef>>>> {
 public:
  using TypeDefPart::TypeDefPart;
  R::AttributeMode mode() override {
    return detail([](const Details& details) { return static_cast<R::AttributeMode>(details.mode() != 0); });
  }
  void mode(R::AttributeMode mode) override {
    set_detail([&](Details& details) { details.mode(static_cast<std::int16_t>(mode)); });
  }
};

class ValueMemberServant final : public TypeDefPart<TypePart<ContainedPart<Skeleton<R::ValueMemberDef>>>> {
 public:
  using TypeDefPart::TypeDefPart;
  std::int16_t access() override {
    return detail([](const Details& details) { return details.mode(); });
  }
  void access(std::int16_t access) override {
    if (access != 0 && access != 1) throw_bad_param(0, "a value's member is private (0) or public (1)");
    set_detail([&](Details& details) { details.mode(access); });
  }
};

class OperationServant final : public ContainedPart<Skeleton<R::OperationDef>> {
 public:
  using ContainedPart::ContainedPart;
  CORBA::typecode_reference result() override {
    return detail([&](const Details& details) { return core_.type_codes().of(details.type()); });
  }
  Ref<R::IDLType> result_def() override {
    return detail([&](const Details& details) { return core_.type(details.type()); });
  }
  void result_def(Ref<R::IDLType> type) override {
    set_detail([&](Details& details) { details.type(core_.text_of(type)); });
  }
  R::ParDescriptionSeq params() override {
    return detail([&](const Details& details) {
      TypeCodes types = core_.type_codes();
      return parameters(core_, types, details.members());
    });
  }
  void params(const R::ParDescriptionSeq& params) override {
    set_detail([&](Details& details) { details.members(members_from(core_, params)); });
  }
  R::OperationMode mode() override {
    return detail([](const Details& details) { return static_cast<R::OperationMode>(details.mode() != 0); });
  }
  void mode(R::OperationMode mode) override {
    set_detail([&](Details& details) { details.mode(static_cast<std::int16_t>(mode)); });
  }
  R::ContextIdSeq contexts() override {
    return detail([](const Details& details) { return details.contexts(); });
  }
  void contexts(const R::ContextIdSeq& contexts) override {
    set_detail([&](Details& details) { details.contexts(contexts_from(core_, contexts)); });
  }
  R::ExceptionDefSeq exceptions() override {
    return detail([&](const Details& details) {
      R::ExceptionDefSeq all;
      for (const Number number : details.raised()) all.push_back(core_.reference<R::ExceptionDef>(number));
      return all;
    });
  }
  void exceptions(const R::ExceptionDefSeq& exceptions) override {
    set_detail([&](Details& details) {
      details.raised(numbers_from(core_, exceptions, [](Kind kind) { return kind == Kind::dk_Exception; }));
    });
  }
};

template <class Interface>
class InterfaceServant final
    : public FeaturesPart<ContainerPart<TypePart<ContainedPart<Skeleton<Interface>>>>> {
 public:
  using FeaturesPart<ContainerPart<TypePart<ContainedPart<Skeleton<Interface>>>>>::FeaturesPart;
  R::InterfaceDefSeq base_interfaces() override {
    return this->detail([&](const Details& details) {
      R::InterfaceDefSeq all;
      for (const Number number : details.bases())
        all.push_back(this->core_.template reference<R::InterfaceDef>(number));
      return all;
    });
  }
  void base_interfaces(const R::InterfaceDefSeq& bases) override {
    this->set_detail(
        [&](Details& details) { details.bases(numbers_from(this->core_, bases, is_interface)); });
  }
  R::InterfaceDef::FullInterfaceDescription describe_interface() override {
    return this->core_.read(
        [&](const Self& self) { return ifr::describe_interface(this->core_, self.definition); });
  }
  bool is_a(const std::string& id) override {
    return this->core_.read([&](const Self& self) { return ifr::is_a(this->core_, self.definition, id); });
  }
};

class ValueServant final
    : public FeaturesPart<ContainerPart<TypePart<ContainedPart<Skeleton<R::ValueDef>>>>> {
 public:
  using FeaturesPart::FeaturesPart;
  R::InterfaceDefSeq supported_interfaces() override {
    return detail([&](const Details& details) { return all<R::InterfaceDef>(details.supported()); });
  }
  void supported_interfaces(const R::InterfaceDefSeq& supported) override {
    set_detail([&](Details& details) { details.supported(numbers_from(core_, supported, is_interface)); });
  }
  R::InitializerSeq initializers() override {
    return core_.read([&](const Self& self) {
      TypeCodes types = core_.type_codes();
      return ifr::initializers(core_, types, self.definition);
    });
  }
  void initializers(const R::InitializerSeq& given) override {
    set_detail([&](Details& details) { details.initializers(initializers_from(core_, given)); });
  }
  Ref<R::ValueDef> base_value() override {
    return detail([&](const Details& details) { return core_.reference<R::ValueDef>(details.base()); });
  }
  void base_value(Ref<R::ValueDef> base) override {
    set_detail(
        [&](Details& details) { details.base(base ? core_.definition_of(base, is_value).number : 0); });
  }
  R::ValueDefSeq abstract_base_values() override {
    return detail([&](const Details& details) { return all<R::ValueDef>(details.bases()); });
  }
  void abstract_base_values(const R::ValueDefSeq& bases) override {
    set_detail([&](Details& details) { details.bases(numbers_from(core_, bases, is_value)); });
  }
  bool is_abstract() override {
    return detail([](const Details& details) { return details.is_abstract(); });
  }
  void is_abstract(bool is_so) override {
    set_detail([&](Details& details) { details.is_abstract(is_so); });
  }
  bool is_custom() override {
    return detail([](const Details& details) { return details.is_custom(); });
  }
  void is_custom(bool is_so) override {
    set_detail([&](Details& details) { details.is_custom(is_so); });
  }
  bool is_truncatable() override {
    return detail([](const Details& details) { return details.is_truncatable(); });
  }
  void is_truncatable(bool is_so) override {
    set_detail([&](Details& details) { details.is_truncatable(is_so); });
  }
  R::ValueDef::FullValueDescription describe_value() override {
    return core_.read([&](const Self& self) { return ifr::describe_value(core_, self.definition); });
  }
  bool is_a(const std::string& id) override {
    return core_.read([&](const Self& self) { return ifr::is_a(core_, self.definition, id); });
  }
  Ref<R::ValueMemberDef> create_value_member(const std::string& id, const std::string& name,
                                             const std::string& version, Ref<R::IDLType> type,
                                             std::int16_t access) override {
    if (access != 0 && access != 1) throw_bad_param(0, "a value's member is private (0) or public (1)");
    return core_.change([&](const Self& self) {
      Details details;
      details.type(core_.text_of(type));
      details.mode(access);
      return core_.reference<R::ValueMemberDef>(
          create(core_, self, Kind::dk_ValueMember, {id, name, version}, std::move(details)));
    });
  }

 private:
  static bool is_value(Kind kind) { return kind == Kind::dk_Value; }
  template <class T>
  std::vector<Ref<T>> all(const std::vector<Number>& numbers) {
    std::vector<Ref<T>> references;
    for (const Number number : numbers) references.push_back(core_.reference<T>(number));
    return references;
  }
};

// Types without a name are values, so their attributes cannot be set.
[[noreturn]] void refuse_change() {
  throw CORBA::NO_IMPLEMENT(0, CORBA::COMPLETED_NO,
                            "the repository's types without a name do not change; create another one");
}

template <class Base>
class UnnamedPart : public TypePart<Base> {
 public:
  using TypePart<Base>::TypePart;

 protected:
  // f(type), with the object's own type.
  template <class F>
  auto own(F&& f) {
    return this->core_.read([&](const Self& self) { return f(*parse_type(self.type)); });
  }
};

class PrimitiveServant final : public UnnamedPart<Skeleton<R::PrimitiveDef>> {
 public:
  using UnnamedPart::UnnamedPart;
  R::PrimitiveKind kind() override {
    return own([](const TypeText& type) { return static_cast<R::PrimitiveKind>(type.bound); });
  }
};

template <class Interface>
class BoundedServant final : public UnnamedPart<Skeleton<Interface>> {
 public:
  using UnnamedPart<Skeleton<Interface>>::UnnamedPart;
  std::uint32_t bound() override {
    return this->own([](const TypeText& type) { return type.bound; });
  }
  void bound(std::uint32_t) override { refuse_change(); }
};

class FixedServant final : public UnnamedPart<Skeleton<R::FixedDef>> {
 public:
  using UnnamedPart::UnnamedPart;
  std::uint16_t digits() override {
    return own([](const TypeText& type) { return static_cast<std::uint16_t>(type.bound); });
  }
  void digits(std::uint16_t) override { refuse_change(); }
  std::int16_t scale() override {
    return own([](const TypeText& type) { return type.scale; });
  }
  void scale(std::int16_t) override { refuse_change(); }
};

template <class Base>
class ElementPart : public UnnamedPart<Base> {
 public:
  using UnnamedPart<Base>::UnnamedPart;
  CORBA::typecode_reference element_type() override {
    return this->own([&](const TypeText& type) { return this->core_.type_codes().of(type.element); });
  }
  Ref<R::IDLType> element_type_def() override {
    return this->own([&](const TypeText& type) { return this->core_.type(type.element); });
  }
  void element_type_def(Ref<R::IDLType>) override { refuse_change(); }
};

class SequenceServant final : public ElementPart<Skeleton<R::SequenceDef>> {
 public:
  using ElementPart::ElementPart;
  std::uint32_t bound() override {
    return own([](const TypeText& type) { return type.bound; });
  }
  void bound(std::uint32_t) override { refuse_change(); }
};
class ArrayServant final : public ElementPart<Skeleton<R::ArrayDef>> {
 public:
  using ElementPart::ElementPart;
  std::uint32_t length() override {
    return own([](const TypeText& type) { return type.bound; });
  }
  void length(std::uint32_t) override { refuse_change(); }
};

class Locator final : public PortableServer::ServantLocator {
 public:
  explicit Locator(Core& core) : limits_(core.limits()) {
    add<RepositoryServant>(Kind::dk_Repository, core);
    add<ModuleServant>(Kind::dk_Module, core);
    add<ConstantServant>(Kind::dk_Constant, core);
    add<StructServant>(Kind::dk_Struct, core);
    add<UnionServant>(Kind::dk_Union, core);
    add<EnumServant>(Kind::dk_Enum, core);
    add<AliasServant>(Kind::dk_Alias, core);
    add<ValueBoxServant>(Kind::dk_ValueBox, core);
    add<NativeServant>(Kind::dk_Native, core);
    add<ExceptionServant>(Kind::dk_Exception, core);
    add<AttributeServant>(Kind::dk_Attribute, core);
    add<OperationServant>(Kind::dk_Operation, core);
    add<InterfaceServant<R::InterfaceDef>>(Kind::dk_Interface, core);
    add<InterfaceServant<R::AbstractInterfaceDef>>(Kind::dk_AbstractInterface, core);
    add<InterfaceServant<R::LocalInterfaceDef>>(Kind::dk_LocalInterface, core);
    add<ValueServant>(Kind::dk_Value, core);
    add<ValueMemberServant>(Kind::dk_ValueMember, core);
    add<PrimitiveServant>(Kind::dk_Primitive, core);
    add<BoundedServant<R::StringDef>>(Kind::dk_String, core);
    add<BoundedServant<R::WstringDef>>(Kind::dk_Wstring, core);
    add<FixedServant>(Kind::dk_Fixed, core);
    add<SequenceServant>(Kind::dk_Sequence, core);
    add<ArrayServant>(Kind::dk_Array, core);
  }

  Servant preinvoke(const PortableServer::ObjectId& id, Ref<PortableServer::POA>, const std::string&,
                    Cookie&) override {
    const auto name = object_name_of(id, limits_);
    const auto found = name ? servants_.find(name->kind) : servants_.end();
    if (found == servants_.end())
      throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the repository makes no such object keys");
    return found->second;
  }
  void postinvoke(const PortableServer::ObjectId&, Ref<PortableServer::POA>, const std::string&, Cookie,
                  Servant) override {}

 private:
  template <class T>
  void add(Kind kind, Core& core) {
    servants_.emplace(kind, CORBA::make_reference<T>(core));
  }

  const Limits limits_;
  std::map<Kind, Servant> servants_;
};

}  // namespace

Ref<PortableServer::ServantLocator> make_locator(Core& core) { return CORBA::make_reference<Locator>(core); }

}  // namespace takt::ifr
