// How calls reach the interceptors of their ORB, which most programs do not link.
#pragma once

#include <takt/invocation/client_call.h>

namespace takt {
struct OperationId;
}

namespace takt::invocation {

// For ClientCall. Any thread.
class CallInterceptors {
 public:
  virtual ~CallInterceptors() = default;
  // Runs the starting points, if this call has any, then begins the request. Never null.
  virtual cdr::Encoder* begin(ClientCall& call) = 0;
  // The same while the thread's calls use other connections (client::ThreadChannels::Through), which those of
  // the points do not: one of them may wait in the thread that reads the replies.
  virtual cdr::Encoder* begin_aside(ClientCall& call) = 0;
  // The outcome of an exchange without results, after the ending points. `replied`: a reply has come.
  virtual ClientCall::Outcome outcome(ClientCall& call, bool replied, bool sent) = 0;
  // A reply has come.
  virtual void note_reply(ClientCall& call) = 0;
  // The results have been read.
  virtual void finish(ClientCall& call) = 0;
  // Throws what the client gets for a failure that no forward can undo any more.
  virtual void fail(ClientCall& call, const CORBA::SystemException& failure) = 0;
  // The call ends by an exception that it does not see.
  virtual void abandon(ClientCall& call) noexcept = 0;
  // As invocation::call_local(), for an object of this ORB.
  virtual bool call_local(reference::ObjectRef& ref, const OperationId& operation, void* arguments) = 0;
};

// The same without points of the client, if the object may have interceptors: follows their forwards.
bool call_local_served(reference::ObjectRef& ref, const OperationId& operation, void* arguments);

}  // namespace takt::invocation
