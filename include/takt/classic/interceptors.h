// Module PortableInterceptor in the classic mapping (CORBA 3.0.3, chapter 21). C++14.
//
//   class Init : public virtual PortableInterceptor::ORBInitializer,
//                public virtual CORBA::LocalObject {
//     ...
//   };
//   PortableInterceptor::ORBInitializer_var init = new Init;
//   PortableInterceptor::register_orb_initializer(init.in());  // before ORB_init
//
// Points, their order and what infos throw are those of <takt/interceptors/interceptors.h>. Each point
// allocates a proxy for its info.
#pragma once

#include <takt/classic/iop.h>
#include <takt/classic/messaging.h>
#include <takt/classic/policies.h>
#include <takt/classic/value.h>

namespace CORBA {
inline namespace takt_classic_ {
enum ParameterMode { PARAM_IN, PARAM_OUT, PARAM_INOUT };
}  // namespace takt_classic_
}  // namespace CORBA

namespace Dynamic {
inline namespace takt_classic_ {
struct Parameter {
  ::CORBA::Any argument;
  ::CORBA::ParameterMode mode = ::CORBA::PARAM_IN;
};
TAKT_CLASSIC_SEQUENCE(ParameterList, takt::classic::Values<Parameter>)
TAKT_CLASSIC_SEQUENCE(ExceptionList, takt::classic::Values<::CORBA::TypeCode_member>)
typedef ::CORBA::StringSeq ContextList;
typedef ::CORBA::StringSeq_var ContextList_var;
typedef ::CORBA::StringSeq RequestContext;
typedef ::CORBA::StringSeq_var RequestContext_var;
}  // namespace takt_classic_
}  // namespace Dynamic

