#include "interceptors/ior/ior_stage.h"

#include "adapter/poa/adapter_tree.h"
#include "interceptors/ior/adapter_template.h"
#include "interceptors/ior/added_components.h"
#include "interceptors/ior/ior_info.h"

namespace takt::interceptors {

namespace {

using PortableInterceptor::IORInterceptor_3_0;

template <class Action>
void run_ignoring_exceptions(Action action) noexcept {
  try {
    action();
  } catch (...) {
    // The interceptors' points cannot refuse this.
  }
}

// Calls `action` for each that has the points of CORBA 3.0. A copy of the list, because an initializer may
// add others meanwhile.
template <class Action>
void for_each_3_0(auto interceptors, Action action) {
  for (const auto& one : interceptors)
    if (auto* const newer = dynamic_cast<IORInterceptor_3_0*>(one.interceptor.get())) action(*newer);
}

// Ends the use of an IORInfo.
struct InfoEnd {
  IorInfo& info;
  ~InfoEnd() { info.end(); }
};

// A thread's use of an adapter's factory. References that the adapter makes meanwhile are its own.
class FactoryUse {
 public:
  explicit FactoryUse(const adapter::PoaCore& poa) : poa_(poa), outer_(innermost_) { innermost_ = this; }
  ~FactoryUse() { innermost_ = outer_; }
  FactoryUse(const FactoryUse&) = delete;
  FactoryUse& operator=(const FactoryUse&) = delete;

  static bool runs(const adapter::PoaCore& poa) {
    const FactoryUse* use = innermost_;
    while (use && &use->poa_ != &poa) use = use->outer_;
    return use;
  }

 private:
  const adapter::PoaCore& poa_;
  FactoryUse* const outer_;
  static thread_local constinit FactoryUse* innermost_;
};
thread_local constinit FactoryUse* FactoryUse::innermost_ = nullptr;

std::shared_ptr<reference::ObjectRef> made_by_factory(const AdapterForm& form, const adapter::PoaCore& poa,
                                                      const std::string& repository_id, ByteView key) {
  const FactoryUse use(poa);
  CORBA::object_reference<CORBA::Object> object;
  try {
    object = form.factory->make_object(repository_id, poa.id_in(key).value());
  } catch (const CORBA::SystemException&) {
    throw;
  } catch (...) {
    throw CORBA::UNKNOWN(CORBA::omg_minor(1), CORBA::COMPLETED_NO,
                         "the adapter's factory of references has thrown an exception that it may not");
  }
  if (!object || !object->_ref())
    throw CORBA::INV_OBJREF(0, CORBA::COMPLETED_NO,
                            "the adapter's factory has made no reference, or one to a local object");
  return object->_ref();
}

}  // namespace

bool IorStage::keeps(CORBA::Policy& policy) const { return orb_.factories.contains(policy.policy_type()); }

std::shared_ptr<const void> IorStage::begin(const adapter::PoaCore& poa) {
  if (ended_) return nullptr;
  auto form = std::make_shared<AdapterForm>();
  form->not_kept_by_requests =
      may_intercept_requests() && !orb_.shows_adapters.load(std::memory_order_relaxed);
  if (!orb_.iors.empty()) establish(poa, *form);
  if (form->components.empty() && !form->factory && !form->not_kept_by_requests) return nullptr;
  return form;
}

void IorStage::establish(const adapter::PoaCore& poa, AdapterForm& form) {
  const auto interceptors = orb_.iors;
  auto info = std::make_shared<IorInfo>(orb_, poa, form);
  const CORBA::object_reference<PortableInterceptor::IORInfo> reference(info);
  const InfoEnd end{*info};
  for (const auto& one : interceptors)
    run_ignoring_exceptions([&] { one.interceptor->establish_components(reference); });
  info->components_established();
  try {
    for_each_3_0(interceptors, [&](auto& newer) { newer.components_established(reference); });
  } catch (...) {
    throw CORBA::OBJ_ADAPTER(CORBA::omg_minor(6), CORBA::COMPLETED_NO,
                             "an interceptor has thrown in components_established");
  }
}

std::shared_ptr<reference::ObjectRef> IorStage::publish(const adapter::PoaCore& poa,
                                                        std::shared_ptr<reference::ObjectRef> made,
                                                        ByteView key) const {
  if (!poa.watched) return made;
  const auto& form = *static_cast<const AdapterForm*>(poa.watched.get());
  if (form.factory && !FactoryUse::runs(poa)) return made_by_factory(form, poa, made->ior().type_id, key);
  return form.components.empty() ? made : with_components(*made, form.components);
}

void IorStage::keep_end_of(const adapter::PoaCore& poa) {
  const auto end = std::make_shared<EndedAdapter>(poa);
  if (poa.policies.given)
    for (CORBA::object_reference<CORBA::Policy> one : *poa.policies.given)
      if (keeps(*one)) end->policies.push_back(one);
  orb_.ended_adapters.keep(end);
}

void IorStage::ends(adapter::PoaCore& poa) noexcept {
  if (ended_ || !may_intercept_requests() || !poa.watched ||
      !static_cast<const AdapterForm*>(poa.watched.get())->not_kept_by_requests)
    return;
  run_ignoring_exceptions([&] { keep_end_of(poa); });
  orb_.shows_adapters.store(true, std::memory_order_relaxed);
}

void IorStage::ended(const adapter::PoaCore& poa) noexcept {
  if (ended_) return;
  run_ignoring_exceptions([&] {
    const PortableInterceptor::ObjectReferenceTemplateSeq templates{
        CORBA::valuetype_reference<PortableInterceptor::ObjectReferenceTemplate>(
            std::make_shared<AdapterTemplate>(poa, orb_.orb_id, orb_.server_id))};
    for_each_3_0(orb_.iors, [&](auto& newer) {
      run_ignoring_exceptions(
          [&] { newer.adapter_state_changed(templates, PortableInterceptor::NON_EXISTENT); });
    });
  });
}

void IorStage::changed(const adapter::ManagerCore& manager, PortableServer::POAManager::State to) noexcept {
  if (ended_) return;
  run_ignoring_exceptions([&] {
    for_each_3_0(orb_.iors, [&](auto& newer) {
      run_ignoring_exceptions([&] {
        newer.adapter_manager_state_changed(manager.number(),
                                            static_cast<PortableInterceptor::AdapterState>(to));
      });
    });
  });
}

}  // namespace takt::interceptors
