// The steps of a call that time probes distinguish.
#pragma once

#include <cstdint>
#include <string_view>

namespace takt {

// The steps of tables 1 and 2 of [Kuhns 1999], in the order in which a call passes them here. A probe reports
// which step begins, which ends the previous step in the same thread.
enum class Step : std::uint8_t {
  client_get_reference,      // finds the connection for the reference
  client_initialize,         // takes the connection, the request id and an encoder
  client_messaging_send,     // writes the request header
  client_marshal,            // the stub encodes the arguments
  client_transport_send,     // up to the system call that sends
  client_io,                 // inside that system call
  client_transport_receive,  // waits for the reply, until the system call that receives returns
  client_messaging_receive,  // frames the reply and reads its header
  client_demarshal,          // the stub decodes the results
  client_done,               // the call is complete and its connection given back

  server_io,                 // in the system call that receives
  server_transport_receive,  // frames the message and reads its header
  server_messaging_receive,  // builds the call for the dispatcher
  server_parse_key,
  server_poa_demux,
  server_servant_demux,
  server_operation_demux,
  server_upcall,          // decodes the arguments and runs the servant
  server_messaging_send,  // encodes the reply
  server_transport_send,  // in the system call that sends
  server_done,
};

constexpr bool of_client(Step step) { return step <= Step::client_done; }

// For code that is compiled once with a step log and once without.
struct NoStepLog {
  void operator()(Step) const {}
};

// Receives the steps.
class StepLog {
 public:
  // The calling thread begins a step. Neither locks nor blocks. `request_id` is 0 and `operation` empty if
  // the step does not know them.
  virtual void begin(Step step, std::uint32_t request_id, std::string_view operation) = 0;
  void begin(Step step) { begin(step, 0, {}); }

 protected:
  ~StepLog() = default;
};

}  // namespace takt
