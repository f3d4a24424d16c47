// The ServerRequestInfo of a flow.
#pragma once

#include <memory>

#include <takt/interceptors/request_info.h>

#include "interceptors/common/open_info.h"
#include "interceptors/server/server_flow.h"

namespace takt::interceptors {

// Points, as bits.
namespace server_point {
inline constexpr unsigned receive_contexts = 1, receive_request = 2, send_reply = 4, send_exception = 8,
                          send_other = 16;
inline constexpr unsigned ends = send_reply | send_exception | send_other;
inline constexpr unsigned all = receive_contexts | receive_request | ends;
}  // namespace server_point

// It is large because the standard gives it these operations.
class ServerInfo final : public PortableInterceptor::ServerRequestInfo,
                         public OpenInfo<ServerFlow>,
                         public std::enable_shared_from_this<ServerInfo> {
 public:
  using OpenInfo::OpenInfo;
  std::shared_ptr<PortableInterceptor::ServerRequestInfo> _share() noexcept override {
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
  CORBA::Any sending_exception() override;
  std::string server_id() override;
  std::string orb_id() override;
  std::vector<std::string> adapter_name() override;
  PortableServer::ObjectId object_id() override;
  std::vector<std::uint8_t> adapter_id() override;
  std::string target_most_derived_interface() override;
  bool target_is_a(const std::string& repository_id) override;
  CORBA::object_reference<CORBA::Policy> get_server_policy(CORBA::PolicyType type) override;
  void set_slot(PortableInterceptor::SlotId id, const CORBA::Any& data) override;
  void add_reply_service_context(const IOP::ServiceContext& context, bool replace) override;

 private:
  // As at(), and the adapter must be known; else throws NO_RESOURCES (OMG minor 1).
  ServerFlow& with_adapter(unsigned points) const;
};

}  // namespace takt::interceptors
