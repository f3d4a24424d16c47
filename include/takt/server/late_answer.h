// An answer that is given after its upcall has returned.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>

#include <takt/base/gather_buffer.h>
#include <takt/cdr/code_sets.h>
#include <takt/cdr/format.h>
#include <takt/server/server_call.h>

namespace takt::server {

class LateSender;
struct RequestTimes;

// Takes the answer of a call out of its upcall. Any thread may then give the answer, once. The contract:
//  1. A request that expects a response gets exactly one answer, unless its connection ends before.
//  2. If the object is destroyed without an answer, the caller gets NO_RESPONSE, COMPLETED_NO.
//  3. Answering takes no lock that an upcall holds, and it neither needs the servant nor its adapter.
//     If there is no memory for that, the connection ends.
//  4. After the connection has ended, or the ORB has shut down, answers are dropped.
//  5. A deadline of the request holds for the answer: after the reply's end time, the caller gets TIMEOUT.
class LateAnswer {
 public:
  // To be made in the upcall of `call`, after its arguments were decoded; `operation` must be a static text.
  // The call then expects no response from the upcall. Throws, and leaves the call as it is: TRANSIENT if too
  // many answers of the connection are due, NO_IMPLEMENT if the caller can only be answered in the upcall.
  LateAnswer(ServerCall& call, std::string_view operation);
  ~LateAnswer();
  LateAnswer(const LateAnswer&) = delete;
  LateAnswer& operator=(const LateAnswer&) = delete;

  std::string_view operation() const { return operation_; }
  // Whether the answer was given.
  bool is_given() const { return given_.load(std::memory_order_acquire); }

  // Gives the answer: encode it into call(); the destructor sends it. If nothing is encoded, the caller gets
  // UNKNOWN. One thread.
  class Giving {
   public:
    // Throws BAD_INV_ORDER if the answer was given before.
    explicit Giving(LateAnswer& answer);
    ~Giving();
    Giving(const Giving&) = delete;
    Giving& operator=(const Giving&) = delete;

    // False: no caller waits for the answer, so it need not be encoded.
    bool is_wanted() const { return call_.response_expected(); }
    ServerCall& call() { return call_; }

   private:
    static std::unique_ptr<GatherBuffer> take_spare();

    std::unique_ptr<GatherBuffer> reply_;
    LateAnswer& answer_;
    std::shared_ptr<LateSender> sender_;  // null: nothing is sent
    ServerCall call_;
  };

 private:
  RequestContext context() const;
  LateAnswer& claimed();
  void give_up() noexcept;
  static std::shared_ptr<LateSender> begin(ServerCall& call, std::uint8_t minor, std::uint64_t& place);

  std::string_view operation_;
  const std::uint32_t request_id_;
  const std::uint8_t giop_minor_;
  const bool short_head_;
  const bool response_expected_;
  const std::int16_t priority_, reply_priority_;
  std::atomic<bool> given_{false};
  std::int64_t reply_end_ns_;  // on the steady clock
  std::uint64_t place_ = 0;    // among the connection's late answers
  cdr::CodeSets code_sets_;
  cdr::Format format_;
  std::shared_ptr<cdr::Environment> environment_;
  std::weak_ptr<LateSender> sender_;
};

}  // namespace takt::server
