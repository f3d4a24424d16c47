// Factories and templates of an adapter's references.
#include <utility>

#include "classic/bridge/memory.h"
#include "classic_interceptors/bridge/runtime_access.h"

namespace takt::classic::interceptors {

namespace {

namespace PI = PortableInterceptor;
using AnyFactory = CORBA::valuetype_reference<PI::ObjectReferenceFactory>;

// A factory of the application's.
class ReferenceFactoryHost final : public PI::ObjectReferenceFactory {
 public:
  explicit ReferenceFactoryHost(std::unique_ptr<ReferenceFactory> held) : own(std::move(held)) {}
  CORBA::object_reference<CORBA::Object> make_object(const std::string& repository_id,
                                                     const PortableServer::ObjectId& id) override {
    Reference* const made = own->make_object(repository_id, Octets(id.begin(), id.end()));
    auto object = object_of(made);
    release(made);
    return object;
  }
  void _write_state(cdr::Encoder& encoder) const override { encoder.fail(cdr::Error::local_object); }
  bool _read_state(cdr::Decoder&) override { return false; }

  const std::unique_ptr<ReferenceFactory> own;
};

PI::ObjectReferenceTemplate& template_of(TemplateHandle& handle) {
  if (auto* const found = dynamic_cast<PI::ObjectReferenceTemplate*>(handle.factory.get())) return *found;
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "the factory of references is not a template");
}

}  // namespace

TemplateHandle* adapter_template(Reference& info) {
  return asking([&] { return new TemplateHandle{as<PI::IORInfo>(info).adapter_template()}; });
}
CurrentFactory current_factory(Reference& info) {
  return asking([&]() -> CurrentFactory {
    const AnyFactory factory = as<PI::IORInfo>(info).current_factory();
    if (auto* const host = dynamic_cast<ReferenceFactoryHost*>(factory.get()))
      return {host->own.get(), nullptr};
    return {nullptr, new TemplateHandle{factory}};
  });
}
void set_current_factory(Reference& info, std::unique_ptr<ReferenceFactory> factory) {
  asking([&] {
    as<PI::IORInfo>(info).current_factory(
        factory ? AnyFactory(std::make_shared<ReferenceFactoryHost>(std::move(factory))) : AnyFactory());
  });
}
void set_current_factory(Reference& info, TemplateHandle& factory) {
  asking([&] { as<PI::IORInfo>(info).current_factory(factory.factory); });
}
void free(TemplateHandle* factory) { delete factory; }
Reference* make_object(TemplateHandle& factory, const char* repository_id, const Octets& id) {
  return asking([&] {
    return refer(factory.factory->make_object(repository_id ? repository_id : "",
                                              PortableServer::ObjectId(id.begin(), id.end())));
  });
}
std::string server_id(TemplateHandle& of) {
  return asking([&] { return template_of(of).server_id(); });
}
std::string orb_id(TemplateHandle& of) {
  return asking([&] { return template_of(of).orb_id(); });
}
Names adapter_name(TemplateHandle& of) {
  return asking([&] { return template_of(of).adapter_name(); });
}

}  // namespace takt::classic::interceptors
