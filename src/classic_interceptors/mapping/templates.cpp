// Factories and templates of an adapter's references.
#include "classic_interceptors/mapping/templates.h"

#include "classic_interceptors/mapping/asking.h"
#include "classic_interceptors/mapping/for_runtime.h"

namespace PortableInterceptor {
inline namespace takt_classic_ {

namespace bridge = takt::classic::interceptors;
using takt::classic::asked;

const char* const ObjectReferenceFactory::_PD_repoId =
    "IDL:omg.org/PortableInterceptor/ObjectReferenceFactory:1.0";
const char* const ObjectReferenceTemplate::_PD_repoId =
    "IDL:omg.org/PortableInterceptor/ObjectReferenceTemplate:1.0";

const takt::classic::ValueType& ObjectReferenceFactory::_takt_value_type() const {
  static const char* const ids[] = {_PD_repoId};
  static const takt::classic::ValueType type(ids, 1);
  return type;
}
void ObjectReferenceFactory::_takt_write_state(takt::classic::Writer&) const {
  takt::classic::raise_system("IDL:omg.org/CORBA/MARSHAL:1.0", 0x4f4d0004, CORBA::COMPLETED_NO,
                              "a factory of references cannot be sent");
}
void ObjectReferenceFactory::_takt_read_state(takt::classic::Reader& in) { takt::classic::refuse_value(in); }

namespace {

// A factory or template of the runtime's.
class OwnTemplate final : public virtual ObjectReferenceTemplate,
                          public virtual CORBA::DefaultValueRefCountBase {
 public:
  explicit OwnTemplate(bridge::TemplateHandle* handle) : handle_(handle) {}
  ~OwnTemplate() override { bridge::free(handle_); }
  bridge::TemplateHandle& handle() const { return *handle_; }

  CORBA::Object_ptr make_object(const char* repository_id, const ObjectId& id) override {
    return bridge::asking_runtime([&] {
      return takt::classic::make_object(bridge::make_object(*handle_, repository_id, bridge::octets_of(id)));
    });
  }
  char* server_id() override {
    return bridge::asking_runtime([&] { return CORBA::string_dup(bridge::server_id(*handle_).c_str()); });
  }
  char* orb_id() override {
    return bridge::asking_runtime([&] { return CORBA::string_dup(bridge::orb_id(*handle_).c_str()); });
  }
  AdapterName* adapter_name() override {
    return bridge::asking_runtime([&] { return bridge::taken(bridge::adapter_name(*handle_)); });
  }

 private:
  bridge::TemplateHandle* const handle_;
};

// A factory of the application's.
class OwnFactory final : public bridge::ReferenceFactory {
 public:
  explicit OwnFactory(ObjectReferenceFactory* factory)
      : factory_(ObjectReferenceFactory::_duplicate(factory)) {}
  ObjectReferenceFactory* factory() const { return factory_.in(); }
  takt::classic::Reference* make_object(const std::string& repository_id, const bridge::Octets& id) override {
    const CORBA::OctetSeq_var octets = bridge::taken(id);
    return for_runtime([&] {
      const CORBA::Object_var object = factory_->make_object(repository_id.c_str(), octets.in());
      return takt::classic::lasting_reference(object.in());
    });
  }

 private:
  const ObjectReferenceFactory_var factory_;
};

}  // namespace

ObjectReferenceTemplate* template_of(bridge::TemplateHandle* handle) { return new OwnTemplate(handle); }

ObjectReferenceTemplate* IORInfo::adapter_template() {
  return bridge::asking_runtime([&] { return template_of(bridge::adapter_template(asked(*this))); });
}
ObjectReferenceFactory* IORInfo::current_factory() {
  return bridge::asking_runtime([&]() -> ObjectReferenceFactory* {
    const bridge::CurrentFactory current = bridge::current_factory(asked(*this));
    if (!current.applications) return template_of(current.other);
    return ObjectReferenceFactory::_duplicate(static_cast<OwnFactory*>(current.applications)->factory());
  });
}
void IORInfo::current_factory(ObjectReferenceFactory* factory) {
  bridge::asking_runtime([&] {
    if (OwnTemplate* const own = dynamic_cast<OwnTemplate*>(factory))
      return bridge::set_current_factory(asked(*this), own->handle());
    bridge::set_current_factory(
        asked(*this), factory ? std::unique_ptr<bridge::ReferenceFactory>(new OwnFactory(factory)) : nullptr);
  });
}

}  // namespace takt_classic_
}  // namespace PortableInterceptor
