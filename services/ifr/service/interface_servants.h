// The servants of interfaces and values.
#pragma once

#include <string>
#include <vector>

#include "ifr/service/container_part.h"
#include "ifr/service/parts.h"

namespace takt::ifr {

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
  R::InterfaceAttrExtension::ExtFullInterfaceDescription describe_ext_interface() override {
    return this->core_.read(
        [&](const Self& self) { return ifr::describe_ext_interface(this->core_, self.definition); });
  }
  bool is_a(const std::string& id) override {
    return this->core_.read([&](const Self& self) { return ifr::is_a(this->core_, self.definition, id); });
  }
};

class ValueServant final
    : public FeaturesPart<ContainerPart<TypePart<ContainedPart<Skeleton<R::ExtValueDef>>>>> {
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
      TypeCodes types = core_.shown_types();
      return ifr::initializers(core_, types, self.definition);
    });
  }
  void initializers(const R::InitializerSeq& given) override {
    set_detail([&](Details& details) {
      details.initializers(initializers_from(core_, given));
      details.more.of_initializers().clear();
    });
  }
  R::ExtInitializerSeq ext_initializers() override {
    return core_.read([&](const Self& self) {
      TypeCodes types = core_.shown_types();
      return ifr::ext_initializers(core_, types, self.definition);
    });
  }
  void ext_initializers(const R::ExtInitializerSeq& given) override {
    set_detail([&](Details& details) { set_initializers(core_, details, given); });
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
  R::ExtValueDef::ExtFullValueDescription describe_ext_value() override {
    return core_.read([&](const Self& self) { return ifr::describe_ext_value(core_, self.definition); });
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

}  // namespace takt::ifr
