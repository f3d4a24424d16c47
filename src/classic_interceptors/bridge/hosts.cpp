// Interceptors, initializers and policy factories of the application's, as those of the runtime.
#include <utility>

#include "classic/bridge/memory.h"
#include "classic_interceptors/bridge/runtime_access.h"

namespace takt::classic::interceptors {

namespace {

namespace PI = PortableInterceptor;

template <class Interface>
class Host : public Interface {
 public:
  explicit Host(std::unique_ptr<Points> points) : points_(std::move(points)) {}
  std::string name() override { return points_->name(); }
  void destroy() override { points_->destroy(); }

 protected:
  template <class Info>
  void run(int point, Info& info) {
    points_->run(point, new Reference(std::move(info)));
  }

 private:
  const std::unique_ptr<Points> points_;
};

class ClientHost final : public Host<PI::ClientRequestInterceptor> {
 public:
  using Host::Host;
  void send_request(Info info) override { run(0, info); }
  void send_poll(Info info) override { run(1, info); }
  void receive_reply(Info info) override { run(2, info); }
  void receive_exception(Info info) override { run(3, info); }
  void receive_other(Info info) override { run(4, info); }
};

class ServerHost final : public Host<PI::ServerRequestInterceptor> {
 public:
  using Host::Host;
  void receive_request_service_contexts(Info info) override { run(0, info); }
  void receive_request(Info info) override { run(1, info); }
  void send_reply(Info info) override { run(2, info); }
  void send_exception(Info info) override { run(3, info); }
  void send_other(Info info) override { run(4, info); }
};

class ReferencesHost final : public Host<PI::IORInterceptor> {
 public:
  using Host::Host;
  void establish_components(Info info) override { run(0, info); }
};

class NewReferencesHost final : public PI::IORInterceptor_3_0 {
 public:
  explicit NewReferencesHost(std::unique_ptr<ReferencePoints> points) : points_(std::move(points)) {}
  std::string name() override { return points_->name(); }
  void destroy() override { points_->destroy(); }
  void establish_components(Info info) override { points_->run(0, new Reference(std::move(info))); }
  void components_established(Info info) override { points_->run(1, new Reference(std::move(info))); }
  void adapter_manager_state_changed(PI::AdapterManagerId id, PI::AdapterState state) override {
    points_->manager_changed(id, state);
  }
  void adapter_state_changed(const PI::ObjectReferenceTemplateSeq& templates,
                             PI::AdapterState state) override {
    std::vector<TemplateHandle*> handles;
    for (const auto& one : templates) handles.push_back(new TemplateHandle{one});
    points_->adapter_changed(handles, state);
  }

 private:
  const std::unique_ptr<ReferencePoints> points_;
};

class InitializerHost final : public PI::ORBInitializer {
 public:
  explicit InitializerHost(std::unique_ptr<Initializer> initializer) : initializer_(std::move(initializer)) {}
  void pre_init(CORBA::object_reference<PI::ORBInitInfo> info) override {
    initializer_->run(true, new Reference(std::move(info)));
  }
  void post_init(CORBA::object_reference<PI::ORBInitInfo> info) override {
    initializer_->run(false, new Reference(std::move(info)));
  }

 private:
  const std::unique_ptr<Initializer> initializer_;
};

class FactoryHost final : public PI::PolicyFactory {
 public:
  explicit FactoryHost(std::unique_ptr<Factory> factory) : factory_(std::move(factory)) {}
  CORBA::object_reference<CORBA::Policy> create_policy(CORBA::PolicyType type,
                                                       const CORBA::Any& value) override {
    const Factory::Made made = factory_->create_policy(type, new AnyHandle(value));
    auto object = object_of(made.policy);
    release(made.policy);
    if (made.applications) return CORBA::make_reference<PolicyHost>(std::move(object), made.type);
    return IDL::traits<CORBA::Policy>::narrow(object);
  }

 private:
  const std::unique_ptr<Factory> factory_;
};

CORBA::PolicyList policies_of(const std::vector<Reference*>& references) {
  CORBA::PolicyList policies;
  for (Reference* const one : references)
    policies.push_back(IDL::traits<CORBA::Policy>::narrow(object_of(one)));
  return policies;
}

}  // namespace

void forward_by_interceptor(Reference* to) { throw PI::ForwardRequest(object_of(to)); }
void refuse_policy(std::int16_t reason) { throw CORBA::PolicyError(reason); }

void register_initializer(std::unique_ptr<Initializer> initializer) {
  asking([&] {
    PI::register_orb_initializer(initializer ? CORBA::make_reference<InitializerHost>(std::move(initializer))
                                             : nullptr);
  });
}

void add(Reference& info, On kind, std::unique_ptr<Points> points, const std::vector<Reference*>& policies) {
  asking([&] {
    auto& init = as<PI::ORBInitInfo_3_1>(info);
    const CORBA::PolicyList list = policies_of(policies);
    if (!points) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "a nil interceptor");
    if (kind == On::client)
      init.add_client_request_interceptor_with_policy(CORBA::make_reference<ClientHost>(std::move(points)),
                                                      list);
    else if (kind == On::server)
      init.add_server_request_interceptor_with_policy(CORBA::make_reference<ServerHost>(std::move(points)),
                                                      list);
    else if (dynamic_cast<ReferencePoints*>(points.get()))
      init.add_ior_interceptor_with_policy(
          CORBA::make_reference<NewReferencesHost>(
              std::unique_ptr<ReferencePoints>(static_cast<ReferencePoints*>(points.release()))),
          list);
    else
      init.add_ior_interceptor_with_policy(CORBA::make_reference<ReferencesHost>(std::move(points)), list);
  });
}
void add_factory(Reference& info, std::uint32_t type, std::unique_ptr<Factory> factory) {
  asking([&] {
    as<PI::ORBInitInfo>(info).register_policy_factory(
        type, factory ? CORBA::make_reference<FactoryHost>(std::move(factory)) : nullptr);
  });
}

Names arguments(Reference& info) {
  return asking([&] { return as<PI::ORBInitInfo>(info).arguments(); });
}
std::string orb_of_init(Reference& info) {
  return asking([&] { return as<PI::ORBInitInfo>(info).orb_id(); });
}
Reference* codec_factory(Reference& info) {
  return asking([&] { return refer(as<PI::ORBInitInfo>(info).codec_factory()); });
}
void register_reference(Reference& info, const char* id, Reference* object) {
  asking([&] { as<PI::ORBInitInfo>(info).register_initial_reference(id ? id : "", object_of(object)); });
}
Reference* resolve(Reference& info, const char* id) {
  return asking([&] { return refer(as<PI::ORBInitInfo>(info).resolve_initial_references(id ? id : "")); });
}
std::uint32_t allocate_slot(Reference& info) {
  return asking([&] { return as<PI::ORBInitInfo>(info).allocate_slot_id(); });
}

}  // namespace takt::classic::interceptors
