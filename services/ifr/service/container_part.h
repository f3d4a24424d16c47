// The operations of Container.
#pragma once

#include <string>

#include "ifr/service/parts.h"

namespace takt::ifr {

template <class Base>
class ContainerPart : public Base {
 public:
  using Base::Base;

  Ref<R::Contained> lookup(const std::string& name) override {
    return this->core_.read(
        [&](const Self& self) { return reference_of(ifr::lookup(this->core_, self, name)); });
  }
  R::ContainedSeq contents(Kind limit_type, bool exclude_inherited) override {
    return this->core_.read([&](const Self& self) {
      return references_of(ifr::contents(this->core_, self, limit_type, exclude_inherited));
    });
  }
  R::ContainedSeq lookup_name(const std::string& name, std::int32_t levels, Kind limit_type,
                              bool exclude_inherited) override {
    return this->core_.read([&](const Self& self) {
      return references_of(ifr::lookup_name(this->core_, self, name, levels, limit_type, exclude_inherited));
    });
  }
  R::Container::DescriptionSeq describe_contents(Kind limit_type, bool exclude_inherited,
                                                 std::int32_t most) override {
    return this->core_.read([&](const Self& self) {
      TypeCodes types = this->core_.shown_types();
      R::Container::DescriptionSeq all;
      for (const Entry& entry : ifr::contents(this->core_, self, limit_type, exclude_inherited)) {
        if (most >= 0 && all.size() >= static_cast<std::size_t>(most)) break;
        all.emplace_back(this->core_.template reference<R::Contained>(entry), entry.kind,
                         ifr::describe(this->core_, types, this->core_.definition(entry.number)));
        types.count(all.back().value()._content().octets.size());
      }
      return all;
    });
  }

