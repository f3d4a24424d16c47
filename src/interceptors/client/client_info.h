// The ClientRequestInfo of a flow.
#pragma once

#include <memory>

#include <takt/interceptors/request_info.h>

#include "interceptors/client/client_flow.h"
#include "interceptors/common/open_info.h"

namespace takt::interceptors {

// Points, as bits.
namespace client_point {
inline constexpr unsigned send_request = 1, receive_reply = 2, receive_exception = 4, receive_other = 8;
inline constexpr unsigned ends = receive_reply | receive_exception | receive_other;
}  // namespace client_point

class ClientInfo final : public PortableInterceptor::ClientRequestInfo,
                         public OpenInfo<ClientFlow>,
                         public std::enable_shared_from_this<ClientInfo> {
 public:
  using OpenInfo::OpenInfo;
  std::shared_ptr<PortableInterceptor::ClientRequestInfo> _share() noexcept override {
    return shared_from_this();
  }
  void _end_point() noexcept override { flow().renew_info(); }
  std::uint32_t request_id() override;
  std::string operation() override;
  bool response_expected() override;
  Dynamic::ParameterList arguments() override;
  Dynamic::ExceptionList exceptions() override;
  Dynamic::ContextList contexts() override;
  Dynamic::RequestContext operation_context() override;
  CORBA::Any result() override;
  Messaging::SyncScope sync_scope() override;
  PortableInterceptor::ReplyStatus reply_status() override;
  CORBA::object_reference<CORBA::Object> forward_reference() override;
  CORBA::Any get_slot(PortableInterceptor::SlotId id) override;
  IOP::ServiceContext get_request_service_context(IOP::ServiceId id) override;
  IOP::ServiceContext get_reply_service_context(IOP::ServiceId id) override;
  CORBA::object_reference<CORBA::Object> target() override;
  CORBA::object_reference<CORBA::Object> effective_target() override;
  IOP::TaggedProfile effective_profile() override;
  CORBA::Any received_exception() override;
  std::string received_exception_id() override;
  IOP::TaggedComponent get_effective_component(IOP::ComponentId id) override;
  IOP::TaggedComponentSeq get_effective_components(IOP::ComponentId id) override;
  CORBA::object_reference<CORBA::Policy> get_request_policy(CORBA::PolicyType type) override;
  void add_request_service_context(const IOP::ServiceContext& context, bool replace) override;
};

}  // namespace takt::interceptors
