#include "client/channel/failure.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <takt/reference/failure_codes.h>

#include "cdr/text/escape_controls.h"
#include "giop/message/system_exception.h"
#include "reference/object_ref.h"
#include "reference/profiles.h"
#include "reference/references.h"

namespace takt::client {

namespace {

std::string milliseconds(std::chrono::nanoseconds time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(time).count()) + " ms";
}

[[noreturn]] void throw_timeout(std::uint32_t minor, CORBA::CompletionStatus completed,
                                const std::string& text) {
  if (throws_transient_on_timeout())
    throw CORBA::TRANSIENT(failure_codes().transient_timeout, completed, text);
  throw CORBA::TIMEOUT(minor, completed, text);
}

}  // namespace

void ConnectFailures::note(const transport::ConnectError& error) {
  using Phase = transport::ConnectError::Phase;
  note({error.text, 0, error.error == ETIMEDOUT, error.phase != Phase::resolve,
        error.phase == Phase::tls && error.error == EACCES});
}

void ConnectFailures::note(const ConnectFailures& more) {
  constexpr std::size_t longest_text = 4096;
  if (tried.size() + more.tried.size() <= longest_text)
    tried.append(tried.empty() || more.tried.empty() ? "" : "; ").append(more.tried);
  else
    ++unnamed;
  unnamed += more.unnamed;
  timed_out |= more.timed_out;
  found_host |= more.found_host;
  distrusted |= more.distrusted;
}

void throw_unreachable(const ConnectFailures& why) {
  std::string text = "no address of the object could be reached: " + why.tried;
  if (why.unnamed != 0) text += "; and " + std::to_string(why.unnamed) + " others";
  if (why.distrusted) throw CORBA::NO_PERMISSION(0, CORBA::COMPLETED_NO, text);
  if (why.timed_out)
    throw_timeout(failure_codes().connect_timed_out, CORBA::COMPLETED_NO,
                  text + " (-ORBConnectTimeout sets how long)");
  throw CORBA::TRANSIENT(why.found_host ? failure_codes().unreachable : failure_codes().unknown_host,
                         CORBA::COMPLETED_NO, text);
}

CORBA::CompletionStatus completion_of(const Exchange& exchange) {
  return exchange.sent_in_part ? CORBA::COMPLETED_MAYBE : CORBA::COMPLETED_NO;
}

bool missed_deadline(const Exchange& exchange, std::chrono::nanoseconds timeout) {
  return exchange.status == Exchange::Status::timeout && timeout == ClientChannel::until_deadline;
}

void throw_exchange_failure(const Exchange& exchange, const std::string& channel, std::string_view operation,
                            std::chrono::nanoseconds timeout) {
  const auto completed = completion_of(exchange);
  if (missed_deadline(exchange, timeout)) throw_too_late(operation, exchange.phase, completed);
  std::string text = std::string(operation) + " over " + channel + ", " + exchange.phase + ": ";
  if (exchange.status == Exchange::Status::timeout) {
    text += "nothing for " + milliseconds(timeout) +
            "; is the server busy or stopped? -ORBRoundTripTimeout sets how long to wait";
    throw_timeout(failure_codes().timed_out, completed, text);
  }
  text += exchange.reason;
  if (exchange.status == Exchange::Status::oneway_only)
    throw CORBA::BAD_OPERATION(
        0, CORBA::COMPLETED_NO,
        std::string(operation) + " over " + channel +
            ": a group of objects takes oneway operations alone, with a SyncScope that does not wait for "
            "servers; IDL::traits<T>::unchecked_narrow gives its reference a type without asking it");
  if (exchange.status == Exchange::Status::no_memory)
    throw CORBA::NO_MEMORY(
        0, completed,
        text + "; the process has none left, or -ORBConnectionMemory or -ORBClientMemory allows no more");
  if (exchange.status == Exchange::Status::refused) throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, text);
  // Rejected by TLS; `channel` contains the reason.
  if (exchange.error == EACCES) throw CORBA::NO_PERMISSION(0, completed, text);
  if (exchange.error)
    text +=
        std::string(" (") + std::strerror(exchange.error) + ", errno " + std::to_string(exchange.error) + ")";
  text += exchange.sent_in_part                        ? "; the server may have run the operation"
          : exchange.status == Exchange::Status::retry ? "; the request was not served, so it can be repeated"
                                                       : "; the request was not sent, so it can be repeated";
  throw CORBA::COMM_FAILURE(failure_codes().lost, completed, text);
}

[[gnu::cold]] void throw_unlisted_exception(std::string_view id) {
  throw CORBA::UNKNOWN(
      CORBA::omg_minor(1), CORBA::COMPLETED_YES,
      "the server raised " + cdr::escape_controls(id) + ", which the operation does not declare");
}

ByteView key_of(const reference::ObjectRef& ref, const reference::Target* used) {
  const auto& routes = (used ? *used : ref.original()).routes;
  return routes.empty() ? ByteView() : ByteView(routes.front().object_key);
}

namespace {
// People write keys that are short and plain text; adapters make others.
std::string missing_object(ByteView key) {
  constexpr std::size_t longest_written = 64;
  const bool is_written = !key.empty() && key.size() <= longest_written &&
                          std::ranges::all_of(key, [](std::uint8_t c) { return c > ' ' && c < 0x7f; });
  if (!is_written)
    return "the object was deactivated, or the reference is of an earlier run of the server: get a new one";
  return "the server has no object with the key '" + std::string(key.begin(), key.end()) +
         "'; a name in a naming service follows a #, as in corbaname::HOST:PORT#NAME";
}
}  // namespace

