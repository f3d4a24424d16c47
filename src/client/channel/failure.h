// CORBA system exceptions for what goes wrong between two ORBs: the one place that chooses them.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <takt/cdr/error.h>
#include <takt/cdr/exception.h>
#include <takt/transport/connector.h>

#include "client/channel/client_channel.h"

namespace takt::reference {
class References;
}

namespace takt::client {

// Why no address of a reference could be reached: the worst of what happened at them.
struct Unreached {
  std::string tried;        // what happened at each of the first addresses
  std::size_t unnamed = 0;  // addresses that are not among them
  bool timed_out = false;
  bool distrusted = false;  // one end did not take the other's certificate
  void note(const transport::ConnectError& error);
  void note(const Unreached& more);
};
[[noreturn]] void throw_unreachable(const Unreached& why);
// A connection was there, and the exchange failed on it.
[[noreturn]] void throw_exchange_failure(const Exchange& exchange, const std::string& channel,
                                         std::string_view operation, std::chrono::nanoseconds timeout);
// The reply is the system exception with that repository id.
[[noreturn]] void throw_raised_by_server(const std::string& id, std::uint32_t minor,
                                         CORBA::CompletionStatus completed, std::string_view operation,
                                         const std::string& channel);
// A policy forbids to open another connection to the object.
[[noreturn]] void throw_not_reconnected();
// A forward, or a connection that the server has closed, which the reference's RebindPolicy forbids to
// follow.
[[noreturn]] void throw_not_rebound(const char* what);
// The call has a deadline, which came.
[[noreturn]] void throw_too_late(std::string_view operation, const char* phase,
                                 CORBA::CompletionStatus completed);
// The reference has bands of priorities, and this one is in none.
[[noreturn]] void throw_no_band(int priority);
// It leaves only GIOPlite, and that connection carries none.
[[noreturn]] void throw_no_lite(const std::string& channel);
[[noreturn]] void throw_no_usable_profile(const reference::References& references, const cdr::Ior& ior);
// A request or reply (`message`) that could not be encoded or decoded.
[[noreturn]] void throw_marshal_failure(cdr::Error error, std::string_view operation, const char* message,
                                        CORBA::CompletionStatus completed);
[[noreturn]] void throw_orb_down(CORBA::CompletionStatus completed = CORBA::COMPLETED_NO);

}  // namespace takt::client
