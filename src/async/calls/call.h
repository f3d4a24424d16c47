// One asynchronous call, from sendc until its outcome was delivered.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <takt/async/sending.h>
#include <takt/async/sent_scope.h>

#include "async/deferred/inherited_calls.h"
#include "client/strategy/active_connection.h"
#include "invocation/call_interception.h"
#include "reference/object_ref.h"

namespace takt::async {

class AsyncCalls;
class LoopInbox;

// Reused for later calls of its ORB. Its owner is in turn the thread that sends it, the connection, the
// thread that reads the reply, and the one that delivers the outcome; the references keep it for those that
// may still look at it. It is large because the call has no stack: what a synchronous call has there, and
// what its end needs, are members.
class alignas(64) Call final : public client::ActiveConnection::Caller {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Call(AsyncCalls& of);

  // Begins a call, with one reference.
  void begin(const std::shared_ptr<reference::ObjectRef>& target, const CallType& of_type);
  void keep() { references_.fetch_add(1, std::memory_order_relaxed); }
  // Gives the call back to its ORB if this was the last reference.
  void release();
  // While a thread hands on the outcomes of many calls, it keeps the last call that was released, with its
  // references to the target and the connection, because a handler probably calls the same object again. This
  // is that call if it has called `target`, else null. Has no reference.
  static Call* take_kept(const reference::ObjectRef& target) noexcept;

  // Delivers the outcome to the sink, and releases one reference. Holds no lock meanwhile. Exceptions of the
  // application are logged.
  void deliver() noexcept {
    if (ends()) deliver_end();
  }
  // The two parts of that. ends() runs the ending points of interceptors. False: one of them forwards the
  // call, which is sent again, and is no longer the caller's.
  bool ends() noexcept;
  void deliver_end() noexcept;
  // Whether the call is to be sent again, elsewhere or in another way, instead of being delivered.
  bool goes_on() const;
  // Whether the outcome is a reply with results or a user exception.
  bool has_results() const {
    return !failure && exchange.status == client::Exchange::Status::reply &&
           reply.reply_status <= giop::ReplyStatus::user_exception;
  }
  // Call first in a thread that reads replies for calls of that ORB. `own`: the RT-CORBA priority at which it
  // reads. The ORB outlives the thread.
  static void prepare_reading_thread(const client::Client& client, std::optional<giop::Priority> own);
  // Delivers the outcome in such a thread, at the caller's RT-CORBA priority if it had one.
  void deliver_while_reading() noexcept;
  // Drops what may be the last reference to an ORB. The calling thread does not wait for the ORB's end if it
  // must not.
  static void let_go(std::shared_ptr<const void> orb) noexcept;
  // Whether the calling thread delivers outcomes at present, or reads them.
  static bool delivers_here();
  // Call after a listener: in a thread that reads replies, the next code of the program must not find the
  // slots and policies that it has set.
  static void leave_no_slots() noexcept;
  void log(LogEvent event, const std::string& reason) const noexcept;
  // Whether the call was cancelled, and had no other outcome by then.
  bool ended_by_cancelling() const {
    return given_up.load(std::memory_order_relaxed) && exchange.status == client::Exchange::Status::timeout;
  }
  // Tells the server, if it listens to that, not to begin a request that is late or cancelled.
  void cancel_at_server() noexcept;
  // The report to a SentListener that the request has left the process, or never will. The call, which is
  // new, takes the listener of the present SentScope.
  void take_sent_listener();
  void drop_sent_listener() noexcept;
  // Before the request is given to a connection: true if the report waits for the connection. Then the call
  // has a further reference. If the connection refuses the request, cancel_sent_report() releases it.
  bool begin_sent_report();
  void cancel_sent_report();
  // The connection has no more to do with the request. Releases the reference. No lock may be held.
  void end_sent_report() noexcept;
  // Reports to the listener, which must be there, unless it has had a report.
  void report_sent() noexcept;
  void report_not_sent() noexcept;
  [[noreturn]] void throw_cancelled(CORBA::CompletionStatus completed) const;
  // The call ends with this instead of a reply.
  void fail(std::exception_ptr why) noexcept { failure = std::move(why); }

