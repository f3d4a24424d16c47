// Options of the threads that serve requests, and of their timeouts.
#pragma once

#include "orb/options/common.h"

namespace takt::orb::table {

constexpr Named<Concurrency> concurrencies[] = {{"thread-per-connection", Concurrency::thread_per_connection},
                                                {"reactive", Concurrency::reactive},
                                                {"leader-followers", Concurrency::leader_followers},
                                                {"worker-pool", Concurrency::worker_pool},
                                                {"threading-framework", Concurrency::threading_framework}};
constexpr Named<QueueOrder> queue_orders[] = {
    {"temporal", QueueOrder::temporal}, {"importance", QueueOrder::importance},
    {"priority", QueueOrder::priority}, {"deadline", QueueOrder::deadline},
    {"fixed", QueueOrder::fixed},       {"laxity", QueueOrder::laxity},
    {"urgency", QueueOrder::urgency}};
constexpr std::string_view for_accepted =
    "at once; with thread-per-connection for connections that are accepted from then on";

constexpr Conflict concurrency_conflicts[] = {
    {"AcceptBidirectional",
     [](const S& s) { return s.serving.concurrency == Concurrency::reactive && accepts_bidirectional(s); },
     "`reactive`; not `off`",
     "one thread runs all upcalls of a reactive server, and it cannot wait for a call-back's reply and serve",
     "leader-followers with ServerThreads 1 runs one upcall at a time as well, and has a pool for "
     "call-backs"},
};

constexpr Option serving_options[] = {
    {"ServerConcurrency", choice<concurrencies, &S::serving, &ServingOptions::concurrency>(),
     fixed("the connections that are open belong to the threads of the present one"),
     "Who serves requests: a thread of the ORB's for each connection, the one thread in ORB::run for all, "
     "or a pool of threads that take turns at the connections, or a pool that is handed each request from a "
     "queue, or pools of which the program's request filters pick one for each request.",
     concurrency_conflicts},
    {"ServerThreads", Count{at<&S::serving, &ServingOptions::threads>, 1, 10000, "threads"},
     fixed("the pool's threads are there"),
     "Threads of the pool that leader-followers and worker-pool use, and threading-framework by default."},
    {"MaxQueuedRequests",
     Count{at<&S::serving, &ServingOptions::max_queued_requests>, 0, 1000000, "requests", true},
     set_live("at once, and those that wait stay", derived),
     "Requests that wait while all threads are busy: in the queue of worker-pool, or in "
     "threading-framework's first one, or with leader-followers in their sockets; more get TRANSIENT. "
     "automatic: 4 for each thread, and up to 1000 oneways in a queue, whose clients could not be told. A "
     "number is a total."},
    {"QueueOrder", choice<queue_orders, &S::serving, &ServingOptions::queue_order>(), fixed(),
     "In which order requests that wait in that queue, or in a buffer of a thread pool, are taken: as they "
     "came (in a lane, the more important first), by the importance or the priority that the client says, "
     "or by deadline; or, where the program has a schedule, by its priorities, by laxity, or critical ones "
     "first and then by laxity. In every order but temporal, importance breaks ties."},
    {"FilterBudget", Duration{at<&S::serving, &ServingOptions::filter_budget>, 100us, 1h},
     set_live("at once", derived),
     "How long the request filters of threading-framework may take for one request, before another thread "
     "reads on."},
    {"MaxConnections",
     Count{at<&S::serving, &ServingOptions::max_connections>, 1, 1000000, "connections", true},
     set_live("for connections that are accepted from then on; none is closed", derived),
     "Connections that a server keeps open at once; more are refused. automatic: 2000 with "
     "thread-per-connection, where each has a thread, otherwise 20000."},
    {"MaxConnectionsPerPeer",
     Count{at<&S::serving, &ServingOptions::max_connections_per_peer>, 1, 1000000, "connections", true},
     set_live("for connections that are accepted from then on; none is closed", derived),
     "Of these, connections from one IPv4 address, or from one IPv6 network of 64 bits; more are refused. "
     "Those from the same machine, by loopback, UNIX-domain sockets or shared memory, are not counted. "
     "automatic: a quarter of MaxConnections."},
    {"IdleTimeout", Duration{at<&S::server, &server::ServerOptions::idle_timeout>, 1ms, 8760h, true},
     set_live(for_accepted),
     "A server closes a connection that has been without a request for so long. Only requests, "
     "LocateRequests among them, and their replies count; a peer that sends anything else instead has "
     "MessageTimeout more. 0: never."},
    {"RefusalDelay", Duration{at<&S::serving, &ServingOptions::refusal_delay>, 1ms, 1s, true}, fixed(),
     "How long at most a server does not read a connection whose last request it has refused because it "
     "came earlier than its operation's schedule allows, so that floods take little processor time; it "
     "reads before when the operation may come again, and later where more than a hundred requests of one "
     "read are refused: one such delay more for each further hundred. 0: it reads on at once."},
    {"MessageTimeout", Duration{at<&S::limits, &giop::Limits::message_time>, 1ms, 1h},
     set_live("at once; with thread-per-connection for messages that begin from then on"),
     "For the rest of a message that has begun to arrive; then its connection is closed."},
    {"SendTimeout", Duration{at<&S::server, &server::ServerOptions::send_timeout>, 1ms, 1h},
     set_live(for_accepted), "For a client that does not read its replies; then its connection is closed."},
    {"ShutdownTimeout", Duration{at<&S::serving, &ServingOptions::shutdown_timeout>, 0ms, 1h},
     set_live("when the ORB shuts down, or a thread pool is destroyed", derived),
     "How long shutting down waits for requests in progress before it cuts their connections."},
};

}  // namespace takt::orb::table
