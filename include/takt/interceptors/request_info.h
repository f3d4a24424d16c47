// Module PortableInterceptor: requests as interceptors see them (CORBA 3.0.3, 21.3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <takt/adapter/object_id.h>
#include <takt/cdr/any.h>
#include <takt/reference/local_object.h>
#include <takt/reference/policy.h>
#include <takt/standard/IOPC.h>
#include <takt/standard/MessagingC.h>

namespace CORBA {

enum class ParameterMode : std::uint32_t { PARAM_IN, PARAM_OUT, PARAM_INOUT };

}  // namespace CORBA

namespace Dynamic {

// An argument with its direction.
class Parameter {
 public:
  Parameter() = default;
  Parameter(CORBA::Any argument, CORBA::ParameterMode mode) : argument_(std::move(argument)), mode_(mode) {}
  const CORBA::Any& argument() const { return argument_; }
  void argument(CORBA::Any argument) { argument_ = std::move(argument); }
  CORBA::ParameterMode mode() const { return mode_; }
  void mode(CORBA::ParameterMode mode) { mode_ = mode; }

 private:
  CORBA::Any argument_;
  CORBA::ParameterMode mode_ = CORBA::ParameterMode::PARAM_IN;
};
using ParameterList = std::vector<Parameter>;
using ContextList = std::vector<std::string>;
using RequestContext = std::vector<std::string>;
using ExceptionList = std::vector<CORBA::typecode_reference>;

}  // namespace Dynamic

namespace PortableInterceptor {

using SlotId = std::uint32_t;
using ReplyStatus = std::int16_t;
inline constexpr ReplyStatus SUCCESSFUL = 0, SYSTEM_EXCEPTION = 1, USER_EXCEPTION = 2, LOCATION_FORWARD = 3,
                             TRANSPORT_RETRY = 4, UNKNOWN = 5;

#define TAKT_INTERCEPTOR_INTERFACE(NAME, BASE)                                              \
 public:                                                                                    \
  using _traits_type = IDL::traits<NAME>;                                                   \
  using _ref_type = CORBA::object_reference<NAME>;                                          \
  static const std::string& _interface_repository_id() {                                    \
    static const std::string id = "IDL:omg.org/PortableInterceptor/" #NAME ":1.0";          \
    return id;                                                                              \
  }                                                                                         \
  bool _is_a_local(const std::string& repository_id) const override {                       \
    return repository_id == _interface_repository_id() || BASE::_is_a_local(repository_id); \
  }

// A slot that no ORBInitInfo has allocated.
class InvalidSlot final : public CORBA::UserException {
 public:
  const char* _rep_id() const noexcept override { return "IDL:omg.org/PortableInterceptor/InvalidSlot:1.0"; }
  const char* _name() const noexcept override { return "InvalidSlot"; }
  const char* what() const noexcept override {
    return "PortableInterceptor::InvalidSlot: no initializer of this ORB has allocated the slot";
  }
  [[noreturn]] void _raise() const override { throw *this; }
};

// Thrown by interceptors: the request goes to another object.
class ForwardRequest final : public CORBA::UserException {
 public:
  ForwardRequest() = default;
  explicit ForwardRequest(CORBA::object_reference<CORBA::Object> forward) : forward_(std::move(forward)) {}
  const CORBA::object_reference<CORBA::Object>& forward() const { return forward_; }
  void forward(CORBA::object_reference<CORBA::Object> forward) { forward_ = std::move(forward); }
  const char* _rep_id() const noexcept override {
    return "IDL:omg.org/PortableInterceptor/ForwardRequest:1.0";
  }
  const char* _name() const noexcept override { return "ForwardRequest"; }
  const char* what() const noexcept override {
    return "PortableInterceptor::ForwardRequest: an interceptor sends the request to another object";
  }
  [[noreturn]] void _raise() const override { throw *this; }