  Ref<R::ModuleDef> create_module(const std::string& id, const std::string& name,
                                  const std::string& version) override {
    return made<R::ModuleDef>(Kind::dk_Module, {id, name, version}, [](Details&) {});
  }
  Ref<R::ConstantDef> create_constant(const std::string& id, const std::string& name,
                                      const std::string& version, Ref<R::IDLType> type,
                                      const CORBA::Any& value) override {
    return made<R::ConstantDef>(Kind::dk_Constant, {id, name, version}, [&](Details& details) {
      details.type(this->core_.text_of(type));
      details.value(constant_from(this->core_, value));
    });
  }
  Ref<R::StructDef> create_struct(const std::string& id, const std::string& name, const std::string& version,
                                  const R::StructMemberSeq& members) override {
    return made<R::StructDef>(Kind::dk_Struct, {id, name, version},
                              [&](Details& details) { details.members(members_from(this->core_, members)); });
  }
  Ref<R::UnionDef> create_union(const std::string& id, const std::string& name, const std::string& version,
                                Ref<R::IDLType> discriminator, const R::UnionMemberSeq& members) override {
    return made<R::UnionDef>(Kind::dk_Union, {id, name, version}, [&](Details& details) {
      details.type(this->core_.text_of(discriminator));
      details.members(members_from(this->core_, members, details.type()));
    });
  }
  Ref<R::EnumDef> create_enum(const std::string& id, const std::string& name, const std::string& version,
                              const R::EnumMemberSeq& members) override {
    return made<R::EnumDef>(Kind::dk_Enum, {id, name, version},
                            [&](Details& details) { details.members(members_from(this->core_, members)); });
  }
  Ref<R::AliasDef> create_alias(const std::string& id, const std::string& name, const std::string& version,
                                Ref<R::IDLType> original) override {
    return made<R::AliasDef>(Kind::dk_Alias, {id, name, version},
                             [&](Details& details) { details.type(this->core_.text_of(original)); });
  }
  Ref<R::InterfaceDef> create_interface(const std::string& id, const std::string& name,
                                        const std::string& version,
                                        const R::InterfaceDefSeq& bases) override {
    return made<R::InterfaceDef>(Kind::dk_Interface, {id, name, version}, [&](Details& details) {
      details.bases(numbers_from(this->core_, bases, is_interface));
    });
  }
  Ref<R::ValueDef> create_value(const std::string& id, const std::string& name, const std::string& version,
                                bool is_custom, bool is_abstract, Ref<R::ValueDef> base, bool is_truncatable,
                                const R::ValueDefSeq& abstract_bases, const R::InterfaceDefSeq& supported,
                                const R::InitializerSeq& initializers) override {
    return made<R::ValueDef>(Kind::dk_Value, {id, name, version}, [&](Details& details) {
      set_value(details, {is_custom, is_abstract, is_truncatable}, base, abstract_bases, supported);
      details.initializers(initializers_from(this->core_, initializers));
    });
  }
  Ref<R::ExtValueDef> create_ext_value(const std::string& id, const std::string& name,
                                       const std::string& version, bool is_custom, bool is_abstract,
                                       Ref<R::ValueDef> base, bool is_truncatable,
                                       const R::ValueDefSeq& abstract_bases,
                                       const R::InterfaceDefSeq& supported,
                                       const R::ExtInitializerSeq& initializers) override {
    return made<R::ExtValueDef>(Kind::dk_Value, {id, name, version}, [&](Details& details) {
      set_value(details, {is_custom, is_abstract, is_truncatable}, base, abstract_bases, supported);
      set_initializers(this->core_, details, initializers);
    });
  }
  Ref<R::ValueBoxDef> create_value_box(const std::string& id, const std::string& name,
                                       const std::string& version, Ref<R::IDLType> original) override {
    return made<R::ValueBoxDef>(Kind::dk_ValueBox, {id, name, version},
                                [&](Details& details) { details.type(this->core_.text_of(original)); });
  }
  Ref<R::ExceptionDef> create_exception(const std::string& id, const std::string& name,
                                        const std::string& version,
                                        const R::StructMemberSeq& members) override {
    return made<R::ExceptionDef>(Kind::dk_Exception, {id, name, version}, [&](Details& details) {
      details.members(members_from(this->core_, members));
    });
  }
  Ref<R::NativeDef> create_native(const std::string& id, const std::string& name,
                                  const std::string& version) override {
    return made<R::NativeDef>(Kind::dk_Native, {id, name, version}, [](Details&) {});
  }
  Ref<R::AbstractInterfaceDef> create_abstract_interface(const std::string& id, const std::string& name,
                                                         const std::string& version,
                                                         const R::AbstractInterfaceDefSeq& bases) override {
    return made<R::AbstractInterfaceDef>(
        Kind::dk_AbstractInterface, {id, name, version},
        [&](Details& details) { details.bases(numbers_from(this->core_, bases, is_interface)); });
  }
  Ref<R::LocalInterfaceDef> create_local_interface(const std::string& id, const std::string& name,
                                                   const std::string& version,
                                                   const R::InterfaceDefSeq& bases) override {
    return made<R::LocalInterfaceDef>(Kind::dk_LocalInterface, {id, name, version}, [&](Details& details) {
      details.bases(numbers_from(this->core_, bases, is_interface));
    });
  }

 private:
  Ref<R::Contained> reference_of(const std::optional<Entry>& entry) {
    return entry ? this->core_.template reference<R::Contained>(*entry) : Ref<R::Contained>();
  }
  R::ContainedSeq references_of(const std::vector<Entry>& entries) {
    R::ContainedSeq all;
    for (const Entry& entry : entries) all.push_back(this->core_.template reference<R::Contained>(entry));
    return all;
  }
  struct ValueModifiers {
    bool is_custom, is_abstract, is_truncatable;
  };
  void set_value(Details& details, ValueModifiers is, const Ref<R::ValueDef>& base,
                 const R::ValueDefSeq& abstract_bases, const R::InterfaceDefSeq& supported) {
    const auto is_value = [](Kind kind) { return kind == Kind::dk_Value; };
    details.is_custom(is.is_custom);
    details.is_abstract(is.is_abstract);
    details.is_truncatable(is.is_truncatable);
    if (base) details.base(this->core_.definition_of(base, is_value).number);
    details.bases(numbers_from(this->core_, abstract_bases, is_value));
    details.supported(numbers_from(this->core_, supported, is_interface));
  }
  // Creates a definition; fill(details) makes its details.
  template <class T, class Fill>
  Ref<T> made(Kind kind, const Head& head, Fill&& fill) {
    return this->core_.change([&](const Self& self) {
      Details details;
      fill(details);
      return this->core_.template reference<T>(create(this->core_, self, kind, head, std::move(details)));
    });
  }
};

}  // namespace takt::ifr
