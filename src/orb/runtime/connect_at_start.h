// Connections that an ORB opens before the program's first call.
#pragma once

#include <chrono>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <takt/reference/object.h>

#include "config/reports/warnings.h"
#include "threads/locks/priority_mutex.h"

namespace takt::orb {

class Runtime;
struct Settings;

// The objects of -ORBConnectAtStart, for threads that the ORB starts later. Any thread.
class ConnectionsAtStart {
 public:
  explicit ConnectionsAtStart(const Settings& settings);

  // `object` itself is never called, so that each thread does everything that a first call does.
  void add(std::string name, CORBA::object_reference<CORBA::Object> object);
  // Opens the connections for the calling thread. Blocks for -ORBConnectAtStartTimeout at most. Reports
  // failures once per object.
  void open() noexcept;
  // Releases the objects; open() has no effect afterwards.
  void clear();

 private:
  struct Item {
    std::string name;
    CORBA::object_reference<CORBA::Object> object;
  };
  void open(const Item& item, std::chrono::steady_clock::time_point until);

  const Warnings warnings_;
  const std::chrono::nanoseconds most_, most_of_a_call_;
  os::PriorityMutex mutex_;  // guards the fields below
  std::vector<Item> items_;
  std::set<std::string> told_;  // names that were reported
};

// Resolves the objects of -ORBConnectAtStart and opens the calling thread's connections to them, following
// forwards, by asking each object whether it exists. Blocks for -ORBConnectAtStartTimeout at most. Tries all
// objects, then throws INITIALIZE with the failures; with -ORBConnectAtStartFailure warn it reports them
// on standard error instead. Threads that the ORB starts later do the same before they serve.
void connect_at_start(Runtime& runtime);

}  // namespace takt::orb