 private:
  CORBA::object_reference<CORBA::Object> forward_;
};

// Initial reference "PICurrent": slots of the calling thread, which its requests carry to interceptors. Any
// thread; each sees its own. Slots that were not set hold an Any without a value. Both functions throw
// InvalidSlot, and BAD_INV_ORDER (OMG minor 14) while the ORB's initializers run.
class Current : public virtual CORBA::LocalObject {
  TAKT_INTERCEPTOR_INTERFACE(Current, LocalObject)
  virtual CORBA::Any get_slot(SlotId id) = 0;
  virtual void set_slot(SlotId id, const CORBA::Any& data) = 0;
};

// One request at one point. A member that the point does not have throws BAD_INV_ORDER (OMG minor 14), and so
// does each member once the point has returned. Only for the thread of the point.
class RequestInfo : public virtual CORBA::LocalObject {
  TAKT_INTERCEPTOR_INTERFACE(RequestInfo, LocalObject)
  // Unique among this ORB's requests in progress. It is not the id in the message.
  virtual std::uint32_t request_id() = 0;
  virtual std::string operation() = 0;
  virtual bool response_expected() = 0;
  // Return copies of the values of dynamic requests, and of dynamic servants that have asked for their
  // arguments. Throw NO_RESOURCES (OMG minor 1) for generated code, whose values are not shown.
  virtual Dynamic::ParameterList arguments() = 0;
  virtual Dynamic::ExceptionList exceptions() = 0;
  virtual Dynamic::ContextList contexts() = 0;
  virtual Dynamic::RequestContext operation_context() = 0;
  virtual CORBA::Any result() = 0;
  virtual Messaging::SyncScope sync_scope() = 0;
  virtual ReplyStatus reply_status() = 0;
  // Throws BAD_INV_ORDER (OMG minor 14) unless the status is LOCATION_FORWARD.
  virtual CORBA::object_reference<CORBA::Object> forward_reference() = 0;
  virtual CORBA::Any get_slot(SlotId id) = 0;
  // Return copies. Throw BAD_PARAM (OMG minor 26) if there is no such context.
  virtual IOP::ServiceContext get_request_service_context(IOP::ServiceId id) = 0;
  virtual IOP::ServiceContext get_reply_service_context(IOP::ServiceId id) = 0;
};

class ClientRequestInfo : public virtual RequestInfo {
  TAKT_INTERCEPTOR_INTERFACE(ClientRequestInfo, RequestInfo)
  // The owner of this object, for references that outlive the point.
  virtual std::shared_ptr<ClientRequestInfo> _share() noexcept = 0;
  // The end of a point that has copied its reference.
  virtual void _end_point() noexcept = 0;
  virtual CORBA::object_reference<CORBA::Object> target() = 0;
  // The object to which a server or an interceptor has forwarded the target's calls; else the target.
  virtual CORBA::object_reference<CORBA::Object> effective_target() = 0;
  // The first profile of the effective target.
  virtual IOP::TaggedProfile effective_profile() = 0;
  // An Any with UNKNOWN (OMG minor 1) for user exceptions whose type the ORB does not know.
  virtual CORBA::Any received_exception() = 0;
  virtual std::string received_exception_id() = 0;
  // The first component with that tag in the effective profile, or all. Throw BAD_PARAM (OMG minor 28) if
  // there is none.
  virtual IOP::TaggedComponent get_effective_component(IOP::ComponentId id) = 0;
  virtual IOP::TaggedComponentSeq get_effective_components(IOP::ComponentId id) = 0;
  // The policy that applies to the call; nil if none is set. Throws INV_POLICY (OMG minor 1) for types that
  // neither the ORB nor a PolicyFactory has.
  virtual CORBA::object_reference<CORBA::Policy> get_request_policy(CORBA::PolicyType type) = 0;
  // Throws BAD_INV_ORDER (OMG minor 15) if there is one with that id, unless `replace`. The ORB sends its own
  // contexts, such as code sets, in place of added ones with their ids.
  virtual void add_request_service_context(const IOP::ServiceContext& context, bool replace) = 0;
};

class ServerRequestInfo : public virtual RequestInfo {
  TAKT_INTERCEPTOR_INTERFACE(ServerRequestInfo, RequestInfo)
  // The owner of this object, for references that outlive the point.
  virtual std::shared_ptr<ServerRequestInfo> _share() noexcept = 0;
  // The end of a point that has copied its reference.
  virtual void _end_point() noexcept = 0;
  virtual CORBA::Any sending_exception() = 0;
  // The value of -ORBServerId; empty if it is not set.
  virtual std::string server_id() = 0;
  virtual std::string orb_id() = 0;
  // The adapter's path, which begins with "RootPOA".
  virtual std::vector<std::string> adapter_name() = 0;
  virtual PortableServer::ObjectId object_id() = 0;
  virtual std::vector<std::uint8_t> adapter_id() = 0;
  virtual std::string target_most_derived_interface() = 0;
  virtual bool target_is_a(const std::string& repository_id) = 0;
  // Throws INV_POLICY (OMG minor 3) if no PolicyFactory has the type.
  virtual CORBA::object_reference<CORBA::Policy> get_server_policy(CORBA::PolicyType type) = 0;
  virtual void set_slot(SlotId id, const CORBA::Any& data) = 0;
  // Adds the context to the reply, whatever its kind. Throws BAD_INV_ORDER (OMG minor 15) if there is one
  // with that id, unless `replace`.
  virtual void add_reply_service_context(const IOP::ServiceContext& context, bool replace) = 0;
};

}  // namespace PortableInterceptor

