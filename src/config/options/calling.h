// Options of calls, and of the connections that they use.
#pragma once

#include "config/options/common.h"

namespace takt::orb::table {

constexpr Named<ClientConnections> connections[] = {
    {"exclusive", ClientConnections::exclusive},
    {"cached", ClientConnections::cached},
    {"multiplexed", ClientConnections::multiplexed},
    {"multiplexed-active", ClientConnections::multiplexed_active}};
constexpr Named<bool> failures[] = {{"fail", true}, {"warn", false}};
constexpr Named<bidirectional::Accept> bidirectional_offers[] = {
    {"off", bidirectional::Accept::off},
    {"same-address", bidirectional::Accept::same_address},
    {"any", bidirectional::Accept::any}};
constexpr Named<bool> when_full[] = {{"wait", false}, {"refuse", true}};
constexpr Named<bool> deliveries[] = {{"thread", false}, {"reading-thread", true}};
constexpr Named<bool> bidirectional_policies[] = {{"normal", false}, {"both", true}};

constexpr Conflict accept_conflicts[] = {
    {"GIOPVersion", [](const S& s) { return accepts_bidirectional(s) && s.limits.giop_minor < 2; },
     "not `off`; below 1.2", "clients offer their connections only in GIOP 1.2",
     "leave GIOPVersion at 1.2, which also serves older clients, or set AcceptBidirectional to off"},
};
constexpr Conflict policy_conflicts[] = {
    {"GIOPVersion", [](const S& s) { return s.calling.offers_connections && s.limits.giop_minor < 2; },
     "`both`; below 1.2", "connections are offered to servers only in GIOP 1.2",
     "leave GIOPVersion at 1.2, which also calls older servers, or set BidirectionalPolicy to normal"},
};

constexpr Option calling_options[] = {
    {"ClientConnections", choice<connections, &S::calling, &CallingOptions::connections>(),
     fixed("open connections belong to the present strategy"),
     "Which connections calls use. exclusive: one for each calling thread and server. cached: one for each "
     "call in progress, taken from a cache of the process. multiplexed: one for each server, which all "
     "threads share and read in turn. multiplexed-active: the same, read by a thread of its own."},
    {"MaxRequestSize",
     Bytes{at<&S::client, &client::ClientOptions::longest_request>,
           client::ClientOptions::least_longest_request, 2 * GiB - 1},
     set_live("for calls that begin later"),
     "The longest request that is sent, uncompressed and with its header. A longer one throws MARSHAL with "
     "COMPLETED_NO, and the connection stays, whereas a server closes it for a message above its limit."},
    {"SendQueueSize", Bytes{at<&S::client, &client::ClientOptions::send_queue_bytes>, 1 * KiB, 1 * GiB},
     set_live(for_opened),
     "The octets of requests that may wait on one connection of multiplexed-active before they are sent. A "
     "further request gets TRANSIENT. A request that is longer is accepted if none waits."},
    {"MaxAsynchronousCalls",
     Count{at<&S::asynchronous, &client::AsynchronousDefaults::most_calls>, 1, 10000000, "calls"},
     fixed("takt::use_async_settings() changes it"),
     "The number of asynchronous calls whose outcome is not delivered yet. MaxOutstandingRequests and "
     "SendQueueSize limit each connection as well."},
    {"AsynchronousCallsFull",
     choice<when_full, &S::asynchronous, &client::AsynchronousDefaults::refuses_when_full>(),
     fixed("takt::use_async_settings() changes it"),
     "What a call beyond these limits does. wait: it waits for room, as long as it may last. refuse: it "
     "throws TRANSIENT, as it always does in a reply handler."},
    {"AsynchronousDelivery",
     choice<deliveries, &S::asynchronous, &client::AsynchronousDefaults::delivers_while_reading>(),
     fixed("takt::use_async_settings() changes it"),
     "Which thread runs reply handlers and continues coroutines. thread: one for each priority of calls. "
     "reading-thread: the thread that reads the connection, so handlers must be short."},
    {"ConnectAtStart", Texts{at<&S::runtime, &RuntimeOptions::connect_at_start>, "NAME or URL", " "}, fixed(),
     "Initial references, or objects, to which ORB_init connects and whose existence it checks. Each thread "
     "of a lane, pool or periodic dispatcher does the same before it serves, so that the first calls on them "
     "open no connection."},
    {"ConnectAtStartFailure", choice<failures, &S::runtime, &RuntimeOptions::must_connect_at_start>(),
     fixed(),
     "What ORB_init does if an object of ConnectAtStart cannot be reached. fail: it throws INITIALIZE and "
     "makes no ORB. warn: it writes a warning and continues."},
    {"ConnectAtStartTimeout", Duration{at<&S::runtime, &RuntimeOptions::connect_at_start_timeout>, 1ms, 1h},
     fixed(),
     "The time for which ORB_init, and each thread of a lane, pool or periodic dispatcher, tries to reach "
     "all objects of ConnectAtStart together. After it ORB_init does what ConnectAtStartFailure says. A "
     "thread serves without them, and the ORB warns once for each object that was not reached."},
    {"AcceptBidirectional",
     choice<bidirectional_offers, &S::calling, &CallingOptions::accept_bidirectional>(), fixed(),
     "Whether a server calls objects of its clients over connections that they opened and offer for it "
     "(bidirectional GIOP). same-address: if the offer names the address that the client connects from. any: "
     "always; then a client can receive calls that are meant for others. Clients behind address translation "
     "need any.",
     accept_conflicts},
    {"BidirectionalPolicy",
     choice<bidirectional_policies, &S::calling, &CallingOptions::offers_connections>(), fixed(),
     "The initial BidirectionalPolicy of the ORB. both: connections to servers are offered to them for "
     "call-backs, and all threads share them.",
     policy_conflicts},
    {"BidirectionalThreads",
     Count{at<&S::serving, &ServingOptions::bidirectional_threads>, 1, 10000, "threads"},
     fixed("the pool's threads already exist"),
     "The number of threads that serve requests on bidirectional connections."},
    {"ConnectTimeout", Duration{at<&S::client, &client::ClientOptions::connect_timeout>, 1ms, 1h},
     set_live(for_opened),
     "The time in which a connection must be established, including name resolution. If a reference has "
     "several addresses, each has its share, at least a quarter of the time that is left. After it the call "
     "gets TIMEOUT."},
    {"RoundTripTimeout",
     Duration{at<&S::client, &client::ClientOptions::round_trip_timeout>, 1ms, 8760h, true},
     set_live("for calls that begin later; on a shared connection that is already open, a call may still "
              "have the old limit",
              &RunningOrb::change_round_trip_timeout),
     "The time from sending a request to receiving its reply. After it the call gets TIMEOUT. A limit of 1s "
     "or more may be exceeded by up to an eighth. Messages that are sent or arrive in pieces have ten times "
     "as long, but not replies over connections that calls share. 0: no limit."},
    {"MaxRedirections",
     Count{at<&S::client, &client::ClientOptions::max_redirections>, 0, 1000, "redirections"},
     set_live("at once"),
     "The number of forwards and retries of one call. After it the call gets TRANSIENT."},
};

}  // namespace takt::orb::table
