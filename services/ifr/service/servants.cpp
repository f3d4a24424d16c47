#include "ifr/service/servants.h"

#include <map>

#include "ifr/service/container_part.h"
#include "ifr/service/interface_servants.h"
#include "ifr/service/parts.h"
#include "ifr/service/unnamed_servants.h"

namespace takt::ifr {
namespace {

using Servant = CORBA::servant_reference<PortableServer::Servant>;

// `value` of the type with the members of the details: struct and exceptions.
template <class Base>
class MembersPart : public Base {
 public:
  using Base::Base;
  R::StructMemberSeq members() override {
    return this->core_.read([&](const Self& self) {
      TypeCodes types = this->core_.shown_types();
      return struct_members(this->core_, types, self.definition);
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
    return core_.read([&](const Self&) { return core_.primitive(kind); });
  }
  Ref<R::StringDef> create_string(std::uint32_t bound) override {
    require_bound(bound);
    return made<R::StringDef>([&] { return string_text(bound, false); });
  }
  Ref<R::WstringDef> create_wstring(std::uint32_t bound) override {
    require_bound(bound);
    return made<R::WstringDef>([&] { return string_text(bound, true); });
  }
  Ref<R::SequenceDef> create_sequence(std::uint32_t bound, Ref<R::IDLType> element) override {
    return made<R::SequenceDef>([&] { return sequence_text(bound, core_.text_of(element)); });
  }
  Ref<R::ArrayDef> create_array(std::uint32_t length, Ref<R::IDLType> element) override {
    require_length(length);
    return made<R::ArrayDef>([&] { return array_text(length, core_.text_of(element)); });
  }
  Ref<R::FixedDef> create_fixed(std::uint16_t digits, std::int16_t scale) override {
    return made<R::FixedDef>([&] { return required_fixed(digits, scale); });
  }

 private:
  // A new type without a name; make_text() runs in the transaction.
  template <class T, class MakeText>
  Ref<T> made(MakeText&& make_text) {
    return core_.change([&](const Self&) { return core_.unnamed<T>(create_unnamed(core_, make_text())); });
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
    return core_.read([&](const Self& self) { return core_.type(self.definition); });
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
    return core_.read([&](const Self& self) { return core_.type(self.definition); });
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
      TypeCodes types = core_.shown_types();
      return union_members(core_, types, self.definition);
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

class AttributeServant final : public TypeDefPart<TypePart<ContainedPart<Skeleton<R::ExtAttributeDef>>>> {
 public:
  using TypeDefPart::TypeDefPart;
  R::AttributeMode mode() override {
    return detail([](const Details& details) { return static_cast<R::AttributeMode>(details.mode() != 0); });
  }
  void mode(R::AttributeMode mode) override {
    set_detail([&](Details& details) { details.mode(static_cast<std::int16_t>(mode)); });
  }
  R::ExcDescriptionSeq get_exceptions() override {
    return described([](const Details& details) -> const auto& { return details.raised(); });
  }
  void get_exceptions(const R::ExcDescriptionSeq& given) override {
    set_detail([&](Details& details) { details.raised(exceptions_from(core_, given)); });
  }
  R::ExcDescriptionSeq set_exceptions() override {
    return described([](const Details& details) -> const auto& { return details.more.on_set(); });
  }
  void set_exceptions(const R::ExcDescriptionSeq& given) override {
    set_detail([&](Details& details) { details.more.on_set(exceptions_from(core_, given)); });
  }
  R::ExtAttributeDescription describe_attribute() override {
    return core_.read([&](const Self& self) { return describe_ext_attribute(core_, self.definition); });
  }

 private:
  template <class Which>
  R::ExcDescriptionSeq described(Which which) {
    return core_.read([&](const Self& self) {
      TypeCodes types = core_.shown_types();
      return exceptions(core_, types, which(self.definition.details));
    });
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
    return core_.read([&](const Self& self) { return core_.type(self.definition); });
  }
  void result_def(Ref<R::IDLType> type) override {
    set_detail([&](Details& details) { details.type(core_.text_of(type)); });
  }
  R::ParDescriptionSeq params() override {
    return core_.read([&](const Self& self) {
      TypeCodes types = core_.shown_types();
      return parameters(core_, types, self.definition);
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

class Locator final : public PortableServer::ServantLocator {
 public:
  explicit Locator(Core& core) {
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
    add<InterfaceServant<R::ExtInterfaceDef>>(Kind::dk_Interface, core);
    add<InterfaceServant<R::ExtAbstractInterfaceDef>>(Kind::dk_AbstractInterface, core);
    add<InterfaceServant<R::ExtLocalInterfaceDef>>(Kind::dk_LocalInterface, core);
    add<ValueServant>(Kind::dk_Value, core);
    add<ValueMemberServant>(Kind::dk_ValueMember, core);
    add<PrimitiveServant>(Kind::dk_Primitive, core);
    add<BoundedServant<R::StringDef, false>>(Kind::dk_String, core);
    add<BoundedServant<R::WstringDef, true>>(Kind::dk_Wstring, core);
    add<FixedServant>(Kind::dk_Fixed, core);
    add<SequenceServant>(Kind::dk_Sequence, core);
    add<ArrayServant>(Kind::dk_Array, core);
  }

  Servant preinvoke(const PortableServer::ObjectId& id, Ref<PortableServer::POA>, const std::string&,
                    Cookie&) override {
    const auto name = object_name_of(id);
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

  std::map<Kind, Servant> servants_;
};

}  // namespace

Ref<PortableServer::ServantLocator> make_locator(Core& core) { return CORBA::make_reference<Locator>(core); }

}  // namespace takt::ifr
