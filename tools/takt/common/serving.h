// Servers that `takt` runs: where they listen, and where their data are.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
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
// A value that a service prefers to the ORB's own default. It holds if no option, variable, file or
// personality sets the option.
struct PreferredValue {
  const char* option;
  const char* value;
  const char* only_with = option;  // this option must not be set either
};
// Threads share the connections to clients or servers: each is used by the thread that has something for it.
inline constexpr PreferredValue shared_connections{"ClientConnections", "cached"};
// An ORB that listens at the endpoints given, at those of the ORB's configuration, or else at `endpoint`.
CORBA::object_reference<CORBA::ORB> serving_orb(const Serving& serving, const std::string& endpoint,
                                                const std::string& id,
                                                std::vector<PreferredValue> preferred = {});
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
// The file of a service's store, as state_file(); empty for --memory. Throws a Failure if --store is given,
// too. `kept`: what is in the store.
std::string store_file(bool in_memory, const std::string& given, const std::string& name, const char* kept);
// Prints why a service's store cannot be written, with `effect`, and when it is writable again; then the text
// is empty.
std::function<void(const std::string& why_not)> report_of_store(const std::string& service,
                                                                const std::string& effect);

}  // namespace takt::command