[[gnu::cold]] void throw_raised_by_server(const giop::SystemExceptionBody& raised, ByteView key,
                                          std::string_view operation, const std::string& channel) {
  constexpr std::pair<std::string_view, std::string_view> advice[] = {
      {"BAD_OPERATION",
       "the object has no such operation: is it of another type, or of another version of it?"},
      {"TRANSIENT",
       "it takes no requests at the moment: is its POA manager active, is it overloaded, can its "
       "implementation repository start it?"},
      {"MARSHAL", "are both sides made from the same IDL?"},
      {"UNKNOWN",
       "its servant threw what the operation does not declare; what it was, the server's log may say"},
  };
  std::string text = std::string(operation) + ": raised by the server of " + channel;
  for (const auto& [name, hint] : advice)
    if (raised.id == "IDL:omg.org/CORBA/" + std::string(name) + ":1.0") text.append("; ") += hint;
  if (raised.id == "IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0") text.append("; ") += missing_object(key);
  cdr::raise_system_exception(raised.id, raised.minor, raised.completed, text);
}

void note_missing_object(const giop::SystemExceptionBody& raised, reference::ObjectRef& ref,
                         const reference::Target* used) {
  if (used && raised.completed == CORBA::COMPLETED_NO &&
      raised.id == "IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0")
    ref.restore(*used);
}

void throw_not_reconnected() {
  throw CORBA::REBIND(0, CORBA::COMPLETED_NO,
                      "the connection is gone, and the RebindPolicy is NO_RECONNECT: _validate_connection() "
                      "opens another");
}

void throw_not_rebound(const char* what) {
  throw CORBA::REBIND(0, CORBA::COMPLETED_NO,
                      std::string(what) + ", which the RebindPolicy does not let the call follow");
}

void throw_too_late(std::string_view operation, const char* phase, CORBA::CompletionStatus completed) {
  throw_timeout(failure_codes().timed_out, completed,
                std::string(operation) + ", " + phase +
                    ": the call's deadline has come (a timeout policy of reference, thread or ORB, or a "
                    "DeadlineScope here or in a caller)");
}

void throw_no_band(int priority) {
  throw CORBA::INV_POLICY(CORBA::omg_minor(2), CORBA::COMPLETED_NO,
                          "the server takes requests in bands of priorities, and " +
                              std::to_string(priority) +
                              " is in none of them: RTCORBA::Current::the_priority sets the thread's");
}

void throw_no_lite(const std::string& channel) {
  throw CORBA::INV_POLICY(
      0, CORBA::COMPLETED_NO,
      "the ClientProtocolPolicy leaves nothing but GIOPlite, which " + channel + " does not speak");
}

void throw_no_usable_profile(const reference::References& references, const cdr::Ior& ior) {
  const unsigned least = references.protocol.limits->least_giop_minor;
  const bool too_old = std::ranges::any_of(ior.profiles, [&](const cdr::TaggedProfile& tagged) {
    const auto known = reference::read_profile(references, tagged);
    return known && known->profile.version.minor < least;
  });
  throw CORBA::TRANSIENT(
      CORBA::omg_minor(2), CORBA::COMPLETED_NO,
      "none of the " + std::to_string(ior.profiles.size()) + " profiles of the reference to '" +
          cdr::escape_controls(ior.type_id) + "' is one that this ORB can use: " +
          (too_old ? "they are of versions below 1." + std::to_string(least) +
                         ", the lowest that -ORBMinGIOPVersion allows (a URL says its version, as in "
                         "corbaloc:iiop:1.2@HOST:PORT/KEY)"
                   : std::string("it needs an IIOP profile with an address")));
}

void throw_bad_request(cdr::Error error, std::string_view operation) {
  const std::string what = "the request of " + std::string(operation);
  // The caller must keep a bound.
  if (error == cdr::Error::too_long)
    cdr::raise_system_exception("IDL:omg.org/CORBA/BAD_PARAM:1.0", 0, CORBA::COMPLETED_NO,
                                what + ": " + cdr::to_text(error));
  cdr::throw_coding_error(error, CORBA::COMPLETED_NO, what);
}

void throw_long_request(std::size_t bytes, std::size_t most, std::string_view operation) {
  throw CORBA::MARSHAL(failure_codes().long_request, CORBA::COMPLETED_NO,
                       "the request of " + std::string(operation) + " has " + std::to_string(bytes) +
                           " octets, and -ORBMaxRequestSize allows " + std::to_string(most));
}

void throw_bad_reply(cdr::Error error, std::size_t octet, std::string_view operation) {
  cdr::throw_decoding_error(
      error, octet, CORBA::COMPLETED_YES, "the reply of " + std::string(operation),
      error == cdr::Error::source_failed ? "" : "; are both sides made from the same IDL?");
}

[[gnu::cold]] void throw_late_reply(std::string_view operation, const std::string& channel) {
  throw_timeout(failure_codes().timed_out, CORBA::COMPLETED_YES,
                std::string(operation) + " over " + channel +
                    ": the rest of the reply was not there at the call's deadline, or within "
                    "-ORBRoundTripTimeout (ten times that for all of it)");
}

void throw_unreadable_reply(const char* part, CORBA::CompletionStatus completed, std::string_view operation,
                            const std::string& where) {
  throw CORBA::MARSHAL(0, completed,
                       std::string(part) + " in the reply of " + std::string(operation) +
                           " cannot be read (" + where +
                           "): the server's ORB is at fault; -ORBLogLevel trace shows the octets");
}

void throw_no_other_addressing(std::string_view operation, const std::string& channel) {
  throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO,
                         "the server does not take the target of " + std::string(operation) +
                             " in any form that this reference has (" + channel +
                             "): the server's ORB is at fault; -ORBLogLevel trace shows the messages");
}

void throw_orb_down(CORBA::CompletionStatus completed) {
  throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(4), completed, "the ORB has been shut down");
}

}  // namespace takt::client
