// The settings of omniORB 4.2. docs/user/options-of-other-orbs.md has the same table; a test compares them.
#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include "foreign/collector.h"
#include "foreign/conversions.h"
#include "foreign/omniorb_endpoints.h"

namespace takt::orb::others {

namespace {

// omniORB takes 0 and 1 for its switches.
constexpr std::string_view zero_or_one = "0 or 1";

template <const auto& names>  // the names of 0 and 1
std::string flag(const Setting& setting, std::string_view value, Collector& into) {
  if (value != "0" && value != "1") return std::string(zero_or_one);
  into.set(setting.ours, std::string(names[value == "1" ? 1 : 0]));
  return {};
}
constexpr std::array<std::string_view, 2> concurrencies = {"worker-pool", "thread-per-connection"};
constexpr std::array<std::string_view, 2> connections = {"multiplexed", "cached"};
constexpr std::array<std::string_view, 2> bidirectional_offers = {"normal", "both"};
constexpr std::array<std::string_view, 2> bidirectional_accepts = {"off", "any"};

std::string trace_level(const Setting& /*setting*/, std::string_view value, Collector& into) {
  const auto number = number_in(value);
  if (!number) return "a number from 0 to 40";
  into.log_level(*number >= 25 ? 4 : *number >= 10 ? 3 : *number >= 5 ? 2 : *number >= 1 ? 1 : 0);
  return {};
}

std::string trace_calls(const Setting& /*setting*/, std::string_view value, Collector& into) {
  if (value != "0" && value != "1") return std::string(zero_or_one);
  if (value == "1") into.log_at_least(3);
  return {};
}

// 0 stands for no limit.
std::string hold_time(const Setting& setting, std::string_view value, Collector& into) {
  if (number_in(value) != 0u) return milliseconds(setting, value, into);
  into.set(setting.ours, "1h");
  return {};
}

std::string message_time(const Setting& setting, std::string_view value, Collector& into) {
  if (number_in(value) == 0u) return {};
  if (std::string form = milliseconds(setting, value, into); !form.empty()) return form;
  into.set("SendTimeout", std::string(value) + "ms");
  return {};
}

std::string message_size(const Setting& setting, std::string_view value, Collector& into) {
  const auto number = number_in(value);
  if (!number || *number < 8192) return "a number of octets, at least 8192";
  into.set("MaxRequestSize", std::string(value));
  into.set("MaxReplySize", std::string(value));
  return octets(setting, value, into);
}

std::string transient_on_timeout(const Setting& /*setting*/, std::string_view value, Collector& into) {
  if (value != "0" && value != "1") return std::string(zero_or_one);
  into.transient_on_timeout(value == "1");
  return {};
}

std::string initial_reference(const Setting& setting, std::string_view value, Collector& into) {
  const auto equals = value.find('=');
  if (equals == value.npos || equals == 0) return "NAME=URL";
  return same(setting, value, into);
}

std::string permission(const Setting& setting, std::string_view value, Collector& into) {
  const bool is_octal = !value.empty() && value.find_first_not_of("01234567") == value.npos;
  if (!is_octal) return "an octal number, as in 0777";
  into.set(setting.ours, (value.starts_with('0') ? "" : "0") + std::string(value));
  return {};
}

std::string verify_mode(const Setting& setting, std::string_view value, Collector& into) {
  const std::string_view of_clients = value == "none"        ? "none"
                                      : value == "peer"      ? "optional"
                                      : value == "peer,fail" ? "required"
                                                             : "";
  if (of_clients.empty()) return "none, peer or peer,fail";
  into.set("TLSServerCertificates", value == "none" ? "none" : "required");
  into.set(setting.ours, std::string(of_clients));
  return {};
}

// Rules that admit every peer are what Takt does; others keep peers away, which must not be ignored.
bool admits_all(std::string_view rule) { return rule.starts_with("* ") && rule.find("tcp") != rule.npos; }

std::string refused_rule(std::string_view instead) {
  return "only a rule for all addresses with tcp, as in '* unix,ssl,tcp'; " + std::string(instead);
}

// omniORB's clients try the addresses of a reference in the order of the rule's transports.
std::string client_rule(const Setting& setting, std::string_view value, Collector& into) {
  if (!admits_all(value)) return refused_rule("-ORBTLSUse always asks for TLS");
  into.set(setting.ours, value.find("ssl") < value.find("tcp") ? "offered" : "required");
  return {};
}

std::string server_rule(const Setting& /*setting*/, std::string_view value, Collector& into) {
  if (!admits_all(value))
    return refused_rule("-ORBListenEndpoints restricts where clients come from, or the machine's firewall");
  into.note("the rule has no effect: clients may come by every transport");
  return {};
}
constexpr std::string_view always_done = "it is always done";
constexpr std::string_view own_threads = "Takt's threads need no such number";
constexpr std::string_view own_connections = "the ORB opens and closes connections itself";
constexpr std::string_view order_of_reference = "a client tries the addresses in the order of the reference";
constexpr std::string_view no_workaround = "messages are those of the standard";
constexpr std::string_view no_bootstrap = "initial references are found by InitRef";
constexpr std::string_view trace_form = "a line of the log has the time";

constexpr Setting all[] = {
    becomes("traceLevel", "LogLevel", trace_level, "10", "LogLevel = debug"),
    becomes("traceExceptions", "LogLevel", trace_calls, "1", "LogLevel = debug"),
    becomes("traceInvocations", "LogLevel", trace_calls, "1", "LogLevel = debug"),
    becomes("traceInvocationReturns", "LogLevel", trace_calls, "1", "LogLevel = debug"),
    ignored("traceThreadId", trace_form),
    ignored("traceTime", trace_form),
    ignored("traceLocking", "locks are not traced"),
    becomes("traceFile", "LogFile", same, "orb.log", "LogFile = orb.log"),
    ignored("dumpConfiguration", "takt::Configuration and takt::add_admin() tell the values of options"),
    file("configFile", "the file of omniORB's settings"),
    becomes("id", "id", same, "omniORB4", "id = omniORB4"),
    becomes("InitRef", "InitRef", initial_reference, "NameService=corbaname::shop",
            "InitRef = NameService=corbaname::shop"),
    becomes("DefaultInitRef", "DefaultInitRef", same, "corbaloc::shop", "DefaultInitRef = corbaloc::shop"),
    becomes("endPoint", "ListenEndpoints", omniorb_endpoint, "giop:tcp::2810",
            "ListenEndpoints = iiop://:2810"),
    becomes("endPointPublish", "PublishedEndpoints", omniorb_published,
            "giop:tcp:shop.example.com:", "PublishedEndpoints = iiop://shop.example.com:0"),
    becomes("endPointNoListen", "PublishedEndpoints", omniorb_also_published,
            "giop:tcp:shop.example.com:2810",
            "PublishedEndpoints = own; PublishedEndpoints = iiop://shop.example.com:2810"),
    becomes("endPointNoPublish", "ListenEndpoints", omniorb_unpublished, "giop:tcp::2811-2815",
            "ListenEndpoints = iiop://:2811-2815?publish=none"),
    ignored("endPointPublishAllIFs", "references have all addresses"),
    acts("unixTransportDirectory", "ListenEndpoints", omniorb_socket_folder, "/run/shop",
         "the folder of endpoints such as giop:unix:NAME that are given after it"),
    becomes("unixTransportPermission", "UnixPermissions", permission, "0770", "UnixPermissions = 0770"),
    becomes("clientTransportRule", "TLSUse", client_rule, "* unix,ssl,tcp", "TLSUse = offered"),
    acts("serverTransportRule", "ListenEndpoints", server_rule, "* unix,ssl,tcp",
         "no effect: clients may come by every transport; rules that keep some away are refused"),
    ignored("listenBacklog", "the ORB chooses the length of the system's queue"),
    becomes("clientCallTimeOutPeriod", "RoundTripTimeout", milliseconds, "500", "RoundTripTimeout = 500ms"),
    becomes("clientConnectTimeOutPeriod", "ConnectTimeout", milliseconds_if_any, "500",
            "ConnectTimeout = 500ms"),
    ignored("supportPerThreadTimeOut", always_done),
    ignored("resetTimeOutOnRetries", "the time of a call includes its repetitions"),
    becomes("serverCallTimeOutPeriod", "MessageTimeout", message_time, "500",
            "MessageTimeout = 500ms; SendTimeout = 500ms"),
    ignored("outConScanPeriod", own_connections),
    becomes("inConScanPeriod", "IdleTimeout", seconds, "180", "IdleTimeout = 180s"),
    ignored("scanGranularity", "connections are closed when their time is over"),
    becomes("poaHoldRequestTimeout", "HoldTimeout", hold_time, "500", "HoldTimeout = 500ms"),
    becomes("giopMaxMsgSize", "MaxMessageSize", message_size, "16777216",
            "MaxRequestSize = 16777216; MaxReplySize = 16777216; MaxMessageSize = 16777216"),
    becomes("maxGIOPVersion", "GIOPVersion", same, "1.2", "GIOPVersion = 1.2"),
    becomes("nativeCharCodeSet", "CharCodeSet", same, "UTF-8", "CharCodeSet = UTF-8"),
    ignored("nativeWCharCodeSet", "a wchar_t is a character of Unicode"),
    becomes("defaultCharCodeSet", "AssumedCharCodeSet", same, "UTF-8", "AssumedCharCodeSet = UTF-8"),
    becomes("defaultWCharCodeSet", "AssumedWcharCodeSet", same, "UTF-16", "AssumedWcharCodeSet = UTF-16"),
    ignored("validateUTF8", always_done),
    becomes("threadPerConnectionPolicy", "ServerConcurrency", flag<concurrencies>, "0",
            "ServerConcurrency = worker-pool"),
    becomes("maxServerThreadPoolSize", "ServerThreads", count, "50", "ServerThreads = 50"),
    ignored("maxServerThreadPerConnection",
            "requests of one connection are served one after another, or by all threads of the pool"),
    ignored("maxClientThreadPoolSize", own_threads),
    ignored("threadPerConnectionUpperLimit", own_threads),
    ignored("threadPerConnectionLowerLimit", own_threads),
    ignored("threadPoolWatchConnection", own_threads),
    ignored("connectionWatchPeriod", own_threads),
    ignored("connectionWatchImmediate", own_threads),
    ignored("idleThreadTimeout", own_threads),
    becomes("oneCallPerConnection", "ClientConnections", flag<connections>, "0",
            "ClientConnections = multiplexed"),
    ignored("maxGIOPConnectionPerServer", own_connections),
    ignored("maxInterleavedCallsPerConnection", own_connections),
    becomes("acceptBiDirectionalGIOP", "AcceptBidirectional", flag<bidirectional_accepts>, "1",
            "AcceptBidirectional = any"),
    becomes("offerBiDirectionalGIOP", "BidirectionalPolicy", flag<bidirectional_offers>, "1",
            "BidirectionalPolicy = both"),
    ignored("maxSocketSend", "the system needs no such limit"),
    ignored("maxSocketRecv", "the system needs no such limit"),
    becomes("socketSendBuffer", "SendBuffer", octets, "65536", "SendBuffer = 65536"),
    ignored("copyValuesInLocalCalls", "values are copied in calls within a process"),
    ignored("abortOnInternalError", "there is no such exception"),
    ignored("abortOnNativeException", "it concerns Windows"),
    ignored("diiThrowsSysExceptions", "Request::env() has the exception of a dynamic call"),
    ignored("verifyObjectExistsAndType", "Takt does not ask before the first call"),
    ignored("giopTargetAddressMode", "Takt sends the key, and more if the server asks for it"),
    ignored("immediateAddressSwitch", order_of_reference),
    ignored("resolveNamesForTransportRules", "rules for single hosts are refused"),
    ignored("retainAddressOrder", order_of_reference),
    ignored("bootstrapAgentHostname", no_bootstrap),
    ignored("bootstrapAgentPort", no_bootstrap),
    ignored("supportBootstrapAgent", no_bootstrap),
    ignored("principal", "GIOP 1.2 has no such field"),
    ignored("supportCurrent", always_done),
    ignored("objectTableSize", "tables of objects grow by themselves"),
    ignored("poaUniquePersistentSystemIds", "Takt has its own scheme of ids"),
    ignored("strictIIOP", no_workaround),
    ignored("lcdMode", no_workaround),
    ignored("tcAliasExpand", no_workaround),
    ignored("useTypeCodeIndirections", no_workaround),
    ignored("acceptMisalignedTcIndirections", no_workaround),
    acts("throwTransientOnTimeOut", {}, transient_on_timeout, "1",
         "calls of all the process's ORBs throw TRANSIENT (TRANSIENT_CallTimedout) after their time"),
    becomes("sslCAFile", "TLSAuthorities", same, "ca.pem", "TLSAuthorities = ca.pem"),
    becomes("sslCAPath", "TLSAuthorities", same, "certs", "TLSAuthorities = certs"),
    becomes("sslKeyFile", "TLSCertificate", same, "server.pem", "TLSCertificate = server.pem"),
    refused("sslKeyPassword",
            "put it into a file that only this user can read, and name that by -ORBTLSKeyPasswordFile"),
    becomes("sslVerifyMode", "TLSClientCertificates", verify_mode, "peer,fail",
            "TLSServerCertificates = required; TLSClientCertificates = required"),
    becomes("sslCipherList", "TLSCiphers", same, "HIGH", "TLSCiphers = HIGH"),
    becomes("sslAcceptTimeOut", "TLSHandshakeTimeout", milliseconds_if_any, "500",
            "TLSHandshakeTimeout = 500ms"),
};

}  // namespace

std::span<const Setting> omniorb_settings() { return all; }

const Setting* find_omniorb_setting(std::string_view name) {
  const auto* const found = std::ranges::find(all, name, &Setting::name);
  return found == std::end(all) ? nullptr : found;
}

}  // namespace takt::orb::others
