// Options of the threads that serve requests, and of their timeouts.
#pragma once

#include "config/options/common.h"

namespace takt::orb::table {

constexpr Named<Concurrency> concurrencies[] = {{"thread-per-connection", Concurrency::thread_per_connection},
                                                {"reactive", Concurrency::reactive},
                                                {"leader-followers", Concurrency::leader_followers},
                                                {"worker-pool", Concurrency::worker_pool},
                                                {"threading-framework", Concurrency::threading_framework}};
constexpr Named<ReactorKind> reactors[] = {{"epoll", ReactorKind::epoll},
                                           {"io_uring", ReactorKind::io_uring}};
constexpr Named<QueueOrder> queue_orders[] = {
    {"temporal", QueueOrder::temporal}, {"importance", QueueOrder::importance},
    {"priority", QueueOrder::priority}, {"deadline", QueueOrder::deadline},
    {"fixed", QueueOrder::fixed},       {"laxity", QueueOrder::laxity},
    {"urgency", QueueOrder::urgency}};
constexpr std::string_view for_accepted =
    "at once; with thread-per-connection for connections that are accepted later";

constexpr Conflict concurrency_conflicts[] = {
    {"AcceptBidirectional",
     [](const S& s) { return s.serving.concurrency == Concurrency::reactive && accepts_bidirectional(s); },
     "`reactive`; not `off`",
     "one thread runs all upcalls of a reactive server and cannot serve while it waits for the reply to a "
     "call-back",
     "use leader-followers with ServerThreads 1, which also runs one upcall at a time and has a pool for "
     "call-backs"},
};

constexpr Option serving_options[] = {
    {"ServerConcurrency", choice<concurrencies, &S::serving, &ServingOptions::concurrency>(),
     fixed("open connections belong to the threads of the present strategy"),
     "Which threads serve requests. thread-per-connection: one thread for each connection. reactive: the "
     "thread in ORB::run serves all connections. leader-followers: the threads of a pool take turns at the "
     "connections. worker-pool: the threads of a pool take requests from a queue. threading-framework: the "
     "program's request filters choose a pool for each request.",
     concurrency_conflicts},
    {"Reactor", choice<reactors, &S::serving, &ServingOptions::reactor>(), fixed("the server already waits"),
     "How a reactive server waits, a lane or leader-followers with a single thread, and the reader of a "
     "queue. epoll: three system calls for a request. io_uring: one, which sends the reply to the last "
     "request and waits for the next; the reader of a queue receives with it. Sockets of TCP and UNIX "
     "domains only; others, and long messages, are polled. Pools in which several threads wait use epoll, "
     "and a line in the log at info says so. The program must have chosen takt::add_io_uring(). Where the "
     "kernel refuses, a warning says so, and epoll serves."},
    {"ServerThreads", Count{at<&S::serving, &ServingOptions::threads>, 1, 10000, "threads"},
     fixed("the pool's threads already exist"),
     "The number of threads in the pool of leader-followers and worker-pool, and in the default pool of "
     "threading-framework."},
    {"MaxQueuedRequests",
     Count{at<&S::serving, &ServingOptions::max_queued_requests>, 0, 1000000, "requests", true},
     set_live("at once; requests that already wait stay", derived),
     "The number of requests in total that may wait while all threads are busy. The server answers further "
     "requests with TRANSIENT. Requests wait in the queue of worker-pool, in the first queue of "
     "threading-framework, or in the sockets of leader-followers. automatic: 4 for each thread, and in a "
     "queue up to 1000 oneways, because their clients cannot be told of a refusal."},
    {"QueueOrder", plugin_choice<queue_orders, &S::serving, &ServingOptions::queue_order>(), fixed(),
     "The order in which waiting requests are taken from that queue, or from the buffer of a thread pool. "
     "temporal: order of arrival, and in a lane the most important first. importance, priority, deadline: by "
     "the value that the client states. fixed, laxity, urgency: if the program has a schedule, by its "
     "priorities, by laxity, or critical operations first and then by laxity. In each of these but temporal, "
     "importance breaks ties. A plug-in can add orders."},
    {"FilterBudget", Duration{at<&S::serving, &ServingOptions::filter_budget>, 100us, 1h},
     set_live("at once", derived),
     "The time that the request filters of threading-framework may take for one request. After it another "
     "thread continues to read."},
    {"MaxConnections",
     Count{at<&S::serving, &ServingOptions::max_connections>, 1, 1000000, "connections", true},
     set_live("for connections that are accepted later; none is closed", derived),
     "The number of connections that a server keeps open. It refuses further ones. Each lane of a thread "
     "pool has as many of its own. automatic: 2000 with thread-per-connection, which has a thread for each, "
     "otherwise 20000, and at most three quarters of the descriptors that the process may open (`ulimit "
     "-n`)."},
    {"MaxConnectionsPerPeer",
     Count{at<&S::serving, &ServingOptions::max_connections_per_peer>, 1, 1000000, "connections", true},
     set_live("for connections that are accepted later; none is closed", derived),
     "The number of these connections that may come from one IPv4 address, or from one IPv6 network of 64 "
     "bits. The server refuses further ones. Connections from the same machine (loopback, UNIX-domain "
     "sockets, shared memory) do not count. automatic: a quarter of MaxConnections."},
    {"IdleTimeout", Duration{at<&S::server, &server::ServerOptions::idle_timeout>, 1ms, 8760h, true},
     set_live(for_accepted),
     "A server closes a connection on which no request has arrived for this time. Only requests, including "
     "LocateRequests, and their replies renew the time. A peer that sends other messages instead has "
     "MessageTimeout in addition. 0: never."},
    {"RefusalDelay", Duration{at<&S::serving, &ServingOptions::refusal_delay>, 1ms, 1s, true}, fixed(),
     "A server that refuses a request because it came earlier than its operation's schedule permits stops "
     "reading that connection for up to this time, so that a flood takes little processor time. It reads "
     "again when the operation may come again. If more than a hundred requests of one read are refused, the "
     "delay is repeated for each further hundred. If requests of more than sixteen connections are refused, "
     "these are read again in turn, after at most 64 times as long. 0: it continues to read at once."},
    {"MessageTimeout", Duration{at<&S::limits, &giop::Limits::message_time>, 1ms, 1h},
     set_live("at once; with thread-per-connection for messages that begin later"),
     "The time for the rest of a message whose first octets have arrived. After it the connection is "
     "closed."},
    {"SendTimeout", Duration{at<&S::server, &server::ServerOptions::send_timeout>, 1ms, 1h},
     set_live(for_accepted),
     "The time for which a server waits for a client that does not read its replies. After it the connection "
     "is closed."},
    {"MaxReplySize",
     Bytes{at<&S::server, &server::ServerOptions::longest_reply>, server::ServerOptions::least_longest_reply,
           server::ServerOptions::no_limit_of_replies},
     fixed("a server without the limit does not compare"),
     "The longest reply that is sent, uncompressed and with its header, without the contexts that "
     "interceptors add. In place of a longer one the caller gets MARSHAL with COMPLETED_YES, and the "
     "connection stays, whereas a client closes it for a message above its limit."},
    {"ReplyHold", Duration{at<&S::server, &server::ServerOptions::reply_hold>, 1us, 1s, true},
     set_live("at once; from 0 for connections on which several requests arrive together later"),
     "The time for which a reply may wait for those to requests that the server has read together with its "
     "own, so that one write sends many. The server never waits for a request that has not arrived. A single "
     "upcall that takes longer delays the replies before it by up to 2 ms instead; after such an upcall, no "
     "reply of the connection is held for some time. 0: each reply is written as soon as it is made."},
    {"ShutdownTimeout", Duration{at<&S::serving, &ServingOptions::shutdown_timeout>, 0ms, 1h},
     set_live("at the next shutdown of the ORB or destruction of a thread pool", derived),
     "The time for which shutdown waits for requests in progress. After it their connections are cut."},
};

}  // namespace takt::orb::table
