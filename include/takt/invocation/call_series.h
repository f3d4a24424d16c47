// Several calls on one object that leave together, and whose replies are read together.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <takt/invocation/prepared_call.h>

namespace takt {

namespace client {
class BatchChannel;
struct Exchange;
}  // namespace client

namespace invocation {

// Calls of one operation without results and out parameters, whose arguments are prepared:
//
//   CallSeries series(*sink, "push");
//   std::size_t count = 0;
//   if (series.begin()) while (count < pushes.size() && series.add(pushes[count].arguments())) ++count;
//   if (count == 0) ...                         // make these calls one at a time
//   series.send();
//   for (std::size_t i = 0; i < count; ++i) ... series.next() ...
//
// The server carries them out one after the other, in this order. begin() refuses where that is not certain.
// Such are servers of other ORBs, and those whose references say that requests of a connection may overlap.
// It refuses interceptors, GIOPlite and compression, calls within the process, and the first call over a
// connection.
//
// All calls have the timeout that the reference gives to each, from begin() on; where the client has to wait
// for a reply, it waits for that time again. A deadline (RELATIVE_RT_TIMEOUT, REPLY_END_TIME) holds for all
// of them. Lives on the caller's stack; one thread.
class CallSeries {
 public:
  static constexpr std::size_t most_calls = 128;
  enum class Outcome : std::uint8_t {
    done,
    user_exception,
    // Not begun, because the object has moved, or the server has closed the connection in good order. A call
    // that is made alone finds the object.
    again,
  };

  CallSeries(const CORBA::Object& target, std::string_view operation);
  // Ends the connection if outcomes are missing.
  ~CallSeries();
  CallSeries(const CallSeries&) = delete;
  CallSeries& operator=(const CallSeries&) = delete;

  // Takes a connection. False: the calls must be made one at a time. Throws what a call throws that cannot
  // reach the object.
  bool begin();
  // Appends a call. False: there are most_calls, or its arguments are too long or not encoded in advance. The
  // arguments must live until send() has returned.
  bool add(const PreparedArguments& arguments);
  std::size_t size() const { return count_; }
  // Sends the calls, of which there is one at least. A failure is told by next().
  void send();
  // Waits for the outcome of the next call, as often as there are calls. Throws the system exceptions of a
  // call. After a failure of the connection it throws for each further call, too.
  Outcome next();

  // After `user_exception`, until the next next(): as those of ClientCall.
  std::string_view exception_id() const { return exception_id_; }
  cdr::Decoder& reply() { return *reply_; }
  void finish();
  [[noreturn]] void throw_unlisted_exception();

 private:
  struct Failure;
  bool suits() const;
  std::size_t most_bytes() const;
  Outcome fail();
  void keep_failure(const client::Exchange& how);

  const CORBA::Object& target_;
  const std::string_view operation_;
  ClientCall call_;
  client::BatchChannel* batch_channel_ = nullptr;  // null unless it holds a connection
  std::vector<std::uint8_t> head_;                 // the start of each request, but for its id and length
  std::array<std::uint32_t, most_calls> ids_;
  std::size_t count_ = 0, told_ = 0;
  std::chrono::nanoseconds patience_{};
  std::unique_ptr<const Failure> failure_;  // the connection has failed; null: it has not
  std::string_view exception_id_;
  std::optional<cdr::Decoder> reply_;
};

}  // namespace invocation

// Calls of the operation Op, such as the one of a PreparedCall. next() throws its user exceptions.
template <class Op>
class SeriesOf;

template <OperationName Name, class R, class... P, class Exceptions, OperationKind Kind>
class SeriesOf<Operation<Name, R(P...), Exceptions, Kind>> : public invocation::CallSeries {
  using Op = Operation<Name, R(P...), Exceptions, Kind>;
  static_assert(std::is_void_v<R> && !Op::is_one_way && (!P::returned && ...));

 public:
  explicit SeriesOf(const CORBA::Object& target) : CallSeries(target, Op::name) {}

  Outcome next() {
    const Outcome outcome = CallSeries::next();
    if (outcome == Outcome::user_exception) detail::Raised<Exceptions>::rethrow(*this);
    return outcome;
  }
};

}  // namespace takt
