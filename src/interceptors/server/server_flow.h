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
#include "server/pipeline/dispatcher.h"

namespace takt::invocation {
template <class Flow>
class FlowPool;
}

namespace takt::interceptors {

class ServerInfo;
struct Thrown;

// Each thread keeps its flows for later requests. One thread. The answers of most requests are begun without
// the flow, which reads their status from their head; contexts that interceptors add make it begin them.
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
  friend class invocation::FlowPool<ServerFlow>;
  enum class Kind : std::uint8_t { results, exception, user_exception, other };
  using Point = void (PortableInterceptor::ServerRequestInterceptor::*)(
      CORBA::object_reference<PortableInterceptor::ServerRequestInfo>);

  cdr::Encoder& begin(server::ServerCall& call, giop::ReplyStatus status, bool has_body) override;
  bool found(const adapter::UpcallFrame& upcall) override;
  void served(std::shared_ptr<const reference::ShownValues> values) override;
  bool observes(const adapter::UpcallFrame& upcall) const override { return upcall_ == &upcall; }
  void begin_request(OrbInterceptors& orb, std::string_view operation, const ByteView& key);
  void run(PortableInterceptor::ServerRequestInterceptor& interceptor, unsigned point, Point function);
  bool point_has_thrown(bool may_forward);
  void add_context(const IOP::ServiceContext& context, bool replace);
  std::uint32_t request_id();
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
  void unwind_with_exceptions();
  void become(Thrown thrown);
  // Whether the servant has answered with results, or a oneway has no answer.
  bool has_results();
  // The outcome that the servant's answer says, if that is no result.
  void learn_outcome();
  // Whether read_head() can read the head of the answer.
  bool has_readable_head() const { return call_->giop_minor() == 2 && !call_->has_short_head(); }
  void read_head();
  void answer();
  void forget() noexcept;
  PortableInterceptor::ReplyStatus status() const;

  OrbInterceptors* orb_ = nullptr;
  server::ServerCall* call_ = nullptr;   // null for a caller in this process
  server::EarlyReply* early_ = nullptr;  // null if the request has none
  std::string_view operation_;
  ByteView key_;
  bool response_expected_ = true;
  bool local_ = false;
  bool begins_ = false;           // the flow begins the answers
  bool used_ = false;             // forget() has something to do
  std::uint32_t request_id_ = 0;  // 0: no interceptor has asked for it
  // The flow stack: the first interceptors of the list that have begun.
  PortableInterceptor::ServerRequestInterceptor* const* list_ = nullptr;
  std::size_t begun_ = 0;
  AddedContexts added_;
  bool added_late_ = false;                     // contexts that the answer does not have yet
  std::vector<giop::ServiceContext> contexts_;  // those of an answer
  giop::ReplyStatus answered_{};                // the status of the answer, and where its body begins
  std::size_t body_at_ = 0;
  Slots slots_;  // request scope

  // The servant, once it is known.
  const adapter::UpcallFrame* upcall_ = nullptr;  // while the upcall lasts
  std::shared_ptr<adapter::PoaCore> poa_;
  std::vector<std::uint8_t> other_key_;                   // if it is not key_
  std::shared_ptr<const reference::ShownValues> values_;  // null unless a dynamic servant has run

  Kind kind_ = Kind::results;
  bool replaced_ = false;  // an interceptor has: what was thrown is the answer
  bool retried_ = false;   // the caller in this process sends the request again
  std::exception_ptr exception_;
  std::string exception_id_;
  std::optional<CORBA::Any> user_exception_;
  CORBA::object_reference<CORBA::Object> forward_;

  ServerFlow* next_free_ = nullptr;
  CORBA::object_reference<PortableInterceptor::ServerRequestInfo> info_reference_;
  ServerInfo* info_ = nullptr;  // the same
};

}  // namespace takt::interceptors