namespace takt::interceptors {

// Stands in for object_reference where the object is the info of a point. The reference that a point gets is
// lent: it owns nothing, so that a point that keeps none changes no count. Its copies share the object, and
// it notes that there were some. One thread may use a lent reference.
template <class Info>
class InfoReference {
 public:
  using element_type = Info;
  struct Lent {};

  InfoReference() noexcept {}
  InfoReference(std::nullptr_t) noexcept {}
  explicit InfoReference(std::shared_ptr<Info> info) noexcept { own(std::move(info)); }
  template <class U>
    requires std::is_convertible_v<U*, Info*>
  InfoReference(const CORBA::object_reference<U>& other) noexcept {
    own(other.shared());
  }
  // The object must outlive the reference.
  InfoReference(Lent, Info& info) noexcept : info_(&info) {}
  InfoReference(const InfoReference& other) noexcept { own(other.shared()); }
  InfoReference& operator=(const InfoReference& other) noexcept {
    std::shared_ptr<Info> info = other.shared();
    disown();
    own(std::move(info));
    return *this;
  }
  InfoReference& operator=(std::nullptr_t) noexcept {
    disown();
    return *this;
  }
  ~InfoReference() {
    if (to_end_ != 0) [[unlikely]]
      end();
  }

  Info* operator->() const {
    if (!info_) [[unlikely]]
      takt::reference::throw_nil_reference();
    return info_;
  }
  Info& operator*() const { return *operator->(); }
  Info* get() const noexcept { return info_; }
  explicit operator bool() const noexcept { return info_ != nullptr; }

  void reset() noexcept { disown(); }
  void swap(InfoReference& other) noexcept {
    const InfoReference kept = other;
    other = *this;
    *this = kept;
  }
  CORBA::weak_object_reference<Info> weak_reference() const {
    return CORBA::weak_object_reference<Info>(CORBA::object_reference<Info>(shared()));
  }
  std::shared_ptr<Info> shared() const noexcept {
    if ((to_end_ & owns) != 0) return owned_;
    if (!info_) return nullptr;
    lent_ = info_;
    to_end_ |= was_copied;
    return info_->_share();
  }

  friend bool operator==(const InfoReference& a, std::nullptr_t) noexcept { return !a.info_; }
  template <class U>
  friend bool operator==(const InfoReference& a, const CORBA::object_reference<U>& b) noexcept {
    return a.get() == b.get();
  }

 private:
  static constexpr std::uint8_t owns = 1, was_copied = 2;

  void own(std::shared_ptr<Info> info) noexcept {
    info_ = info.get();
    if (!info_) return;
    std::construct_at(&owned_, std::move(info));
    to_end_ |= owns;
  }
  void disown() noexcept {
    info_ = nullptr;
    if ((to_end_ & owns) == 0) return;
    to_end_ &= static_cast<std::uint8_t>(~owns);
    std::destroy_at(&owned_);
  }
  // Not inlined, so that points save no registers for it.
  [[gnu::cold, gnu::noinline]] void end() noexcept {
    disown();
    if (to_end_ != 0) lent_->_end_point();
  }

  Info* info_ = nullptr;
  // The tasks of end(), as bits.
  mutable std::uint8_t to_end_ = 0;
  union {
    std::shared_ptr<Info> owned_;  // with `owns`
  };
  mutable Info* lent_;  // with `was_copied`: a reference that was lent stays so whatever is assigned to it
};

}  // namespace takt::interceptors

namespace CORBA {

template <>
class object_reference<PortableInterceptor::ClientRequestInfo>
    : public takt::interceptors::InfoReference<PortableInterceptor::ClientRequestInfo> {
 public:
  using InfoReference::InfoReference;
};
template <>
class object_reference<PortableInterceptor::ServerRequestInfo>
    : public takt::interceptors::InfoReference<PortableInterceptor::ServerRequestInfo> {
 public:
  using InfoReference::InfoReference;
};

}  // namespace CORBA
