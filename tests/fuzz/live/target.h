// A Takt server as a target, and the transports to it.
#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <takt/transport/transport.h>

#include "certificates.h"
#include "conversation.h"
#include "process.h"

namespace takt::fuzz::live {

inline constexpr std::string_view architectures[] = {"thread-per-connection", "reactive", "leader-followers",
                                                     "worker-pool", "threading-framework"};

// Settings shared by all targets of a run.
struct Surroundings {
  std::string server_program, client_program;
  std::string folder;  // for logs and sockets
  test::Authority authority;
  test::Credentials credentials = authority.issue({.name = "live"});
  transport::TransportRegistry transports;  // by names of protocols

  Surroundings();
  transport::Transport& transport(Carrier carrier) const;
};

// The protocol's name in endpoints.
std::string_view protocol_of(Carrier carrier);
// A port without a listener.
std::uint16_t free_port(int type);

class Server {
 public:
  // Starts the server, and waits until it can be called. Throws std::runtime_error.
  Server(const Surroundings& surroundings, std::string_view architecture);

  Process& process() { return *process_; }
  const Keys& keys() const { return keys_; }
  std::string_view architecture() const { return architecture_; }
  // Null if the connection fails within `patience`.
  std::unique_ptr<transport::Stream> connect(Carrier carrier, std::chrono::milliseconds patience) const;
  // Asks all objects over a new connection; returns what went wrong, if anything.
  std::string ask(Carrier carrier, std::chrono::milliseconds patience) const;

 private:
  std::vector<std::string> command(const std::string& reference_file);

  const Surroundings& surroundings_;
  const std::string architecture_;
  std::array<transport::Endpoint, std::size(carrier_names)> endpoints_;
  std::unique_ptr<Process> process_;
  Keys keys_;
};

}  // namespace takt::fuzz::live
