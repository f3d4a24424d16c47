// Initializers, and the interceptors and policy factories that they add.
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include "classic_interceptors/mapping/asking.h"
#include "classic_interceptors/mapping/for_runtime.h"
#include "classic_interceptors/mapping/templates.h"

namespace PortableInterceptor {
inline namespace takt_classic_ {

namespace bridge = takt::classic::interceptors;
using takt::classic::asked;

TAKT_CLASSIC_DEFINE_EXCEPTION(ORBInitInfo::, DuplicateName,
                              "IDL:omg.org/PortableInterceptor/ORBInitInfo/DuplicateName:1.0")
TAKT_CLASSIC_DEFINE_EXCEPTION(ORBInitInfo::, InvalidName,
                              "IDL:omg.org/PortableInterceptor/ORBInitInfo/InvalidName:1.0")
TAKT_CLASSIC_DEFINE_OWN(PortableInterceptor, ORBInitInfo, ::CORBA::Object, init_info)
TAKT_CLASSIC_DEFINE_OWN(PortableInterceptor, ORBInitInfo_3_1, ORBInitInfo, init_info)

#define TAKT_CLASSIC_DEFINE(NAME, BASE)                                                        \
  const char* const NAME::_PD_repoId = "IDL:omg.org/PortableInterceptor/" #NAME ":1.0";        \
  bool NAME::_takt_has_type(const char* repository_id) const {                                 \
    return std::strcmp(repository_id, _PD_repoId) == 0 || BASE::_takt_has_type(repository_id); \
  }
TAKT_CLASSIC_DEFINE(Interceptor, LocalObject)
TAKT_CLASSIC_DEFINE(ClientRequestInterceptor, Interceptor)
TAKT_CLASSIC_DEFINE(ServerRequestInterceptor, Interceptor)
TAKT_CLASSIC_DEFINE(IORInterceptor, Interceptor)
TAKT_CLASSIC_DEFINE(IORInterceptor_3_0, IORInterceptor)
TAKT_CLASSIC_DEFINE(PolicyFactory, LocalObject)
TAKT_CLASSIC_DEFINE(ORBInitializer, LocalObject)
#undef TAKT_CLASSIC_DEFINE

namespace {

template <class Of, class Info>
class OwnPoints final : public bridge::Points {
 public:
  using Function = void (Of::*)(Info*);
  OwnPoints(Of* interceptor, std::initializer_list<Function> functions)
      : interceptor_(Of::_duplicate(interceptor)), functions_(functions) {}

  std::string name() override {
    return for_runtime([&] {
      const CORBA::String_var name = interceptor_->name();
      return std::string(name.in() ? name.in() : "");
    });
  }
  void destroy() override {
    for_runtime([&] { interceptor_->destroy(); });
  }
  void run(int point, takt::classic::Reference* info) override {
    const takt::classic::ObjectVar<Info> proxy(takt::classic::Proxies<Info>::make(info));
    for_runtime([&] { (interceptor_.in()->*functions_[static_cast<std::size_t>(point)])(proxy.in()); });
  }

 private:
  const takt::classic::ObjectVar<Of> interceptor_;
  const std::vector<Function> functions_;
};

std::unique_ptr<bridge::Points> points_of(ClientRequestInterceptor* interceptor) {
  using I = ClientRequestInterceptor;
  if (!interceptor) return nullptr;
  return std::make_unique<OwnPoints<I, ClientRequestInfo>>(
      interceptor,
      std::initializer_list<void (I::*)(ClientRequestInfo*)>{
          &I::send_request, &I::send_poll, &I::receive_reply, &I::receive_exception, &I::receive_other});
}
std::unique_ptr<bridge::Points> points_of(ServerRequestInterceptor* interceptor) {
  using I = ServerRequestInterceptor;
  if (!interceptor) return nullptr;
  return std::make_unique<OwnPoints<I, ServerRequestInfo>>(
      interceptor, std::initializer_list<void (I::*)(ServerRequestInfo*)>{
                       &I::receive_request_service_contexts, &I::receive_request, &I::send_reply,
                       &I::send_exception, &I::send_other});
}
class OwnReferencePoints final : public bridge::ReferencePoints {
 public:
  explicit OwnReferencePoints(IORInterceptor_3_0* interceptor)
      : points_(interceptor, {&IORInterceptor::establish_components}),
        newer_points_(interceptor, {&IORInterceptor_3_0::components_established}),
        interceptor_(IORInterceptor_3_0::_duplicate(interceptor)) {}
  std::string name() override { return points_.name(); }
  void destroy() override { points_.destroy(); }
  void run(int point, takt::classic::Reference* info) override {
    point == 0 ? points_.run(0, info) : newer_points_.run(0, info);
  }
  void manager_changed(std::int32_t id, std::int16_t state) override {
    for_runtime([&] { interceptor_->adapter_manager_state_changed(id, state); });
  }
  void adapter_changed(const std::vector<bridge::TemplateHandle*>& templates, std::int16_t state) override {
    const CORBA::ULong count = static_cast<CORBA::ULong>(templates.size());
    ObjectReferenceTemplateSeq list(count);
    list.length(count);
    for (CORBA::ULong i = 0; i < count; ++i) list[i] = template_of(templates[i]);
    for_runtime([&] { interceptor_->adapter_state_changed(list, state); });
  }

 private:
  OwnPoints<IORInterceptor, IORInfo> points_;
  OwnPoints<IORInterceptor_3_0, IORInfo> newer_points_;
  const IORInterceptor_3_0_var interceptor_;
};
std::unique_ptr<bridge::Points> points_of(IORInterceptor* interceptor) {
  using I = IORInterceptor;
  if (!interceptor) return nullptr;
  if (IORInterceptor_3_0* const newer = dynamic_cast<IORInterceptor_3_0*>(interceptor))
    return std::make_unique<OwnReferencePoints>(newer);
  return std::make_unique<OwnPoints<I, IORInfo>>(
      interceptor, std::initializer_list<void (I::*)(IORInfo*)>{&I::establish_components});
}

class OwnInitializer final : public bridge::Initializer {
 public:
  explicit OwnInitializer(ORBInitializer* initializer)
      : initializer_(ORBInitializer::_duplicate(initializer)) {}
  void run(bool pre, takt::classic::Reference* info) override {
    const ORBInitInfo_var proxy(takt::classic::Proxies<ORBInitInfo_3_1>::make(info));
    for_runtime([&] { pre ? initializer_->pre_init(proxy.in()) : initializer_->post_init(proxy.in()); });
  }

 private:
  const ORBInitializer_var initializer_;
};

class OwnFactory final : public bridge::Factory {
 public:
  explicit OwnFactory(PolicyFactory* factory) : factory_(PolicyFactory::_duplicate(factory)) {}
  Made create_policy(std::uint32_t type, takt::classic::AnyHandle* value) override {
    CORBA::Any any;
    any._takt_replace(value);
    return for_runtime([&]() -> Made {
      const CORBA::Policy_var policy = factory_->create_policy(type, any);
      const bool applications = dynamic_cast<CORBA::LocalObject*>(policy.in()) != nullptr;
      return {takt::classic::lasting_reference(policy.in()), applications,
              applications ? policy->policy_type() : type};
    });
  }

 private:
  const PolicyFactory_var factory_;
};

std::vector<takt::classic::Reference*> borrowed(const CORBA::PolicyList& policies) {
  std::vector<takt::classic::Reference*> list;
  for (CORBA::ULong i = 0; i < policies.length(); ++i)
    list.push_back(policies[i] ? policies[i]->_takt_reference() : nullptr);
  return list;
}

}  // namespace

void register_orb_initializer(ORBInitializer_ptr initializer) {
  if (!initializer)
    takt::classic::raise_system("IDL:omg.org/CORBA/INV_OBJREF:1.0", 0, CORBA::COMPLETED_NO,
                                "a nil initializer");
  bridge::register_initializer(std::make_unique<OwnInitializer>(initializer));
}

CORBA::StringSeq* ORBInitInfo::arguments() { return bridge::taken(bridge::arguments(asked(*this))); }
char* ORBInitInfo::orb_id() { return CORBA::string_dup(bridge::orb_of_init(asked(*this)).c_str()); }
IOP::CodecFactory_ptr ORBInitInfo::codec_factory() {
  return takt::classic::Proxies<IOP::CodecFactory>::make(bridge::codec_factory(asked(*this)));
}
void ORBInitInfo::register_initial_reference(const char* id, CORBA::Object_ptr object) {
  const takt::classic::OwnReference lasting(takt::classic::lasting_reference(object));
  bridge::asking_runtime([&] { bridge::register_reference(asked(*this), id, lasting.get()); });
}
CORBA::Object_ptr ORBInitInfo::resolve_initial_references(const char* id) {
  return bridge::asking_runtime(
      [&] { return takt::classic::make_object(bridge::resolve(asked(*this), id)); });
}
void ORBInitInfo::add_client_request_interceptor(ClientRequestInterceptor_ptr interceptor) {
  bridge::asking_runtime([&] { bridge::add(asked(*this), bridge::On::client, points_of(interceptor), {}); });
}
void ORBInitInfo::add_server_request_interceptor(ServerRequestInterceptor_ptr interceptor) {
  bridge::asking_runtime([&] { bridge::add(asked(*this), bridge::On::server, points_of(interceptor), {}); });
}
void ORBInitInfo::add_ior_interceptor(IORInterceptor_ptr interceptor) {
  bridge::asking_runtime(
      [&] { bridge::add(asked(*this), bridge::On::references, points_of(interceptor), {}); });
}
SlotId ORBInitInfo::allocate_slot_id() { return bridge::allocate_slot(asked(*this)); }
void ORBInitInfo::register_policy_factory(CORBA::PolicyType type, PolicyFactory_ptr factory) {
  bridge::add_factory(asked(*this), type, factory ? std::make_unique<OwnFactory>(factory) : nullptr);
}
void ORBInitInfo_3_1::add_client_request_interceptor_with_policy(ClientRequestInterceptor_ptr interceptor,
                                                                 const CORBA::PolicyList& policies) {
  bridge::asking_runtime(
      [&] { bridge::add(asked(*this), bridge::On::client, points_of(interceptor), borrowed(policies)); });
}
void ORBInitInfo_3_1::add_server_request_interceptor_with_policy(ServerRequestInterceptor_ptr interceptor,
                                                                 const CORBA::PolicyList& policies) {
  bridge::asking_runtime(
      [&] { bridge::add(asked(*this), bridge::On::server, points_of(interceptor), borrowed(policies)); });
}
void ORBInitInfo_3_1::add_ior_interceptor_with_policy(IORInterceptor_ptr interceptor,
                                                      const CORBA::PolicyList& policies) {
  bridge::asking_runtime(
      [&] { bridge::add(asked(*this), bridge::On::references, points_of(interceptor), borrowed(policies)); });
}

}  // namespace takt_classic_
}  // namespace PortableInterceptor
