// Connections that an ORB opens before its program makes the first call.
#pragma once

#include <chrono>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <takt/reference/object.h>

#include "orb/reports/warnings.h"
#include "os/threads/priority_mutex.h"

namespace takt::orb {

class Runtime;

// What -ORBConnectAtStart names, for the threads that the ORB makes later. Any thread.
class ConnectionsAtStart {
 public:
  // `most`: of a thread's time, for all of them.
  ConnectionsAtStart(Warnings warnings, std::chrono::nanoseconds most) : warnings_(warnings), most_(most) {}

  // `object` itself is never called, so that each thread goes all the way that a first call goes.
  void add(std::string name, CORBA::object_reference<CORBA::Object> object);
  // Opens the connections that the calling thread's calls will use. Says once for each object where that
  // fails.
  void open() noexcept;
  // Lets go of the objects; open() does nothing any more.
  void clear();

 private:
  struct Item {
    std::string name;
    CORBA::object_reference<CORBA::Object> object;
  };
  void open(const Item& item, std::chrono::steady_clock::time_point until);

  const Warnings warnings_;
  const std::chrono::nanoseconds most_;
  os::PriorityMutex mutex_;  // for what follows
  std::vector<Item> items_;
  std::set<std::string> told_;  // names
};

// Resolves what -ORBConnectAtStart names and opens the connections that the calling thread's calls on it will
// use, wherever servers forward them to: by asking each object whether it is there. Takes as long as
// connecting and these calls do, at most. Tries all, then throws INITIALIZE with what failed and why; with
// -ORBConnectAtStartFailure warn it says so on standard error instead. Threads that the ORB makes from then
// on open theirs before they serve.
void connect_at_start(Runtime& runtime);

}  // namespace takt::orb
