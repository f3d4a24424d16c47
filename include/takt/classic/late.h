// Servants of the classic mapping that answer later, as takt-idl --amh makes them. C++14.
#pragma once

#include <atomic>

#include <takt/classic/call.h>
#include <takt/classic/dispatch.h>
#include <takt/classic/exception.h>

namespace takt {
namespace classic {

class ExceptionHolder;

// The answer of a call, taken out of its upcall; the contract is that of <takt/server/late_answer.h>.
class LateCall {
 public:
  // To be made in the upcall, after its arguments were read. Throws TRANSIENT if too many answers are due, or
  // NO_IMPLEMENT if the caller can only be answered in the upcall.
  LateCall(Upcall& call, const Operation& operation);
  // The caller of a call without an answer gets NO_RESPONSE.
  ~LateCall();
  LateCall(const LateCall&) = delete;
  LateCall& operator=(const LateCall&) = delete;

 private:
  friend class LateAnswering;
  void* const answer_;  // the runtime's LateAnswer
};

// Gives the answer: write it to call(); the destructor sends it. One thread.
class LateAnswering {
 public:
  // Throws BAD_OPERATION if the call is of another operation, and BAD_INV_ORDER if it was answered before.
  LateAnswering(LateCall& call, const Operation& operation);
  ~LateAnswering();
  LateAnswering(const LateAnswering&) = delete;
  LateAnswering& operator=(const LateAnswering&) = delete;

  Upcall& call() const;
  // Answers with the exception that is being handled. `raises`: the repository ids of the operation's
  // exceptions, ended by null. PortableServer::ForwardRequest forwards the caller.
  void answer_current_exception(const char* const* raises);

 private:
  void* const giving_;  // the runtime's LateAnswer::Giving
};

// Throws BAD_PARAM if a response handler was told no holder.
void require_holder(const ExceptionHolder* holder);

// Answers the call of an upcall that has thrown, unless it was answered before. To be called while the
// exception is being handled.
void answer_unless_answered(LateCall& call, const Operation& operation, const char* const* raises);

// An exception on its way to a caller: the base of AMH_FooExceptionHolder. It has one reference when it is
// made with new, and none are needed for one on the stack.
class ExceptionHolder {
 public:
  // Takes over the exception, which is deleted with the holder.
  explicit ExceptionHolder(::CORBA::Exception* exception) : exception_(exception), count_(1) {}
  virtual ~ExceptionHolder() { delete exception_; }
  ExceptionHolder(const ExceptionHolder&) = delete;
  ExceptionHolder& operator=(const ExceptionHolder&) = delete;

  void _add_ref() { count_.fetch_add(1, std::memory_order_relaxed); }
  void _remove_ref() {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 protected:
  // Throws the exception; UNKNOWN if it is null.
  void raise() const;

 private:
  ::CORBA::Exception* const exception_;
  std::atomic<unsigned> count_;
};

}  // namespace classic
}  // namespace takt
