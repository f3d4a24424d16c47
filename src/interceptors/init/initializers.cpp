#include "interceptors/init/initializers.h"

#include <mutex>
#include <utility>

#include <takt/interceptors/interceptors.h>

#include "interceptors/client/client_calls.h"
#include "interceptors/common/orb_interceptors.h"
#include "interceptors/init/init_info.h"
#include "interceptors/init/pi_current.h"
#include "interceptors/ior/ior_stage.h"
#include "interceptors/server/server_stage.h"
#include "threads/locks/priority_mutex.h"

namespace takt::interceptors {

namespace {

using Initializer = CORBA::object_reference<PortableInterceptor::ORBInitializer>;

struct RegisteredInitializers {
  os::PriorityMutex mutex;
  std::vector<Initializer> all;
};
// Never destroyed: ORBs may begin until the process ends.
RegisteredInitializers& registered() {
  static auto* const initializers = new RegisteredInitializers;
  return *initializers;
}

class Installed final : public InstalledInterceptors {
 public:
  explicit Installed(const NewOrb& orb)
      : interceptors_(std::make_shared<OrbInterceptors>(orb.id, orb.server_id, orb.references)),
        calls_(*interceptors_),
        stage_(*interceptors_),
        stateful_stage_(*interceptors_),
        slot_stage_(*interceptors_),
        ior_stage_(*interceptors_),
        adapters_(orb.adapters) {
    adapters_.watcher = &ior_stage_;
    interceptors_->adapters = &adapters_;
  }
  ~Installed() override {
    adapters_.watcher = nullptr;
    interceptors_->ended_adapters.clear();
  }

  OrbInterceptors& interceptors() { return *interceptors_; }
  void install(const NewOrb& orb) {
    interceptors_->initializing = false;
    interceptors_->settle();
    orb.references.options.intercepted = !interceptors_->clients.empty() || orb.references.options.traced;
    orb.references.options.served_intercepted = !interceptors_->servers.empty();
    orb.adapters.observed = !interceptors_->servers.empty();
    if (interceptors_->iors.empty() && interceptors_->factories.empty() && interceptors_->servers.empty())
      adapters_.watcher = nullptr;
    if (!interceptors_->clients.empty()) orb.client.interceptors = &calls_;
    put_stage(orb.pipeline);
  }

  CORBA::object_reference<CORBA::Policy> create_policy(CORBA::PolicyType type,
                                                       const CORBA::Any& value) override {
    if (type == PortableInterceptor::PROCESSING_MODE_POLICY_TYPE) return processing_mode(value);
    const auto factory = interceptors_->factories.find(type);
    if (factory == interceptors_->factories.end()) return {};
    return factory->second->create_policy(type, value);
  }
  CORBA::object_reference<CORBA::Object> current() const override {
    return CORBA::make_reference<PICurrent>(interceptors_);
  }
  void destroy() noexcept override {
    ior_stage_.end();
    interceptors_->destroy();
    interceptors_->ended_adapters.clear();
  }

 private:
  void put_stage(server::Pipeline& pipeline) {
    if (server::Stage* const stage = stage_for_requests())
      pipeline.put(server::Pipeline::Place::interceptors, stage);
  }
  // Null if requests need none.
  server::Stage* stage_for_requests() {
    if (interceptors_->servers.empty()) return interceptors_->slots == 0 ? nullptr : &slot_stage_;
    if (interceptors_->plain_requests) return &stage_;
    return &stateful_stage_;
  }
  static CORBA::object_reference<CORBA::Policy> processing_mode(const CORBA::Any& value) {
    PortableInterceptor::ProcessingMode mode = 0;
    if (!(value >>= mode)) throw CORBA::PolicyError(CORBA::BAD_POLICY_TYPE);
    if (mode < PortableInterceptor::LOCAL_AND_REMOTE || mode > PortableInterceptor::LOCAL_ONLY)
      throw CORBA::PolicyError(CORBA::BAD_POLICY_VALUE);
    return CORBA::make_reference<PortableInterceptor::ProcessingModePolicy>(mode);
  }

  const std::shared_ptr<OrbInterceptors> interceptors_;
  ClientCalls calls_;
  ServerStage stage_;
  StatefulServerStage stateful_stage_;
  SlotStage slot_stage_;
  IorStage ior_stage_;
  adapter::AdapterTree& adapters_;
};

// Ends the use of an ORBInitInfo.
struct InfoEnd {
  InitInfo& info;
  ~InfoEnd() { info.end(); }
};

void run_all(const std::vector<Initializer>& all, InitInfo& info,
             const CORBA::object_reference<PortableInterceptor::ORBInitInfo>& reference) {
  const InfoEnd end{info};
  try {
    for (const Initializer& initializer : all) initializer->pre_init(reference);
    info.allow_resolving();
    for (const Initializer& initializer : all) initializer->post_init(reference);
  } catch (const CORBA::SystemException&) {
    throw;
  } catch (const std::exception& failure) {
    throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO,
                            std::string("an ORB initializer has thrown ") + failure.what());
  } catch (...) {
    throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO, "an ORB initializer has thrown an unknown exception");
  }
}

}  // namespace

void add_initializer(Initializer initializer) {
  const std::lock_guard lock(registered().mutex);
  registered().all.push_back(std::move(initializer));
}

// References and adapters that initializers make may have interceptors that are added later.
std::shared_ptr<InstalledInterceptors> run_initializers(const NewOrb& orb) {
  std::vector<Initializer> all;
  {
    const std::lock_guard lock(registered().mutex);
    all = registered().all;
  }
  if (all.empty()) return nullptr;
  const auto installed = std::make_shared<Installed>(orb);
  orb.references.options.intercepted = true;
  orb.adapters.observed = true;
  auto info = std::make_shared<InitInfo>(orb, installed->interceptors());
  run_all(all, *info, CORBA::object_reference<PortableInterceptor::ORBInitInfo>(info));
  installed->install(orb);
  return installed;
}

}  // namespace takt::interceptors
