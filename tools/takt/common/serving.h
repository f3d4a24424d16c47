// Servers that `takt` runs: where they listen, and where their data are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "common/command.h"
#include "common/orb.h"

namespace takt::command {

struct Serving {
  std::string listen, publish;
  std::vector<std::string> orb_options;
};

// Adds --listen and --publish. `endpoint`: the default of the first.
void add_serving(const Command& command, Serving& serving, const std::string& endpoint);
// An ORB that listens at the endpoints given, at those of the ORB's configuration, or else at `endpoint`.
CORBA::object_reference<CORBA::ORB> serving_orb(const Serving& serving, const std::string& endpoint,
                                                const std::string& id);
// Whether the ORB's own default of the option would hold: no option, variable, file or personality sets it.
bool is_open(const std::vector<std::string>& orb_options, std::string_view option);
// Lets threads share the connections to clients or servers, unless the options or the environment say how:
// each is used by the thread that has something for it.
void share_connections(std::vector<std::string>& orb_options);
// While it lives, the root adapter's objects take requests. A thread is in ORB::run() meanwhile, since some
// ORBs serve only there (-ORBServerConcurrency reactive). Its end shuts the ORB down.
class TakesRequests {
 public:
  explicit TakesRequests(CORBA::object_reference<CORBA::ORB> orb);
  ~TakesRequests();
  TakesRequests(const TakesRequests&) = delete;
  TakesRequests& operator=(const TakesRequests&) = delete;

 private:
  const CORBA::object_reference<CORBA::ORB> orb_;
  std::thread thread_;
};
// Writes the object's reference to `output`, and waits for one of the signals. Throws a Failure if it cannot
// be written.
void announce_until_signal(CORBA::ORB& orb, const CORBA::object_reference<CORBA::Object>& object,
                           const std::string& output, const AwaitedSignals& signals);
// The option's value. Throws a Failure if it is 0 or more than `most`.
std::uint32_t number_up_to(std::uint32_t most, std::uint64_t number, const char* option);
// The path that the option gives, or that of takt/NAME in the XDG folder of state, which is made. Throws a
// Failure.
std::string state_file(const std::string& given, const std::string& name, const char* option = "--store");

}  // namespace takt::command
