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

#include "adapter/poa/upcall.h"
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
// the flow, which reads their status from their head; contexts that interceptors add make it begin them. It
// is large because what each point may ask of the request is here.
class ServerFlow final : private adapter::UpcallObserver,
                         private server::ServerCall::Interception,
                         private server::EarlyReply {
 public:
  ServerFlow();
  ~ServerFlow();
  ServerFlow(const ServerFlow&) = delete;
  ServerFlow& operator=(const ServerFlow&) = delete;

  // Dispatches the request to `next`, with the points around it. Answers it. Requests of the ORB must be
  // plain (OrbInterceptors::plain_requests).
  static void serve(OrbInterceptors& orb, server::ServerCall& call, server::Dispatcher& next) noexcept;
  // The same for any request.
  static void serve_any(OrbInterceptors& orb, server::ServerCall& call, server::Dispatcher& next) noexcept;
  // The same for a request with an early reply, which passes no point.
  static void serve_early(OrbInterceptors& orb, server::ServerCall& call, server::EarlyReply& early,
                          server::Dispatcher& next) noexcept;
  // The same for a caller in this process.
  static reference::LocalAnswer serve_local(OrbInterceptors& orb, const OperationId& operation,
                                            void* arguments, const ByteView& key, server::Dispatcher& next);

 private:
  friend class ServerInfo;
  friend class invocation::FlowPool<ServerFlow>;
  enum class Kind : std::uint8_t { results, exception, user_exception, other };
  using Point = void (PortableInterceptor::ServerRequestInterceptor::*)(
      CORBA::object_reference<PortableInterceptor::ServerRequestInfo>);

  using Place = PortableInterceptor::ServerRequestInterceptor* const*;

  cdr::Encoder& begin(server::ServerCall& call, giop::ReplyStatus status, bool has_body) override;
  bool found(const adapter::UpcallFrame& upcall) override;
  void served(std::shared_ptr<const reference::ShownValues> values) override;
  bool observes(const adapter::UpcallFrame& upcall) const override { return upcall_ == &upcall; }
  bool serves(const adapter::AdapterTree& adapters) const override {
    return orb_ && orb_->adapters == &adapters;
  }
  // Null, and answers, if there is no memory for it.
  static ServerFlow* take(server::ServerCall& call) noexcept;
  void run(PortableInterceptor::ServerRequestInterceptor& interceptor, unsigned point, Point function);
  // `completed`: the status of what the point may throw. False.
  bool point_has_thrown(bool may_forward, CORBA::CompletionStatus completed);
  void add_context(const IOP::ServiceContext& context, bool replace);
  std::uint32_t request_id();
  void renew_info() noexcept;
  void begin(OrbInterceptors& orb, server::ServerCall& call);
  void end() noexcept;
  // Runs the starting points up to `end`; there must be some. False: one has thrown, which is the outcome.
  bool start(Place end);
  bool start_any(Place end);
  // Null without interceptors.
  UpcallObserver* observer() { return begun_ == first_ ? nullptr : this; }
  void serve_plain(OrbInterceptors& orb, server::ServerCall& call, server::Dispatcher& next) noexcept;
  template <class Dispatch>
  void serve_with_state(Dispatch dispatch) noexcept;
  void finish_with_state();
  bool run_send_reply();
  void keep_key(const ByteView& of_upcall);
  reference::LocalAnswer serve_here(const OperationId& operation, void* arguments, server::Dispatcher& next);
  // Makes the upcall, whose exception is put into `raised`.
  reference::LocalAnswer call_servant_here(const OperationId& operation, void* arguments,
                                           server::Dispatcher& next, std::exception_ptr& raised);
  bool send(server::ServerCall& call) noexcept override;
  // Runs the ending points.
  void unwind();
  void unwind_with_exceptions();
  void fail_without_memory() noexcept;
  // The points have run: answers as they want it.
  void end_with_state() noexcept;
  void become(Thrown thrown);
  // Whether the servant has answered with results, or a oneway has no answer.
  bool has_results();
  static bool has_results_in_head(server::ServerCall& call);
  // The outcome that the servant's answer says, if that is no result.
  void learn_outcome();
  // Whether read_head() can read the head of the answer.
  static bool has_readable_head(server::ServerCall& call) {
    return call.giop_minor() == 2 && !call.has_short_head();
  }
  void read_head();
  void answer();
  void forget() noexcept;
  PortableInterceptor::ReplyStatus status() const;
  std::string_view operation() const { return call_ ? call_->operation() : local_operation_; }
  // The key that has led to the servant.
  ByteView key() const { return other_key_.empty() ? *key_ : ByteView(other_key_); }
  bool response_expected() const {
    return call_ ? call_->response_expected() && !replied_early_ : local_response_expected_;
  }
  // The adapter, once it is known; null before, or if `ended_` is set. Once an interceptor of the ORB has
  // asked, each request keeps its adapter, which the operation may destroy; until then the ORB keeps what
  // infos say of adapters that are destroyed.
  adapter::PoaCore* adapter();

  OrbInterceptors* orb_ = nullptr;       // null between requests
  server::ServerCall* call_ = nullptr;   // null for a caller in this process
  server::EarlyReply* early_ = nullptr;  // null if the request has none
  const ByteView* key_ = nullptr;        // the object's, as the caller has it
  // These describe a request from a caller in this process.
  std::string_view local_operation_;
  bool local_response_expected_ = true;
  bool replied_early_ = false;
  bool begins_ = false;           // the flow begins the answers
  bool has_state_ = false;        // end_with_state() has something to do
  std::uint32_t request_id_ = 0;  // 0: no interceptor has asked for it
  // The flow stack: the interceptors from the first of their list to this place have begun.
  Place first_ = nullptr, begun_ = nullptr;
  AddedContexts added_;
  bool added_late_ = false;                     // contexts that the answer does not have yet
  std::vector<giop::ServiceContext> contexts_;  // the contexts of an answer
  giop::ReplyStatus answered_{};                // the status of the answer, and where its body begins
  std::size_t body_at_ = 0;
  Slots slots_;  // request scope

  // The servant, once it is known.
  const adapter::UpcallFrame* upcall_ = nullptr;  // while the upcall lasts
  bool knows_adapter_ = false;
  std::shared_ptr<adapter::PoaCore> poa_;                 // null until an interceptor of the ORB has asked
  std::shared_ptr<const EndedAdapter> ended_;             // in place of poa_ if destroyed before
  std::vector<std::uint8_t> other_key_;                   // if it is not that of the caller
  std::shared_ptr<const reference::ShownValues> values_;  // null unless a dynamic servant has run

  Kind kind_ = Kind::results;
  bool replaced_ = false;  // an interceptor has: what was thrown is the answer
  bool retried_ = false;   // the caller in this process sends the request again
  std::exception_ptr exception_;
  std::string exception_id_;
  std::optional<CORBA::Any> user_exception_;
  CORBA::object_reference<CORBA::Object> forward_;

  ServerFlow* next_free_ = nullptr;
  std::shared_ptr<ServerInfo> info_;
};

}  // namespace takt::interceptors
