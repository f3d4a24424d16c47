// Options of calls, and of the connections that they use.
#pragma once

#include "orb/options/common.h"

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
constexpr Named<bool> bidirectional_policies[] = {{"normal", false}, {"both", true}};

constexpr Conflict accept_conflicts[] = {
    {"GIOPVersion", [](const S& s) { return accepts_bidirectional(s) && s.limits.giop_minor < 2; },
     "not `off`; below 1.2", "clients offer their connections in GIOP 1.2 alone",
     "leave GIOPVersion at 1.2, by which older clients are served too, or AcceptBidirectional off"},
};
constexpr Conflict policy_conflicts[] = {
    {"GIOPVersion", [](const S& s) { return s.calling.offers_connections && s.limits.giop_minor < 2; },
     "`both`; below 1.2", "connections are offered to servers in GIOP 1.2 alone",
     "leave GIOPVersion at 1.2, by which older servers are called too, or BidirectionalPolicy normal"},
};

constexpr Option calling_options[] = {
    {"ClientConnections", choice<connections, &S::calling, &CallingOptions::connections>(),
     fixed("the connections that are open belong to the present one"),
     "A connection for each calling thread and server, one for each call in progress, from those that the "
     "process keeps, or one for each server that all threads share: which read it by turns, or leave it to "
     "a thread of the connection's own."},
    {"SendQueueSize", Bytes{at<&S::client, &client::ClientOptions::send_queue_bytes>, 1 * KiB, 1 * GiB},
     set_live(for_opened),
     "Octets of requests that one connection of multiplexed-active has not begun to send; one more gets "
     "TRANSIENT. A longer one is taken while no other waits."},
    {"ConnectAtStart", Texts{at<&S::runtime, &RuntimeOptions::connect_at_start>, "NAME or URL", " "}, fixed(),
     "Initial references, or objects, that ORB_init connects to and asks whether they are there, and so "
     "does each thread of a lane, pool or periodic dispatcher before it serves, so that the first calls on "
     "them open no connection."},
    {"ConnectAtStartFailure", choice<failures, &S::runtime, &RuntimeOptions::must_connect_at_start>(),
     fixed(),
     "What ORB_init does where some of ConnectAtStart cannot be reached: throw INITIALIZE, and there is no "
     "ORB; or say so and go on."},
    {"ConnectAtStartTimeout", Duration{at<&S::runtime, &RuntimeOptions::connect_at_start_timeout>, 1ms, 1h},
     fixed(),
     "How long each thread of a lane, pool or periodic dispatcher tries to reach ConnectAtStart, all of "
     "them together, before it serves all the same; the ORB says once for each which of them it has not "
     "reached."},
    {"AcceptBidirectional",
     choice<bidirectional_offers, &S::calling, &CallingOptions::accept_bidirectional>(), fixed(),
     "Whether a server calls its clients' objects back over connections that they have opened and offer for "
     "it (bidirectional GIOP): those that name the address they come from, or any. With any, a client can "
     "get calls that are meant for others; through a translated network it takes any.",
     accept_conflicts},
    {"BidirectionalPolicy",
     choice<bidirectional_policies, &S::calling, &CallingOptions::offers_connections>(), fixed(),
     "The ORB's BidirectionalPolicy at first. both: connections to servers are offered to them for "
     "call-backs, and all threads share them.",
     policy_conflicts},
    {"BidirectionalThreads",
     Count{at<&S::serving, &ServingOptions::bidirectional_threads>, 1, 10000, "threads"},
     fixed("the pool's threads are there"),
     "Threads that serve requests on connections on which both sides make them."},
    {"ConnectTimeout", Duration{at<&S::client, &client::ClientOptions::connect_timeout>, 1ms, 1h},
     set_live(for_opened),
     "For a connection to be established, name resolution included; then the call gets TIMEOUT."},
    {"RoundTripTimeout",
     Duration{at<&S::client, &client::ClientOptions::round_trip_timeout>, 1ms, 8760h, true},
     set_live("for calls that begin from then on; a connection that threads share, and that is open, may let "
              "one take as long as formerly",
              &RunningOrb::change_round_trip_timeout),
     "From sending a request to its reply; then the call gets TIMEOUT. From 1s on, up to an eighth more. "
     "What comes or goes in pieces has ten times as long. 0: no limit."},
    {"MaxRedirections",
     Count{at<&S::client, &client::ClientOptions::max_redirections>, 0, 1000, "redirections"},
     set_live("at once"), "How often one call follows a forward or is made again; then it gets TRANSIENT."},
};

}  // namespace takt::orb::table