namespace PortableInterceptor {
inline namespace takt_classic_ {

typedef ::CORBA::ULong SlotId;
typedef ::CORBA::Short ReplyStatus;
const ReplyStatus SUCCESSFUL = 0, SYSTEM_EXCEPTION = 1, USER_EXCEPTION = 2, LOCATION_FORWARD = 3,
                  TRANSPORT_RETRY = 4, UNKNOWN = 5;
typedef ::CORBA::Long AdapterManagerId;
typedef ::CORBA::Short AdapterState;
const AdapterState HOLDING = 0, ACTIVE = 1, DISCARDING = 2, INACTIVE = 3, NON_EXISTENT = 4;
typedef char* ServerId;
typedef char* ORBId;
typedef ::CORBA::StringSeq AdapterName;
typedef ::CORBA::StringSeq_var AdapterName_var;
typedef ::CORBA::OctetSeq ObjectId;
typedef ::CORBA::OctetSeq_var ObjectId_var;
typedef ::CORBA::Short ProcessingMode;
const ProcessingMode LOCAL_AND_REMOTE = 0, REMOTE_ONLY = 1, LOCAL_ONLY = 2;
const ::CORBA::PolicyType PROCESSING_MODE_POLICY_TYPE = 100;  // ORB::create_policy() makes it of a short

TAKT_CLASSIC_USER_EXCEPTION(InvalidSlot)

// Thrown by interceptors: the request goes to another object.
class ForwardRequest : public ::CORBA::UserException {
 public:
  ::CORBA::Object_member forward;
  ForwardRequest() {}
  explicit ForwardRequest(::CORBA::Object_ptr to) : forward(::CORBA::Object::_duplicate(to)) {}
  TAKT_CLASSIC_EXCEPTION_FUNCTIONS(ForwardRequest)
};

TAKT_CLASSIC_OBJECT_TYPES(Current)
// Initial reference "PICurrent": slots of the calling thread. InvalidSlot, and BAD_INV_ORDER (OMG minor 14)
// while the ORB's initializers run.
class Current : public virtual ::CORBA::Current {
  TAKT_CLASSIC_OWN_OBJECT(Current)
  ::CORBA::Any* get_slot(SlotId id);
  void set_slot(SlotId id, const ::CORBA::Any& data);
};

TAKT_CLASSIC_OBJECT_TYPES(RequestInfo)
// One request at one point, for the thread of the point. Members that the point does not have throw
// BAD_INV_ORDER (OMG minor 14), and so do all once the point has returned.
class RequestInfo : public virtual ::CORBA::Object {
  TAKT_CLASSIC_OWN_OBJECT(RequestInfo)
  ::CORBA::ULong request_id();
  char* operation();
  ::CORBA::Boolean response_expected();
  Dynamic::ParameterList* arguments();
  Dynamic::ExceptionList* exceptions();
  Dynamic::ContextList* contexts();
  Dynamic::RequestContext* operation_context();
  ::CORBA::Any* result();
  ::Messaging::SyncScope sync_scope();
  ReplyStatus reply_status();
  ::CORBA::Object_ptr forward_reference();
  ::CORBA::Any* get_slot(SlotId id);  // InvalidSlot
  IOP::ServiceContext* get_request_service_context(IOP::ServiceId id);
  IOP::ServiceContext* get_reply_service_context(IOP::ServiceId id);
};

TAKT_CLASSIC_OBJECT_TYPES(ClientRequestInfo)
class ClientRequestInfo : public virtual RequestInfo {
  TAKT_CLASSIC_OWN_OBJECT(ClientRequestInfo)
  ::CORBA::Object_ptr target();
  ::CORBA::Object_ptr effective_target();
  IOP::TaggedProfile* effective_profile();
  ::CORBA::Any* received_exception();
  char* received_exception_id();
  IOP::TaggedComponent* get_effective_component(IOP::ComponentId id);
  IOP::TaggedComponentSeq* get_effective_components(IOP::ComponentId id);
  ::CORBA::Policy_ptr get_request_policy(::CORBA::PolicyType type);
  void add_request_service_context(const IOP::ServiceContext& context, ::CORBA::Boolean replace);
};

TAKT_CLASSIC_OBJECT_TYPES(ServerRequestInfo)
class ServerRequestInfo : public virtual RequestInfo {
  TAKT_CLASSIC_OWN_OBJECT(ServerRequestInfo)
  ::CORBA::Any* sending_exception();
  char* server_id();
  char* orb_id();
  AdapterName* adapter_name();
  ::CORBA::OctetSeq* object_id();
  ::CORBA::OctetSeq* adapter_id();
  char* target_most_derived_interface();
  ::CORBA::Boolean target_is_a(const char* repository_id);
  ::CORBA::Policy_ptr get_server_policy(::CORBA::PolicyType type);
  void set_slot(SlotId id, const ::CORBA::Any& data);  // InvalidSlot
  void add_reply_service_context(const IOP::ServiceContext& context, ::CORBA::Boolean replace);
};

#define TAKT_CLASSIC_REFERENCE_VALUE(NAME)                                                 \
 public:                                                                                   \
  typedef NAME##_ptr _ptr_type;                                                            \
  typedef NAME##_var _var_type;                                                            \
  static NAME* _downcast(::CORBA::ValueBase* value) { return dynamic_cast<NAME*>(value); } \
  static NAME* _duplicate(NAME* value) {                                                   \
    if (value) value->_add_ref();                                                          \
    return value;                                                                          \
  }                                                                                        \
  static NAME* _nil() { return nullptr; }                                                  \
  static const char* const _PD_repoId;

TAKT_CLASSIC_OBJECT_TYPES(ObjectReferenceFactory)
// Makes references to objects of an adapter. Applications derive from it and from
// CORBA::DefaultValueRefCountBase. It cannot be sent: MARSHAL.
class ObjectReferenceFactory : public virtual ::CORBA::ValueBase {
  TAKT_CLASSIC_REFERENCE_VALUE(ObjectReferenceFactory)
  virtual ::CORBA::Object_ptr make_object(const char* repository_id, const ObjectId& id) = 0;

  const takt::classic::ValueType& _takt_value_type() const override;
  void _takt_write_state(takt::classic::Writer& out) const override;
  void _takt_read_state(takt::classic::Reader& in) override;

 protected:
  ObjectReferenceFactory() {}
  ~ObjectReferenceFactory() override {}
};

TAKT_CLASSIC_OBJECT_TYPES(ObjectReferenceTemplate)
// Names an adapter. The ORB's; any thread. make_object() is POA::create_reference_with_id(), and
// BAD_INV_ORDER while the adapter does not exist.
class ObjectReferenceTemplate : public virtual ObjectReferenceFactory {
  TAKT_CLASSIC_REFERENCE_VALUE(ObjectReferenceTemplate)
  virtual char* server_id() = 0;
  virtual char* orb_id() = 0;
  virtual AdapterName* adapter_name() = 0;

 protected:
  ObjectReferenceTemplate() {}
  ~ObjectReferenceTemplate() override {}
};
TAKT_CLASSIC_SEQUENCE(ObjectReferenceTemplateSeq, takt::classic::Objects<ObjectReferenceTemplate>)
#undef TAKT_CLASSIC_REFERENCE_VALUE

TAKT_CLASSIC_OBJECT_TYPES(IORInfo)
// A new adapter. Later each member throws OBJECT_NOT_EXIST.
class IORInfo : public virtual ::CORBA::Object {
  TAKT_CLASSIC_OWN_OBJECT(IORInfo)
  ::CORBA::Policy_ptr get_effective_policy(::CORBA::PolicyType type);
  void add_ior_component(const IOP::TaggedComponent& component);
  void add_ior_component_to_profile(const IOP::TaggedComponent& component, IOP::ProfileId profile_id);
  AdapterManagerId manager_id();
  AdapterState state();
  // BAD_INV_ORDER (OMG minor 14) in establish_components.
  ObjectReferenceTemplate* adapter_template();
  ObjectReferenceFactory* current_factory();
  // The adapter keeps it, and has its references made by it. BAD_PARAM for null.
  void current_factory(ObjectReferenceFactory* factory);
};

// Interfaces that the application implements. Objects are counted; the ORB keeps a reference.
#define TAKT_CLASSIC_IMPLEMENTED(NAME)                                                                       \
 public:                                                                                                     \
  typedef NAME##_ptr _ptr_type;                                                                              \
  typedef NAME##_var _var_type;                                                                              \
  static NAME##_ptr _duplicate(NAME##_ptr object) { return takt::classic::Locals<NAME>::duplicate(object); } \
  static NAME##_ptr _narrow(::CORBA::Object_ptr object) {                                                    \
    return takt::classic::Locals<NAME>::narrow(object);                                                      \
  }                                                                                                          \
  static NAME##_ptr _nil() { return nullptr; }                                                               \
  static const char* const _PD_repoId;                                                                       \
  bool _takt_has_type(const char* repository_id) const override;                                             \
                                                                                                             \
 protected:                                                                                                  \
  NAME() {}                                                                                                  \
                                                                                                             \
 public:

TAKT_CLASSIC_OBJECT_TYPES(Interceptor)
class Interceptor : public virtual ::CORBA::LocalObject {
  TAKT_CLASSIC_IMPLEMENTED(Interceptor)
  virtual char* name() = 0;    // "" for one without a name
  virtual void destroy() = 0;  // by ORB::destroy()
};

TAKT_CLASSIC_OBJECT_TYPES(ClientRequestInterceptor)
class ClientRequestInterceptor : public virtual Interceptor {
  TAKT_CLASSIC_IMPLEMENTED(ClientRequestInterceptor)
  virtual void send_request(ClientRequestInfo_ptr info) = 0;  // may throw ForwardRequest
  virtual void send_poll(ClientRequestInfo_ptr info) = 0;     // never called
  virtual void receive_reply(ClientRequestInfo_ptr info) = 0;
  virtual void receive_exception(ClientRequestInfo_ptr info) = 0;  // may throw ForwardRequest
  virtual void receive_other(ClientRequestInfo_ptr info) = 0;      // may throw ForwardRequest
};

TAKT_CLASSIC_OBJECT_TYPES(ServerRequestInterceptor)
class ServerRequestInterceptor : public virtual Interceptor {
  TAKT_CLASSIC_IMPLEMENTED(ServerRequestInterceptor)
  virtual void receive_request_service_contexts(ServerRequestInfo_ptr info) = 0;  // may throw ForwardRequest
  virtual void receive_request(ServerRequestInfo_ptr info) = 0;                   // may throw ForwardRequest
  virtual void send_reply(ServerRequestInfo_ptr info) = 0;
  virtual void send_exception(ServerRequestInfo_ptr info) = 0;  // may throw ForwardRequest
  virtual void send_other(ServerRequestInfo_ptr info) = 0;      // may throw ForwardRequest
};

TAKT_CLASSIC_OBJECT_TYPES(IORInterceptor)
class IORInterceptor : public virtual Interceptor {
  TAKT_CLASSIC_IMPLEMENTED(IORInterceptor)
  virtual void establish_components(IORInfo_ptr info) = 0;  // exceptions are ignored
};

TAKT_CLASSIC_OBJECT_TYPES(IORInterceptor_3_0)
class IORInterceptor_3_0 : public virtual IORInterceptor {
  TAKT_CLASSIC_IMPLEMENTED(IORInterceptor_3_0)
  // An exception makes create_POA fail with OBJ_ADAPTER (OMG minor 6).
  virtual void components_established(IORInfo_ptr info) = 0;
  // Exceptions of both are ignored.
  virtual void adapter_manager_state_changed(AdapterManagerId id, AdapterState state) = 0;
  virtual void adapter_state_changed(const ObjectReferenceTemplateSeq& templates, AdapterState state) = 0;
};

TAKT_CLASSIC_OBJECT_TYPES(PolicyFactory)
// Makes the policies of a type, for ORB::create_policy(). That returns a policy of the ORB's own, which holds
// the factory's; get_server_policy() and get_effective_policy() return the factory's.
class PolicyFactory : public virtual ::CORBA::LocalObject {
  TAKT_CLASSIC_IMPLEMENTED(PolicyFactory)
  virtual ::CORBA::Policy_ptr create_policy(::CORBA::PolicyType type, const ::CORBA::Any& value) = 0;
};

TAKT_CLASSIC_OBJECT_TYPES(ORBInitInfo)
// An ORB that begins. Later each member throws OBJECT_NOT_EXIST.
class ORBInitInfo : public virtual ::CORBA::Object {
  TAKT_CLASSIC_OWN_OBJECT(ORBInitInfo)
  class DuplicateName : public ::CORBA::UserException {
   public:
    takt::classic::String_member name;
    DuplicateName() {}
    explicit DuplicateName(const char* of) { name = of; }
    TAKT_CLASSIC_EXCEPTION_FUNCTIONS(DuplicateName)
  };
  TAKT_CLASSIC_USER_EXCEPTION(InvalidName)

