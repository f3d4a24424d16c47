#include "config/foreign_options.h"

#include <algorithm>
#include <iterator>

#include "base/ascii.h"

namespace takt::orb {

namespace {

constexpr std::string_view omniorb = "omniORB", tao = "TAO";

constexpr ForeignOption all[] = {
    {omniorb, "endPoint", "ListenEndpoints", "iiop://HOST:PORT, unix:/PATH or ssliop://HOST:PORT"},
    {omniorb, "endPointPublish", "PublishedEndpoints", "iiop://HOST:PORT"},
    {omniorb, "unixTransportDirectory", "ListenEndpoints", "unix:/PATH"},
    {omniorb, "unixTransportPermission", "UnixPermissions", "0660"},
    {omniorb, "configFile", "Config", "a file in TOML"},
    {omniorb, "traceLevel", "LogLevel", "off, error, warning, info, debug or trace"},
    {omniorb, "clientCallTimeOutPeriod", "RoundTripTimeout", "500ms"},
    {omniorb, "clientConnectTimeOutPeriod", "ConnectTimeout", "500ms"},
    {omniorb, "serverCallTimeOutPeriod", "MessageTimeout", "500ms, and SendTimeout"},
    {omniorb, "inConScanPeriod", "IdleTimeout", "3min"},
    {omniorb, "poaHoldRequestTimeout", "HoldTimeout", "500ms"},
    {omniorb, "giopMaxMsgSize", "MaxMessageSize", "16MiB"},
    {omniorb, "maxGIOPVersion", "GIOPVersion", "1.2"},
    {omniorb, "nativeCharCodeSet", "CharCodeSet", "UTF-8 or ISO-8859-1"},
    {omniorb, "threadPerConnectionPolicy", "ServerConcurrency", "thread-per-connection or worker-pool"},
    {omniorb, "maxServerThreadPoolSize", "ServerThreads", "a number"},
    {omniorb, "oneCallPerConnection", "ClientConnections", "exclusive, cached or multiplexed"},
    {omniorb, "maxGIOPConnectionPerServer", "ClientConnections", "exclusive, cached or multiplexed"},
    {omniorb, "acceptBiDirectionalGIOP", "AcceptBidirectional", "same-address or any"},
    {omniorb, "offerBiDirectionalGIOP", "BidirectionalPolicy", "both"},
    {omniorb, "socketSendBuffer", "SendBuffer", "64KiB"},
    {omniorb, "sslCAFile", "TLSAuthorities", "a file in PEM"},
    {omniorb, "sslCAPath", "TLSAuthorities", "a folder"},
    {omniorb, "sslKeyFile", "TLSCertificate", "a file in PEM, with the key in it or in that of TLSKey"},
    {omniorb, "sslVerifyMode", "TLSClientCertificates", "none, optional or required"},
    {omniorb, "sslAcceptTimeOut", "TLSHandshakeTimeout", "500ms"},
    {tao, "Endpoint", "ListenEndpoints", "iiop://HOST:PORT or unix:/PATH"},
    {tao, "ListenEndpoint", "ListenEndpoints", "iiop://HOST:PORT or unix:/PATH"},
    {tao, "DottedDecimalAddresses", "PublishedEndpoints",
     "iiop://HOST:PORT; references have numbers without"},
    {tao, "LaneListenEndpoints", "LaneEndpoints", "PRIORITY=iiop://HOST:PORT"},
    {tao, "SvcConf", "Config", "a file in TOML"},
    {tao, "DebugLevel", "LogLevel", "off, error, warning, info, debug or trace"},
    {tao, "NameServiceIOR", "InitRef", "NameService=URL"},
    {tao, "RcvSock", "ReceiveBuffer", "64KiB"},
    {tao, "SndSock", "SendBuffer", "64KiB"},
    {tao, "Preconnect", "ConnectAtStart", "NAME or URL"},
    {tao, "Concurrency", "ServerConcurrency", "reactive or thread-per-connection"},
    {tao, "TransportMuxStrategy", "ClientConnections", "multiplexed or exclusive"},
    {tao, "SchedPolicy", "SchedulingClass", "fifo, round-robin or other"},
    {tao, "NativeCharCodeSet", "CharCodeSet",
     "UTF-8 or ISO-8859-1 (in TAO an option of Resource_Factory, in svc.conf)"},
    {tao, "NegotiateCodesets", "AssumedCharCodeSet", "UTF-8 or ISO-8859-1"},
};

}  // namespace

std::span<const ForeignOption> foreign_options() { return all; }

// Ignores case, as TAO does, but prefers a name in exactly this spelling, as omniORB requires it.
const ForeignOption* find_foreign_option(std::string_view name) {
  const auto is_like = [&](std::string_view one) { return equal_ignoring_case(one, name); };
  const auto* found = std::ranges::find(all, name, &ForeignOption::name);
  if (found == std::end(all)) found = std::ranges::find_if(all, is_like, &ForeignOption::name);
  return found == std::end(all) ? nullptr : found;
}

}  // namespace takt::orb
