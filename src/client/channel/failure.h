// Makes CORBA system exceptions for failures between two ORBs, in one place.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <takt/cdr/error.h>
#include <takt/cdr/exception.h>
#include <takt/transport/connector.h>

#include "client/channel/client_channel.h"

namespace takt::giop {
struct SystemExceptionBody;
}
namespace takt::reference {
class ObjectRef;
class References;
struct Target;
}  // namespace takt::reference

namespace takt::client {

// Why no address of a reference could be reached.
struct ConnectFailures {
  std::string tried;        // the failures of the first few addresses
  std::size_t unnamed = 0;  // number of further addresses
  bool timed_out = false;
  bool found_host = false;  // at least one address belongs to a host whose name is known
  bool distrusted = false;  // one end rejected the other's certificate
  void note(const transport::ConnectError& error);
  void note(const ConnectFailures& more);
};
[[noreturn]] void throw_unreachable(const ConnectFailures& why);
// Whether the server may have run the operation of an exchange that brought no reply.
CORBA::CompletionStatus completion_of(const Exchange& exchange);
// Whether the exchange ended because the deadline of its call had come. `timeout`: that of the exchange.
bool missed_deadline(const Exchange& exchange, std::chrono::nanoseconds timeout);
// The exchange failed on an established connection, or its time is over. `timeout`: that of the exchange.
[[noreturn]] void throw_exchange_failure(const Exchange& exchange, const std::string& channel,
                                         std::string_view operation, std::chrono::nanoseconds timeout);
// The object key that the request had. `used`: the target of the call; may be null: the reference's own.
ByteView key_of(const reference::ObjectRef& ref, const reference::Target* used);
// The reply is this system exception. `key`: the request's object key.
[[noreturn]] void throw_raised_by_server(const giop::SystemExceptionBody& raised, ByteView key,
                                         std::string_view operation, const std::string& channel);
// `raised`, by the object that `used` names, may say that there is no such object: if the reference was
// forwarded there, its next call asks the original target. `used` may be null.
void note_missing_object(const giop::SystemExceptionBody& raised, reference::ObjectRef& ref,
                         const reference::Target* used);
// The reply is a user exception that the operation does not declare.
[[noreturn]] void throw_unlisted_exception(std::string_view id);
// A policy forbids opening another connection to the object.
[[noreturn]] void throw_not_reconnected();
// A forward, or a connection closed by the server, that the RebindPolicy forbids to follow.
[[noreturn]] void throw_not_rebound(const char* what);
// The deadline of the call has passed.
[[noreturn]] void throw_too_late(std::string_view operation, const char* phase,
                                 CORBA::CompletionStatus completed);
// The reference has priority bands, and none contains `priority`.
[[noreturn]] void throw_no_band(int priority);
// Policies allow only GIOPlite, and the connection does not support it.
[[noreturn]] void throw_no_lite(const std::string& channel);
[[noreturn]] void throw_no_usable_profile(const reference::References& references, const cdr::Ior& ior);
// A request that cannot be encoded.
[[noreturn]] void throw_bad_request(cdr::Error error, std::string_view operation);
// A request of `bytes` octets, of which it may have `most`.
[[noreturn]] void throw_long_request(std::size_t bytes, std::size_t most, std::string_view operation);
// A reply that cannot be decoded. `octet`: the CDR index where reading ended.
[[noreturn]] void throw_bad_reply(cdr::Error error, std::size_t octet, std::string_view operation);
// A reply has begun to arrive, and the rest takes too long.
[[noreturn]] void throw_late_reply(std::string_view operation, const std::string& channel);
// A part of a reply that cannot be decoded, such as "the reference of a forward". `where`: the connection.
[[noreturn]] void throw_unreadable_reply(const char* part, CORBA::CompletionStatus completed,
                                         std::string_view operation, const std::string& where);
// The server asks for a form of the target that it was given, or that the call cannot give.
[[noreturn]] void throw_no_other_addressing(std::string_view operation, const std::string& channel);
[[noreturn]] void throw_orb_down(CORBA::CompletionStatus completed = CORBA::COMPLETED_NO);

}  // namespace takt::client
