// The flow of one request through the server interceptors (CORBA 3.0.3, 21.3.9).
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <takt/server/server_call.h>

#include "adapter/poa/upcall_observer.h"
#include "giop/contexts/service_context.h"
#include "interceptors/common/added_contexts.h"
#include "interceptors/common/orb_interceptors.h"
#include "interceptors/common/slots.h"
#include "server/dispatcher.h"

namespace takt::interceptors {

class ServerInfo;
struct Thrown;

// Each thread keeps its flows for later requests. One thread.
class ServerFlow final : private server::ServerCall::Interception,
                         private server::EarlyReply,
                         private adapter::UpcallObserver {
 public:
  ServerFlow();
  ~ServerFlow();
  ServerFlow(const ServerFlow&) = delete;
  ServerFlow& operator=(const ServerFlow&) = delete;

  // Dispatches the request to `next`, with the points around it. Answers it.
  void serve(OrbInterceptors& orb, server::ServerCall& call, server::Dispatcher& next) noexcept;
  // The same for a request with an early reply, which passes no point.
  void serve_early(OrbInterceptors& orb, server::ServerCall& call, server::EarlyReply& early,
                   server::Dispatcher& next) noexcept;
  // The same for a caller in this process.
  reference::LocalAnswer serve_local(OrbInterceptors& orb, const OperationId& operation, void* arguments,
                                     const ByteView& key, server::Dispatcher& next);

 private:
  friend class ServerInfo;
  enum class Kind : std::uint8_t { results, exception, user_exception, other };
  using Point = void (PortableInterceptor::ServerRequestInterceptor::*)(
      CORBA::object_reference<PortableInterceptor::ServerRequestInfo>);

  cdr::Encoder& begin(server::ServerCall& call, giop::ReplyStatus status, bool has_body) override;
  bool found(const adapter::UpcallFrame& upcall) override;
  void begin_request(OrbInterceptors& orb, std::string_view operation, const ByteView& key);
  void run(std::size_t interceptor, unsigned point, Point function);
  void make_info();
  // Runs the starting points. False: one has thrown, which is the outcome.
  bool start();
  template <class Dispatch>
  void serve_by(OrbInterceptors& orb, server::ServerCall& call, Dispatch dispatch) noexcept;
  template <class Dispatch>
  void serve_between_points(Dispatch dispatch);
  bool send(server::ServerCall& call) noexcept override;
  // Runs the ending points.
  void unwind();
  void become(Thrown thrown);
  // The outcome that the servant's answer says.
  void learn_outcome();
  void answer();
  void forget();
  PortableInterceptor::ReplyStatus status() const;

  OrbInterceptors* orb_ = nullptr;
  server::ServerCall* call_ = nullptr;   // null for a caller in this process
  server::EarlyReply* early_ = nullptr;  // null if the request has none
  std::string_view operation_;
  ByteView key_;
  bool response_expected_ = true;
  bool local_ = false;
  std::uint32_t request_id_ = 0;
  std::vector<std::size_t> stack_;  // the flow stack: indices of interceptors
  AddedContexts added_;
  bool added_late_ = false;                     // contexts that the answer does not have yet
  std::vector<giop::ServiceContext> contexts_;  // those of an answer
  giop::ReplyStatus answered_{};                // the status of the answer, and where its body begins
  std::size_t body_at_ = 0;
  Slots slots_;  // request scope

  // The servant, once it is known.
  const adapter::UpcallFrame* upcall_ = nullptr;  // while the upcall lasts
  std::shared_ptr<adapter::PoaCore> poa_;
  std::vector<std::uint8_t> other_key_;  // if it is not key_

  Kind kind_ = Kind::results;
  bool replaced_ = false;  // an interceptor has: what was thrown is the answer
  bool retried_ = false;   // the caller in this process sends the request again
  std::exception_ptr exception_;
  std::string exception_id_;
  std::optional<CORBA::Any> user_exception_;
  CORBA::object_reference<CORBA::Object> forward_;

  CORBA::object_reference<PortableInterceptor::ServerRequestInfo> info_reference_;
  ServerInfo* info_ = nullptr;  // the same
};

}  // namespace takt::interceptors
