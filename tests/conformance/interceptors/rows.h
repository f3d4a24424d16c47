// Portable interceptors by rows: each point x each member of the infos x each kind of call x each outcome,
// also with points that throw. The rows are the same for both mappings; this header names no type of either
// (C++14).
#pragma once

#include <functional>
#include <string>

namespace rows {

enum class Side { client, server };

// A row: a call of some kind, and how it ends if no interceptor interferes.
struct Call {
  enum class Road { connection, process } road;
  enum class Form { stub, dynamic, deferred, asynchronous } form;
  enum class Servant { skeleton, dynamic } servant;
  // `forward`: a servant locator forwards the request. `absent`: there is no such object. Then those of a
  // peer that closes the connection in good order before it serves the request, asks for the whole profile,
  // forwards the object for good, or loses the connection.
  enum class Outcome {
    reply,
    user_exception,
    system_exception,
    oneway,
    forward,
    absent,
    closed,
    readdressed,
    moved,
    lost
  } outcome;
};
std::string name_of(const Call& call);
// The object of such a peer; empty for other calls. Valid until the next call.
std::string peer_of(const Call& call);

// An exception that a point of an interceptor is to throw.
enum class Thrown { nothing, system_exception, forward, user_exception, number, nil_forward };

// Uses the member of the info: "ok", a value, or the exception's name, with its OMG minor code for system
// exceptions. A copy may outlive the point.
using Ask = std::function<std::string(const std::string& member)>;

// The points of three interceptors on either side report here. Any thread.
Thrown at(Side side, int interceptor, const std::string& point, const std::string& operation, const Ask& ask);

// The ORBs of one mapping, whose interceptors call at(). Operations are "reply", "refuse", "fail" and
// "oneway", or those with other names that operation() gives. Objects to which an interceptor or a locator
// forwards are in an ORB without interceptors, and have skeletons.
class Mapping {
 public:
  virtual ~Mapping() {}
  virtual std::string operation(Call::Outcome outcome) = 0;
  // The stringified reference of the object where forwards lead.
  virtual std::string refuge() const = 0;
  // Makes the call through a reference that was not used before. Returns its outcome: "ok", "Refused", or a
  // system exception with its OMG minor code and the last part of its completion status. The servant's is
  // NO_RESOURCES 7 YES, an interceptor's NO_PERMISSION 77 NO. Returns when the server has done with the
  // request, also with a oneway.
  virtual std::string make(const Call& call) = 0;
};

// Runs the rows. Failures name the row.
void run_requests(Mapping& mapping, Call::Road road);

// The points of an IORInterceptor_3_0 report here.
enum class IorPoint { establish_components, components_established };
Thrown at(IorPoint point, const Ask& ask);

// Creates an adapter whose components the interceptor above establishes, and destroys it. Returns "ok" or the
// exception.
using CreateAdapter = std::function<std::string()>;
void run_references(const CreateAdapter& create);

}  // namespace rows
