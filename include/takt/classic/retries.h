// Rules by which a program makes calls again that failed, as by omniORB's
// installTransientExceptionHandler(). C++14.
//
// Rules are asked about calls by stubs, also within the process, and about _is_a(), _non_existent() and
// _narrow() where these ask the object. Not about dynamic and asynchronous calls. An attempt within the
// process begins with the inout arguments as the failed one has left them, and out arguments that it has set
// are lost. A rule is asked in the calling thread, after the failure, with no lock held; it may wait, make
// calls and throw, which the caller gets instead. Each call may take its whole time limit anew. Rules last
// until the process ends or they are replaced.
#pragma once

#include <takt/classic/object.h>
#include <takt/classic/system_exceptions.h>

namespace takt {
namespace classic {

enum class FailureKind { transient, timeout, comm_failure, other };

struct RetryRule {
  // Whether the call is made again, `retries` of which have been made. `target`: borrowed.
  typedef bool (*Decide)(const RetryRule& rule, CORBA::ULong retries, const CORBA::SystemException& failure,
                         CORBA::Object_ptr target, const char* operation);
  Decide decide;       // null: calls are not made again
  void (*function)();  // for `decide`: the program's own, converted
  void* cookie;        // the same
};

// For all references without a rule of their own. Any thread.
void set_retry_rule(FailureKind kind, const RetryRule& rule);
// For this reference and all that were duplicated or narrowed from it. INV_OBJREF for nil.
void set_retry_rule(CORBA::Object_ptr object, FailureKind kind, const RetryRule& rule);

}  // namespace classic
}  // namespace takt
