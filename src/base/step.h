// The steps of a call that time probes tell apart.
#pragma once

#include <cstdint>
#include <string_view>

namespace takt {

// As tables 1 and 2 of paper 003 have them, in the order in which a call passes them here. A probe says which
// step begins; so the step before it, in the same thread, ends.
enum class Step : std::uint8_t {
  client_get_reference,      // which connection the reference stands for
  client_initialize,         // takes it, and the request's id and encoder
  client_messaging_send,     // writes the request's head
  client_marshal,            // the stub encodes the arguments
  client_transport_send,     // on the way to the system call that sends
  client_io,                 // in it
  client_transport_receive,  // until the system call that receives has returned: the wait for the reply
  client_messaging_receive,  // frames the reply, reads its head
  client_demarshal,          // the stub decodes the results
  client_done,               // the call is over, and its connection given back

  server_io,                 // in the system call that receives
  server_transport_receive,  // frames the message, reads its head
  server_messaging_receive,  // makes of it a call for the dispatcher
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

// For code that is compiled once with a log to tell of its steps, and once without.
struct Unprobed {
  void operator()(Step) const {}
};

// Who is told of the steps.
class StepLog {
 public:
  // The calling thread begins a step. Neither locks nor blocks. `request_id` and `operation`: 0 and empty
  // where the step does not know them.
  virtual void begin(Step step, std::uint32_t request_id, std::string_view operation) = 0;
  void begin(Step step) { begin(step, 0, {}); }

 protected:
  ~StepLog() = default;
};

}  // namespace takt
