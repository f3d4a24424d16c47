// The settings of TAO 2.2: of its command line, and of the factories in svc.conf.
// docs/user/options-of-other-orbs.md has the same table; a test compares them.
#include <algorithm>
#include <iterator>
#include <string>

#include "base/ascii.h"
#include "foreign/collector.h"
#include "foreign/conversions.h"
#include "foreign/tao_endpoints.h"

namespace takt::orb::others {

namespace {

constexpr std::string_view resources = "Resource_Factory", servers = "Server_Strategy_Factory",
                           clients = "Client_Strategy_Factory", real_time = "RT_ORB_Loader",
                           tls = "SSLIOP_Factory";

struct Word {
  std::string_view theirs, ours;
};
// Names without regard to case.
template <const auto& words, const auto& form>
std::string word(const Setting& setting, std::string_view value, Collector& into) {
  for (const Word& each : words)
    if (equal_ignoring_case(each.theirs, value)) {
      into.set(setting.ours, std::string(each.ours));
      return {};
    }
  return std::string(form);
}
constexpr Word concurrencies[] = {{"reactive", "reactive"},
                                  {"thread-per-connection", "thread-per-connection"}};
constexpr std::string_view concurrency_form = "reactive or thread-per-connection";
constexpr Word muxes[] = {{"exclusive", "cached"}, {"muxed", "multiplexed"}};
constexpr std::string_view mux_form = "EXCLUSIVE or MUXED";
constexpr Word classes[] = {{"SCHED_OTHER", "other"}, {"SCHED_FIFO", "fifo"}, {"SCHED_RR", "round-robin"}};
constexpr std::string_view class_form = "SCHED_OTHER, SCHED_FIFO or SCHED_RR";
constexpr Word mappings[] = {{"linear", "linear"}, {"direct", "direct"}, {"continuous", "continuous"}};
constexpr std::string_view mapping_form = "linear, direct or continuous";
constexpr Word code_sets[] = {{"UTF-8", "UTF-8"},          {"UTF8", "UTF-8"},
                              {"0x05010001", "UTF-8"},     {"ISO-8859-1", "ISO-8859-1"},
                              {"ISO8859-1", "ISO-8859-1"}, {"0x00010001", "ISO-8859-1"}};
constexpr std::string_view code_set_form = "UTF-8 or ISO-8859-1";

std::string debug_level(const Setting& /*setting*/, std::string_view value, Collector& into) {
  const auto number = number_in(value);
  if (!number) return "a number";
  into.log_level(*number >= 10 ? 4 : *number >= 3 ? 3 : *number >= 1 ? 2 : 1);
  return {};
}

std::string keep_alive(const Setting& setting, std::string_view value, Collector& into) {
  if (value != "0" && value != "1") return "0 or 1";
  into.set(setting.ours, value == "1" ? "2h" : "0");
  return {};
}

// The name of the option says which service it is.
std::string service_url(const Setting& setting, std::string_view value, Collector& into) {
  constexpr std::string_view end = "IOR";
  into.set(setting.ours,
           std::string(setting.name.substr(0, setting.name.size() - end.size())) + "=" + std::string(value));
  return {};
}

// PEM:FILE.
std::string pem_file(const Setting& setting, std::string_view value, Collector& into) {
  constexpr std::string_view pem = "PEM:";
  if (equal_ignoring_case(value.substr(0, value.find(':') + 1), "ASN1:")) return "PEM:FILE";
  into.set(setting.ours,
           std::string(value.substr(equal_ignoring_case(value.substr(0, pem.size()), pem) ? pem.size() : 0)));
  return {};
}

std::string authenticate(const Setting& setting, std::string_view value, Collector& into) {
  const bool client = equal_ignoring_case(value, "CLIENT"), server = equal_ignoring_case(value, "SERVER"),
             both = equal_ignoring_case(value, "SERVER_AND_CLIENT");
  if (!client && !server && !both && !equal_ignoring_case(value, "NONE"))
    return "NONE, SERVER, CLIENT or SERVER_AND_CLIENT";
  into.set(setting.ours, client || both ? "required" : "none");
  into.set("TLSServerCertificates", server || both ? "required" : "none");
  return {};
}

std::string plain_too(const Setting& setting, std::string_view /*value*/, Collector& into) {
  into.set(setting.ours, "on");
  return {};
}

std::string protocol_factory(const Setting& /*setting*/, std::string_view value, Collector& into) {
  constexpr std::string_view known[] = {"IIOP_Factory", "UIOP_Factory", "SHMIOP_Factory", "DIOP_Factory",
                                        "SSLIOP_Factory"};
  if (std::ranges::none_of(known, [&](std::string_view one) { return equal_ignoring_case(one, value); }))
    return "IIOP_Factory, UIOP_Factory, SHMIOP_Factory, DIOP_Factory or SSLIOP_Factory; -ORBPlugin loads "
           "other transports";
  into.note("no factory has to be named: a program has all transports");
  return {};
}

constexpr std::string_view by_url = "initial references are found by InitRef, not by multicast";
constexpr std::string_view short_way = "calls within a process take the short way, through the POA";
constexpr std::string_view own_connections = "the ORB opens and closes connections itself";
constexpr std::string_view redirections = "forwards and retries are limited by -ORBMaxRedirections";
constexpr std::string_view own_locks = "Takt's locks cannot be chosen";
constexpr std::string_view own_tables = "tables grow by themselves";
constexpr std::string_view own_lookups =
    "requests find their objects by -ORBServantLookup and -ORBAdapterLookup";
constexpr std::string_view own_dynamic_threads =
    "dynamic threads of a pool end after a time without requests";
constexpr std::string_view own_reactor = "-ORBReactor chooses the reactor, epoll or io_uring";
constexpr std::string_view own_buffers = "buffers need no such choice";
constexpr std::string_view own_references = "references are those of the standard";
constexpr std::string_view no_translators = "code sets are converted without plug-ins";
constexpr std::string_view no_configurator = "Takt reads the settings of svc.conf and loads no code";

constexpr std::string_view lanes_by_priority =
    "lanes are found by their priorities: -ORBListenEndpoints iiop://HOST:PORT/priority=NUMBER";

constexpr Setting all[] = {
    // The command line.
    file("SvcConf", "the file of settings"),
    file("SvcConfDirective", "a line of that file"),
    {"IgnoreDefaultSvcConfFile",
     Fate::read,
     {},
     "svc.conf of the current folder is not read",
     nullptr,
     {},
     {},
     {},
     false},
    ignored("SkipServiceConfigOpen", no_configurator, {}, false),
    ignored("ServiceConfigLoggerKey", no_configurator),
    ignored("Gestalt", no_configurator),
    ignored("Debug", no_configurator, {}, false),
    ignored("VerboseLogging", "a line of the log has the time"),
    refused("Daemon", "the service manager starts programs in the background", {}, false),
    becomes("DebugLevel", "LogLevel", debug_level, "10", "LogLevel = trace"),
    becomes("LogFile", "LogFile", same, "orb.log", "LogFile = orb.log"),
    becomes("id", "id", same, "shop", "id = shop"),
    becomes("InitRef", "InitRef", same, "NameService=corbaloc::shop/NameService",
            "InitRef = NameService=corbaloc::shop/NameService"),
    becomes("DefaultInitRef", "DefaultInitRef", same, "corbaloc::shop", "DefaultInitRef = corbaloc::shop"),
    becomes("NameServiceIOR", "InitRef", service_url, "file:///ns.ior",
            "InitRef = NameService=file:///ns.ior"),
    becomes("TradingServiceIOR", "InitRef", service_url, "file:///t.ior",
            "InitRef = TradingService=file:///t.ior"),
    becomes("ImplRepoServiceIOR", "InitRef", service_url, "file:///i.ior",
            "InitRef = ImplRepoService=file:///i.ior"),
    ignored("NameServicePort", by_url),
    ignored("TradingServicePort", by_url),
    ignored("ImplRepoServicePort", by_url),
    ignored("MulticastDiscoveryEndpoint", by_url),
    becomes("Endpoint", "ListenEndpoints", tao_endpoints, "iiop://:2810/hostname_in_ior=shop",
            "ListenEndpoints = iiop://:2810?publish=shop"),
    becomes("ListenEndpoint", "ListenEndpoints", tao_endpoints, "iiop://:2840/priority=40",
            "LaneEndpoints = 40=iiop://:2840"),
    becomes("ListenEndpoints", "ListenEndpoints", tao_endpoints, "iiop://1.2@a:1,b;iiop://:9/portspan=3",
            "ListenEndpoints = iiop://a:1; ListenEndpoints = iiop://b:0; ListenEndpoints = iiop://:9-11"),
    refused("LaneEndpoint", lanes_by_priority),
    refused("LaneListenEndpoint", lanes_by_priority),
    refused("LaneListenEndpoints", lanes_by_priority),
    ignored("DottedDecimalAddresses", "references have addresses in numbers, or what hostname_in_ior says"),
    ignored("NoServerSideNameLookups", "references have addresses in numbers"),
    ignored("PreferredInterfaces", "the system's routes choose the interface"),
    ignored("EnforcePreferredInterfaces", "the system's routes choose the interface"),
    ignored("Preconnect", "calls open connections; -ORBConnectAtStart names objects to connect to"),
    becomes("RcvSock", "ReceiveBuffer", octets, "65536", "ReceiveBuffer = 65536"),
    becomes("SndSock", "SendBuffer", octets, "65536", "SendBuffer = 65536"),
    ignored("Nodelay", "octets are always sent at once"),
    becomes("Keepalive", "KeepAlive", keep_alive, "1", "KeepAlive = 2h"),
    ignored("DontRoute", "the system's routes are used"),
    ignored("IPHopLimit", "the system's limit is used"),
    ignored("IPMulticastLoop", "-ORBMulticastLoopback is for groups"),
    ignored("AcceptErrorDelay", "the delay follows from the error"),
    becomes("MaxMessageSize", "FragmentSize", octets, "65536", "FragmentSize = 65536"),
    ignored("CDRTradeoff", own_buffers),
    ignored("SingleReadOptimization", own_buffers),
    ignored("Collocation", short_way),
    ignored("CollocationStrategy", short_way),
    ignored("GlobalCollocation", short_way),
    ignored("AMICollocation", short_way),
    ignored("DisableRTCollocation", short_way),
    ignored("StdProfileComponents", own_references),
    ignored("ObjRefStyle", own_references),
    ignored("UseSharedProfile", own_references),
    ignored("UseParallelConnects", own_connections),
    ignored("ParallelConnectDelay", own_connections),
    ignored("NegotiateCodesets", "code sets are negotiated; -ORBAssumedCharCodeSet is for peers that do not"),
    ignored("ForwardInvocationOnObjectNotExist", redirections),
    ignored("ForwardOnceOnObjectNotExist", redirections),
    ignored("ForwardOnceOnCommFailure", redirections),
    ignored("ForwardOnceOnTransient", redirections),
    ignored("ForwardOnceOnInvObjref", redirections),
    ignored("ForwardOnObjectNotExistLimit", redirections),
    ignored("ForwardOnCommFailureLimit", redirections),
    ignored("ForwardOnTransientLimit", redirections),
    ignored("ForwardOnInvObjrefLimit", redirections),
    ignored("ForwardOnReplyClosedLimit", redirections),
    ignored("ForwardDelay", redirections),
    ignored("UseIMR", "takt imr starts servers, and needs nothing in them"),
    ignored("IMREndpointsInIOR", "takt imr starts servers, and needs nothing in them"),
    becomes("ServerId", "ServerId", same, "shop", "ServerId = shop"),
    ignored("UsingLocalMemoryPool", own_buffers),
    // svc.conf.
    ignored("Resources", own_reactor, resources),
    ignored("ReactorType", own_reactor, resources),
    ignored("ReactorMaskSignals", own_reactor, resources),
    ignored("ReactorThreadQueue", own_reactor, resources),
    ignored("ReactorRegistry", own_reactor, resources),
    acts("ProtocolFactory", "ListenEndpoints", protocol_factory, "UIOP_Factory",
         "no effect: a program has all transports; factories of others are refused", resources),
    ignored("ConnectionCachingStrategy", own_connections, resources),
    ignored("ConnectionPurgingStrategy", own_connections, resources),
    ignored("ConnectionCacheMax", own_connections, resources),
    ignored("ConnectionCachePurgePercentage", own_connections, resources),
    ignored("PurgePercentage", own_connections, resources),
    ignored("MuxedConnectionMax", own_connections, resources),
    ignored("ConnectionCacheLock", own_locks, resources),
    ignored("ConnectionLock", own_locks, resources),
    ignored("CorbaObjectLock", own_locks, resources),
    ignored("ObjectKeyTableLock", own_locks, resources),
    ignored("ResourceUsage", own_tables, resources),
    ignored("FlushingStrategy", "a call writes its request itself", resources),
    ignored("ZeroCopyWrite", own_buffers, resources),
    ignored("DropRepliesDuringShutdown", "replies are sent until the shutdown ends", resources),
    ignored("InputCDRAllocator", own_buffers, resources),
    ignored("OutputCDRAllocator", own_buffers, resources),
    ignored("AMHResponseHandlerAllocator", own_buffers, resources),
    ignored("AMIResponseHandlerAllocator", own_buffers, resources),
    ignored("IORParser", no_configurator, resources),
    becomes("NativeCharCodeSet", "CharCodeSet", word<code_sets, code_set_form>, "0x05010001",
            "CharCodeSet = UTF-8", resources),
    ignored("NativeWCharCodeSet", "a wchar_t is a character of Unicode", resources),
    ignored("CharCodesetTranslator", no_translators, resources),
    ignored("WCharCodesetTranslator", no_translators, resources),
    becomes("Concurrency", "ServerConcurrency", word<concurrencies, concurrency_form>,
            "thread-per-connection", "ServerConcurrency = thread-per-connection", servers),
    ignored("ThreadPerConnectionTimeout", "threads end with their connections", servers),
    ignored("ThreadFlags", "threads are those of the system", servers),
    ignored("ActiveObjectMapSize", own_tables, servers),
    ignored("POAMapSize", own_tables, servers),
    ignored("UseridPolicyDemuxStrategy", own_lookups, servers),
    ignored("SystemidPolicyDemuxStrategy", own_lookups, servers),
    ignored("UniqueidPolicyReverseDemuxStrategy", own_lookups, servers),
    ignored("PersistentidPolicyDemuxStrategy", own_lookups, servers),
    ignored("TransientidPolicyDemuxStrategy", own_lookups, servers),
    ignored("AllowReactivationOfSystemids", own_lookups, servers),
    ignored("ActiveHintInIds", own_lookups, servers),
    ignored("ActiveHintInPOANames", own_lookups, servers),
    ignored("POALock", own_locks, servers),
    ignored("EventLoopLock", own_locks, servers),
    becomes("TransportMuxStrategy", "ClientConnections", word<muxes, mux_form>, "EXCLUSIVE",
            "ClientConnections = cached", clients),
    ignored("ClientConnectionHandler", "a calling thread reads its reply itself", clients),
    ignored("ConnectStrategy", "a calling thread opens its connection itself", clients),
    ignored("ConnectionHandlerCleanup", own_connections, clients),
    ignored("ReplyDispatcherTableSize", own_tables, clients),
    ignored("ProfileLock", own_locks, clients),
    ignored("ConnectorLock", own_locks, clients),
    becomes("SchedPolicy", "SchedulingClass", word<classes, class_form>, "SCHED_FIFO",
            "SchedulingClass = fifo", real_time),
    becomes("PriorityMapping", "PriorityMapping", word<mappings, mapping_form>, "linear",
            "PriorityMapping = linear", real_time),
    ignored("ScopePolicy", "threads are those of the system", real_time),
    ignored("RTORBNetworkPriorityMapping", "-ORBTrafficClasses marks packets by priority", real_time),
    ignored("RTORBDynamicThreadIdleTimeout", own_dynamic_threads, real_time),
    ignored("RTORBDynamicThreadRunTime", own_dynamic_threads, real_time),
    becomes("SSLCertificate", "TLSCertificate", pem_file, "PEM:server.pem", "TLSCertificate = server.pem",
            tls),
    becomes("SSLPrivateKey", "TLSKey", pem_file, "PEM:key.pem", "TLSKey = key.pem", tls),
    becomes("SSLCAfile", "TLSAuthorities", pem_file, "PEM:ca.pem", "TLSAuthorities = ca.pem", tls),
    becomes("SSLCApath", "TLSAuthorities", same, "certs", "TLSAuthorities = certs", tls),
    becomes("SSLCipherList", "TLSCiphers", same, "HIGH", "TLSCiphers = HIGH", tls),
    becomes("SSLAuthenticate", "TLSClientCertificates", authenticate, "SERVER_AND_CLIENT",
            "TLSClientCertificates = required; TLSServerCertificates = required", tls),
    {"SSLNoProtection", Fate::translated, "TLSPlainToo", {}, plain_too, "", "TLSPlainToo = on", tls, false},
    refused("SSLPassword",
            "put it into a file that only this user can read, and name that by -ORBTLSKeyPasswordFile", tls),
    ignored("SSLrand", "the system has random numbers", tls),
    ignored("SSLVersionList", "-ORBTLSVersion is the oldest version", tls),
};

}  // namespace

std::span<const Setting> tao_settings() { return all; }

const Setting* find_tao_setting(std::string_view name) {
  const auto* const found =
      std::ranges::find_if(all, [&](const Setting& one) { return equal_ignoring_case(one.name, name); });
  return found == std::end(all) ? nullptr : found;
}

}  // namespace takt::orb::others
