// The operations of the abstract interfaces of a repository. Each class template adds those of one interface
// to a skeleton; the servants of servants.h put them together.
#pragma once

#include <string>

#include "Takt_ReflectionS.h"
#include "ifr/model/type_text.h"
#include "ifr/service/changes.h"
#include "ifr/service/core.h"
#include "ifr/service/descriptions.h"
#include "ifr/service/search.h"

namespace takt::ifr {

// IRObject, of all.
template <class Base>
class ObjectPart : public Base {
 public:
  explicit ObjectPart(Core& core) : core_(core) {}

  Kind def_kind() override {
    return core_.read([](const Self& self) { return self.kind; });
  }
  void destroy() override {
    core_.change([&](const Self& self) { ifr::destroy(core_, self); });
  }
  bool _non_existent() override { return !core_.exists(); }

 protected:
  // An attribute's value from the details.
  template <class F>
  auto detail(F&& f) {
    return core_.read([&](const Self& self) { return f(self.definition.details); });
  }
  // Sets an attribute: f(details).
  template <class F>
  void set_detail(F&& f) {
    core_.change([&](const Self& self) {
      Details details = self.definition.details;
      f(details);
      set_details(core_, self, std::move(details));
    });
  }

  Core& core_;
};

template <class Interface>
using Skeleton = ObjectPart<typename CORBA::servant_traits<Interface>::base_type>;

// IDLType, and the attribute `type` of other interfaces.
template <class Base>
class TypePart : public Base {
 public:
  using Base::Base;
  CORBA::typecode_reference type() override {
    return this->core_.read([&](const Self& self) { return type_of(this->core_, self); });
  }
};

// The attribute `type_def`, which other interfaces have under other names, too.
template <class Base>
class TypeDefPart : public Base {
 public:
  using Base::Base;
  Ref<R::IDLType> type_def() override {
    return this->core_.read([&](const Self& self) { return this->core_.type(self.definition); });
  }
  void type_def(Ref<R::IDLType> type) override {
    this->set_detail([&](Details& details) { details.type(this->core_.text_of(type)); });
  }
};
template <class Base>
class OriginalTypePart : public Base {
 public:
  using Base::Base;
  Ref<R::IDLType> original_type_def() override {
    return this->core_.read([&](const Self& self) { return this->core_.type(self.definition); });
  }
  void original_type_def(Ref<R::IDLType> type) override {
    this->set_detail([&](Details& details) { details.type(this->core_.text_of(type)); });
  }
};

template <class Base>
class ContainedPart : public Base {
 public:
  using Base::Base;
  std::string id() override {
    return this->core_.read([](const Self& self) { return self.definition.id; });
  }
  void id(const std::string& id) override {
    this->core_.change([&](const Self& self) { set_id(this->core_, self, id); });
  }
  std::string name() override {
    return this->core_.read([](const Self& self) { return self.definition.name; });
  }
  void name(const std::string& name) override {
    this->core_.change([&](const Self& self) { set_name(this->core_, self, name); });
  }
  std::string version() override {
    return this->core_.read([](const Self& self) { return self.definition.version; });
  }
  void version(const std::string& version) override {
    this->core_.change([&](const Self& self) { set_version(this->core_, self, version); });
  }
  Ref<R::Container> defined_in() override {
    return this->core_.read(
        [&](const Self& self) { return this->core_.container(self.definition.container); });
  }
  std::string absolute_name() override {
    return this->core_.read(
        [&](const Self& self) { return ifr::absolute_name(this->core_, self.definition); });
  }
  Ref<R::Repository> containing_repository() override {
    return this->core_.read([&](const Self&) {
      return IDL::traits<R::Repository>::unchecked_narrow(this->core_.container(repository_number));
    });
  }
  R::Contained::Description describe() override {
    return this->core_.read([&](const Self& self) {
      TypeCodes types = this->core_.shown_types();
      return R::Contained::Description(self.kind, ifr::describe(this->core_, types, self.definition));
    });
  }
  void move(Ref<R::Container> container, const std::string& name, const std::string& version) override {
    this->core_.change([&](const Self& self) {
      const Self target = this->core_.object_of(container);
      if (!target.type.empty()) throw_bad_param(4, "a type without a name is no container");
      ifr::move(this->core_, self, target.definition, name, version);
    });
  }
};

// create_attribute, create_ext_attribute and create_operation, of interfaces and values.
template <class Base>
class FeaturesPart : public Base {
 public:
  using Base::Base;
  Ref<R::AttributeDef> create_attribute(const std::string& id, const std::string& name,
                                        const std::string& version, Ref<R::IDLType> type,
                                        R::AttributeMode mode) override {
    return attribute<R::AttributeDef>({id, name, version}, type, mode, {}, {});
  }
  Ref<R::ExtAttributeDef> create_ext_attribute(const std::string& id, const std::string& name,
                                               const std::string& version, Ref<R::IDLType> type,
                                               R::AttributeMode mode, const R::ExceptionDefSeq& on_get,
                                               const R::ExceptionDefSeq& on_set) override {
    return attribute<R::ExtAttributeDef>({id, name, version}, type, mode, on_get, on_set);
  }
  Ref<R::OperationDef> create_operation(const std::string& id, const std::string& name,
                                        const std::string& version, Ref<R::IDLType> result,
                                        R::OperationMode mode, const R::ParDescriptionSeq& params,
                                        const R::ExceptionDefSeq& exceptions,
                                        const R::ContextIdSeq& contexts) override {
    return this->core_.change([&](const Self& self) {
      Details details;
      details.type(this->core_.text_of(result));
      details.mode(static_cast<std::int16_t>(mode));
      details.members(members_from(this->core_, params));
      details.raised(numbers_from(this->core_, exceptions, is_exception));
      details.contexts(contexts_from(this->core_, contexts));
      return this->core_.template reference<R::OperationDef>(
          create(this->core_, self, Kind::dk_Operation, {id, name, version}, std::move(details)));
    });
  }

 private:
  static bool is_exception(Kind kind) { return kind == Kind::dk_Exception; }
  template <class T>
  Ref<T> attribute(const Head& head, const Ref<R::IDLType>& type, R::AttributeMode mode,
                   const R::ExceptionDefSeq& on_get, const R::ExceptionDefSeq& on_set) {
    return this->core_.change([&](const Self& self) {
      Details details;
      details.type(this->core_.text_of(type));
      details.mode(static_cast<std::int16_t>(mode));
      details.raised(numbers_from(this->core_, on_get, is_exception));
      details.more.on_set(numbers_from(this->core_, on_set, is_exception));
      return this->core_.template reference<T>(
          create(this->core_, self, Kind::dk_Attribute, head, std::move(details)));
    });
  }
};

}  // namespace takt::ifr
