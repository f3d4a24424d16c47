// Module PortableInterceptor: interceptors of references, which add components to the references of an
// adapter and learn of changes of its state (CORBA 3.0.3, 21.5).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <takt/cdr/value.h>
#include <takt/interceptors/interceptor.h>

namespace PortableInterceptor {

using AdapterManagerId = std::int32_t;
using AdapterState = std::int16_t;
inline constexpr AdapterState HOLDING = 0, ACTIVE = 1, DISCARDING = 2, INACTIVE = 3, NON_EXISTENT = 4;
// Names of the adapters on the way to one; "RootPOA" is the first.
using AdapterName = std::vector<std::string>;

#define TAKT_INTERCEPTOR_VALUE(NAME)                                                                    \
 public:                                                                                                \
  using _traits_type = IDL::traits<NAME>;                                                               \
  using _ref_type = CORBA::valuetype_reference<NAME>;                                                   \
  static constexpr std::string_view _repository_ids[]{"IDL:omg.org/PortableInterceptor/" #NAME ":1.0"}; \
  static const takt::cdr::ValueDescription& _value_description() {                                      \
    static constexpr takt::cdr::ValueDescription description{_repository_ids};                          \
    return description;                                                                                 \
  }                                                                                                     \
  const takt::cdr::ValueDescription& _value_type() const override { return _value_description(); }

// Makes references to objects of an adapter.
class ObjectReferenceFactory : public CORBA::ValueBase {
  TAKT_INTERCEPTOR_VALUE(ObjectReferenceFactory)
  // As POA::create_reference_with_id() does. BAD_INV_ORDER while the adapter does not exist.
  virtual CORBA::object_reference<CORBA::Object> make_object(const std::string& repository_id,
                                                             const PortableServer::ObjectId& id) = 0;
};

// Names an adapter. It cannot be sent: MARSHAL. Any thread.
class ObjectReferenceTemplate : public ObjectReferenceFactory {
  TAKT_INTERCEPTOR_VALUE(ObjectReferenceTemplate)
  virtual std::string server_id() = 0;  // the value of -ORBServerId
  virtual std::string orb_id() = 0;
  virtual AdapterName adapter_name() = 0;
};
using ObjectReferenceTemplateSeq = std::vector<CORBA::valuetype_reference<ObjectReferenceTemplate>>;

#undef TAKT_INTERCEPTOR_VALUE

// A new adapter, which no other thread knows yet. Only for the thread of the point, and until it returns;
// later each member throws OBJECT_NOT_EXIST.
class IORInfo : public virtual CORBA::LocalObject {
  TAKT_INTERCEPTOR_INTERFACE(IORInfo, LocalObject)
  // The adapter's policy; nil if it has none of a type that the ORB or a PolicyFactory has. INV_POLICY (OMG
  // minor 3) for other types.
  virtual CORBA::object_reference<CORBA::Policy> get_effective_policy(CORBA::PolicyType type) = 0;
  // In all profiles of the adapter's references, behind the components that are there. Profiles of IIOP 1.0
  // have no components. BAD_INV_ORDER (OMG minor 14) in components_established.
  virtual void add_ior_component(const IOP::TaggedComponent& component) = 0;
  // In the profiles with this tag. BAD_PARAM (OMG minor 29) if the adapter's references have none.
  virtual void add_ior_component_to_profile(const IOP::TaggedComponent& component,
                                            IOP::ProfileId profile_id) = 0;
  // The adapter's manager: its number, which is unique in the process, and its state.
  virtual AdapterManagerId manager_id() = 0;
  virtual AdapterState state() = 0;
  // In establish_components: BAD_INV_ORDER (OMG minor 14). The factory is the template until another is set,
  // which the adapter keeps: it makes all of the adapter's references from then on, in any thread.
  // BAD_PARAM for null.
  virtual CORBA::valuetype_reference<ObjectReferenceTemplate> adapter_template() = 0;
  virtual CORBA::valuetype_reference<ObjectReferenceFactory> current_factory() = 0;
  virtual void current_factory(CORBA::valuetype_reference<ObjectReferenceFactory> factory) = 0;
};

// Runs in the thread that makes an adapter, before the adapter has a reference. It may use other adapters;
// the root adapter does not exist while its own components are established.
class IORInterceptor : public virtual Interceptor {
  TAKT_INTERCEPTOR_INTERFACE(IORInterceptor, Interceptor)
  using Info = CORBA::object_reference<IORInfo>;
  // Once for each adapter, the root too. Exceptions are ignored; components that were added remain.
  virtual void establish_components(Info info) = 0;
};

class IORInterceptor_3_0 : public virtual IORInterceptor {
  TAKT_INTERCEPTOR_INTERFACE(IORInterceptor_3_0, IORInterceptor)
  // After establish_components of all interceptors. An exception makes the adapter's creation fail with
  // OBJ_ADAPTER (OMG minor 6).
  virtual void components_established(Info info) = 0;
  // In the thread that changes a manager, after the change; two threads may report in either order.
  // Exceptions are ignored.
  virtual void adapter_manager_state_changed(AdapterManagerId id, AdapterState state) = 0;
  // An adapter is being destroyed (NON_EXISTENT): its objects get no more requests. Exceptions are ignored.
  virtual void adapter_state_changed(const ObjectReferenceTemplateSeq& templates, AdapterState state) = 0;
};

}  // namespace PortableInterceptor