  ::CORBA::StringSeq* arguments();
  char* orb_id();
  IOP::CodecFactory_ptr codec_factory();
  void register_initial_reference(const char* id, ::CORBA::Object_ptr object);    // InvalidName
  ::CORBA::Object_ptr resolve_initial_references(const char* id);                 // InvalidName
  void add_client_request_interceptor(ClientRequestInterceptor_ptr interceptor);  // DuplicateName
  void add_server_request_interceptor(ServerRequestInterceptor_ptr interceptor);  // DuplicateName
  void add_ior_interceptor(IORInterceptor_ptr interceptor);                       // DuplicateName
  SlotId allocate_slot_id();
  void register_policy_factory(::CORBA::PolicyType type, PolicyFactory_ptr factory);
};

TAKT_CLASSIC_OBJECT_TYPES(ORBInitInfo_3_1)
// Infos of initializers narrow to it.
class ORBInitInfo_3_1 : public virtual ORBInitInfo {
  TAKT_CLASSIC_OWN_OBJECT(ORBInitInfo_3_1)
  // The only policy is that of PROCESSING_MODE_POLICY_TYPE; INV_POLICY for others.
  void add_client_request_interceptor_with_policy(ClientRequestInterceptor_ptr interceptor,
                                                  const ::CORBA::PolicyList& policies);
  void add_server_request_interceptor_with_policy(ServerRequestInterceptor_ptr interceptor,
                                                  const ::CORBA::PolicyList& policies);
  void add_ior_interceptor_with_policy(IORInterceptor_ptr interceptor, const ::CORBA::PolicyList& policies);
};

TAKT_CLASSIC_OBJECT_TYPES(ORBInitializer)
class ORBInitializer : public virtual ::CORBA::LocalObject {
  TAKT_CLASSIC_IMPLEMENTED(ORBInitializer)
  virtual void pre_init(ORBInitInfo_ptr info) = 0;
  virtual void post_init(ORBInitInfo_ptr info) = 0;
};

// Adds the initializer, of which the ORB keeps a reference, to all ORBs that this process makes later.
// INV_OBJREF for nil. Any thread.
void register_orb_initializer(ORBInitializer_ptr initializer);

#undef TAKT_CLASSIC_IMPLEMENTED

}  // namespace takt_classic_
}  // namespace PortableInterceptor