  // The fields that each call uses stand together in memory, in front of the rest.
  AsyncCalls& calls;
  const CallType* type = nullptr;
  std::shared_ptr<reference::ObjectRef> ref;
  std::shared_ptr<const reference::Target> to;  // keeps `route` alive
  const reference::Route* route = nullptr;
  std::shared_ptr<client::ActiveConnection> connection;  // the last that it was sent on; null if none
  Call* next_ended = nullptr;                            // in a list of calls to be handed on
  // The points that interceptors have yet to run; null if there are none, or a ClientCall runs them.
  invocation::CallInterception* interception = nullptr;
  std::atomic<LoopInbox*> loop{nullptr};  // delivers the call by its thread; null: see AsyncSettings
  LoopInbox* kept_inbox = nullptr;        // has a reference, while others may look at the loop's inbox
  Clock::time_point deadline = Clock::time_point::max();
  std::chrono::nanoseconds timeout{};  // as the request had it, for messages
  std::exception_ptr failure;
  unsigned redirections = 0;
  std::uint32_t request_id = 0;
  std::array<std::uint8_t, giop::header_size> head{};  // the start of the request
  std::atomic<bool> cancelled{false};                  // it must not be sent again
  // For Deadlines, which writes them under its lock.
  std::atomic<bool> given_up{false};  // cancelled while it waited for its reply, or as that arrived
  bool posted = false;                // it waits for its reply
  bool watched = true;                // it has a deadline, or may be cancelled; set before it is sent
  bool held = false;                  // by a HeldCall, through which it may be cancelled
  // Guarded by the inbox of `loop`:
  bool leaves_loop = false;       // it belongs to that loop no more
  bool ended_in_loop = false;     // it has come to the inbox
  LoopInbox* moves_to = nullptr;  // with a reference: that of the loop that it belongs to instead
  std::uint32_t attempt = 0;      // increases when the call ends, or is about to be sent again
  std::size_t place = 0;          // 1 + its place among the deadlines; 0: it has none

 private:
  std::atomic<unsigned> references_{0};

 public:
  // For SpareCalls:
  std::uint32_t number = 0;
  std::atomic<std::uint32_t> next_spare{0};
  bool has_own_format = false;  // the reply has come by some other way than the connection
  // Whether any of the fields from `policies` to `inherited`, kept_inbox or sent_listener may be set. Most
  // calls touch none of their memory.
  bool has_extras = false;
  // Encoded arguments, to send the call again or to run it here: in `few_arguments` or `more_arguments`.
  std::size_t arguments_index = 0;  // CDR index of the first octet
  ByteView arguments;
  std::array<std::uint8_t, 32> few_arguments;

 private:
  alignas(std::max_align_t) std::byte sink_[Sending::sink_bytes];

 public:
  // Effects of policies, once a first attempt has found them.
  struct Policies {
    Clock::time_point request_by, reply_by;
    bool transparent, carries_quality;
  };
  std::optional<Policies> policies;
  struct Cancelling {
    Call& call;
    void operator()() const noexcept;
  };
  std::optional<std::stop_callback<Cancelling>> stop;  // by the StopScope that the call began in
  std::string exception_id;                            // if it was read from the reply; else empty
  InheritedCalls inherited;
  std::vector<std::uint8_t> more_arguments;
  cdr::Format own_format;  // the reply's, if has_own_format
  // For calls that tell when they are sent.
  std::shared_ptr<SentListener> sent_listener;  // null: they do not
  Call* next_left = nullptr;                    // in a list of calls whose reports are due
  std::atomic<bool> reported{false};            // the listener has had its report
  std::atomic<bool> in_queue{false};            // a connection has the request, and has not called `left`
  bool left_whole = false;                      // the argument of `left`

  // The format of the arguments. Valid until the call is sent again.
  cdr::Format format_of_arguments() const;
  // Copies what is left of a reply that some other way than the connection has brought.
  void keep_reply(cdr::Decoder& body, giop::ReplyStatus status);
  // A decoder at the start of the reply's body.
  cdr::Decoder decoder_of_reply();

  void* sink() { return sink_; }
  void destroy_sink() noexcept;
  // Ends an attempt that had no result. Throws the system exception that interceptors put in its place.
  void end_attempt(invocation::CallInterception::Other reason);
  // Runs the starting points of a call within the process. False: an interceptor forwards it, so it goes over
  // a connection. Throws the system exception that the caller gets.
  bool starts_here();
  // Throws TRANSIENT after as many forwards as -ORBMaxRedirections allows.
  void count_redirection();
  void end_interception() noexcept {
    if (interception) std::exchange(interception, nullptr)->end();
  }

  // The call's connection, or that it has none. For error texts.
  std::string where() const;

 private:
  class KeepsLast;
  friend void hand_on_all() noexcept;
  void give_back() noexcept;
  void clear_extras() noexcept;
  void find_failure() noexcept;
  bool forwarded_by_interceptors() noexcept;
  bool forwarded_at_end();
  void complete();
  void complete_reply();
  [[noreturn]] void throw_not_answered();
  [[noreturn]] void throw_system_exception();
};

}  // namespace takt::async
