// The flow of one call through the client interceptors (CORBA 3.0.3, 21.3.6).
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interceptors/common/added_contexts.h"
#include "interceptors/common/orb_interceptors.h"
#include "interceptors/common/slots.h"
#include "invocation/call_interception.h"

namespace takt::invocation {
template <class Flow>
class FlowPool;
}

namespace takt::interceptors {

class ClientInfo;
struct Thrown;

// Each thread keeps its flows for later calls. One thread, but for those that outlive theirs. points.h has
// the functions that each call runs.
class ClientFlow final : public invocation::CallInterception {
 public:
  // A flow for a call, until its end(). The arguments must outlive it.
  static ClientFlow& take(OrbInterceptors& orb, reference::ObjectRef& ref, std::string_view operation,
                          bool response_expected, bool local);
  // That of the call within the process which the calling thread makes now; null if there is none.
  static ClientFlow* local_call() { return local_call_; }
  ClientFlow();
  ~ClientFlow();
  ClientFlow(const ClientFlow&) = delete;
  ClientFlow& operator=(const ClientFlow&) = delete;

  bool start() override;
  bool adds_contexts() const override { return !added_.empty(); }
  std::span<const giop::ServiceContext> with_added(std::span<const giop::ServiceContext> contexts) override;
  bool response_expected() const override { return response_expected_; }
  void keep_contexts(const giop::ServiceContexts& contexts) override;
  void replied(const giop::ServiceContexts* contexts) override;
  void raised(const CORBA::SystemException& exception) override;
  bool raised_user(std::string_view id, const CORBA::Any* exception) override;
  bool ended_by(Other reason) override;
  void abandoned() noexcept override;
  void hand_over() override;
  void outlive_thread() override;
  void go_on() override { started_ = true; }
  void end() noexcept override;

  // For the server interceptors of a call within the process.
  const AddedContexts& request_contexts() const { return added_; }
  void keep_reply_contexts(const AddedContexts& contexts);

 private:
  friend class ClientInfo;
  friend class invocation::FlowPool<ClientFlow>;
  enum class Kind : std::uint8_t { results, exception, user_exception, other };
  using Point = void (PortableInterceptor::ClientRequestInterceptor::*)(
      CORBA::object_reference<PortableInterceptor::ClientRequestInfo>);

  void run(PortableInterceptor::ClientRequestInterceptor& interceptor, unsigned point, Point function);
  static ClientFlow* take_handed_over(reference::ObjectRef& ref, std::string_view operation, bool local);
  bool start_has_thrown();
  void reply_has_thrown();
  void leave_local_call();
  std::uint32_t request_id();
  void make_info();
  // Runs the ending points of a call without results. True: an interceptor has forwarded the call. It cannot
  // forward one that has had results.
  bool unwind(bool may_forward = true);
  void become(Thrown thrown);
  void forget();
  void forget_all() noexcept;

  OrbInterceptors* orb_ = nullptr;
  reference::ObjectRef* ref_ = nullptr;
  std::string_view operation_;
  bool response_expected_ = false;
  bool local_ = false;
  bool began_ = false;            // a first attempt has begun
  bool started_ = false;          // start() was called by the call that handed this over
  bool own_ = false;              // it may end in another thread
  bool used_ = false;             // forget() has something to do
  std::uint32_t request_id_ = 0;  // 0: no interceptor has asked for it
  // The flow stack: the first interceptors of the list that have begun.
  PortableInterceptor::ClientRequestInterceptor* const* list_ = nullptr;
  std::size_t begun_ = 0;
  AddedContexts added_;
  std::vector<giop::ServiceContext> joined_;  // the result of with_added()
  Slots slots_;                               // request scope

  // The outcome.
  Kind kind_ = Kind::results;
  PortableInterceptor::ReplyStatus status_ = PortableInterceptor::SUCCESSFUL;
  std::exception_ptr exception_;
  std::string exception_id_;
  std::optional<CORBA::Any> user_exception_;
  CORBA::object_reference<CORBA::Object> forward_;
  bool forwards_ = false;  // an interceptor does
  const giop::ServiceContexts* reply_contexts_ = nullptr;
  giop::ServiceContexts kept_contexts_;
  std::vector<std::uint8_t> kept_octets_;
  AddedContexts local_reply_contexts_;

  ClientFlow* next_free_ = nullptr;
  CORBA::object_reference<PortableInterceptor::ClientRequestInfo> info_reference_;
  ClientInfo* info_ = nullptr;  // the same
  ClientFlow* outer_local_call_ = nullptr;
  static thread_local constinit ClientFlow* local_call_;
};

}  // namespace takt::interceptors
