// Options of the transports.
#pragma once

#include "config/options/common.h"

namespace takt::orb::table {

constexpr std::string_view groups_have_it = "the addresses of groups that are open have the present one";
constexpr std::string_view listening_has_it =
    "what listens, and connections that are open, have the present one";

constexpr Named<roads::RoadChoice> local_roads[] = {{"automatic", roads::RoadChoice::automatic},
                                                    {"off", roads::RoadChoice::off},
                                                    {"on", roads::RoadChoice::on},
                                                    {"shm", roads::RoadChoice::shared_memory},
                                                    {"unix", roads::RoadChoice::unix_domain}};

constexpr Option connection_options[] = {
    {"SendBuffer",
     Bytes{at<&S::streams, &transport::StreamOptions::send_buffer_bytes>, 1 * KiB, 1 * GiB, true},
     fixed(listening_has_it),
     "The size of the system's send buffer of a connection, in clients and servers. 0: the system decides. "
     "With shared memory it is the size of the ring from client to server, which the client sets: a power of "
     "two, up to 16MiB; 0 means 256KiB."},
    {"ReceiveBuffer",
     Bytes{at<&S::streams, &transport::StreamOptions::receive_buffer_bytes>, 1 * KiB, 1 * GiB, true},
     fixed(listening_has_it),
     "The size of the system's receive buffer of a connection. 0: the system decides. With shared memory it "
     "is the size of the ring from server to client, as for SendBuffer."},
    {"LentMemory", Bytes{at<&S::streams, &transport::StreamOptions::lent_bytes>, 64 * KiB, 1 * GiB, true},
     fixed(listening_has_it),
     "The memory that a client's shared-memory connection has beside each of its rings, for octets that are "
     "borrowed (takt::borrow_octets, takt::borrow_result) and for other long octet sequences. It is a power "
     "of two. Only the part that is used takes memory. A server uses no more than its own setting. 0: none."},
    {"KeepAlive", Duration{at<&S::connecting, &ConnectingOptions::keep_alive>, 1s, 9h, true},
     fixed(listening_has_it),
     "The time after which a silent TCP connection is probed. Probes follow every 10s, and the connection "
     "ends after 6 without an answer. 0: never."},
    {"TrafficClass", Count{at<&S::connecting, &ConnectingOptions::traffic_class>, 0, 63, "DSCP"},
     fixed(listening_has_it),
     "The DSCP of the ORB's TCP packets, for example 46 for expedited forwarding or 34 for AF41. 0: best "
     "effort."},
    {"SocketPriority", Count{at<&S::connecting, &ConnectingOptions::socket_priority>, 0, 15, "SO_PRIORITY"},
     fixed(listening_has_it),
     "The priority of the ORB's TCP packets in this machine's queues (SO_PRIORITY). Values above 6 need "
     "CAP_NET_ADMIN. 0: the system derives it from TrafficClass."},
    {"TrafficClasses", Texts{at<&S::connecting, &ConnectingOptions::traffic_classes>, "PRIORITY=DSCP", ",; "},
     fixed(listening_has_it),
     "The DSCP of connections for requests of that RT-CORBA priority and higher ones, up to the next "
     "priority in the list: 10=8,40=46. The priority is that of the server's lane. Without lanes a client "
     "uses the highest priority of the band, or that of the calling thread, and a server uses the priority "
     "of each request. Priorities below the lowest in the list have TrafficClass."},
    {"SocketPriorities",
     Texts{at<&S::connecting, &ConnectingOptions::socket_priorities>, "PRIORITY=NUMBER", ",; "},
     fixed(listening_has_it),
     "The socket priority (SO_PRIORITY) by RT-CORBA priority: 10=2,40=6. Values are 0 to 15; above 6 they "
     "need CAP_NET_ADMIN. By default it follows from TrafficClasses: 0 for DSCP 0, 2 below 16, 4 below 32, "
     "otherwise 6."},
    {"QualityTrafficClass", choice<on_or_off, &S::connecting, &ConnectingOptions::marks_quality>(),
     fixed(listening_has_it),
     "on: calls that declare a class and an importance (takt::QualityScope) use connections of their own. "
     "The DSCP of these and of their replies follows from class and importance, whatever the priority. "
     "docs/user/real-time.md has the table."},
    {"BusyPoll", Duration{at<&S::streams, &transport::StreamOptions::busy_poll>, 1us, 1s, true, true},
     fixed(listening_has_it),
     "The time for which a read of a TCP connection polls the network device before it sleeps, if the device "
     "and the process's privileges permit it. 0: the setting of net.core.busy_read. With shared memory it is "
     "the time for which a blocked thread polls the ring before it sleeps. Polling takes all of a "
     "processor's time and saves the system call. auto: shared memory is polled for 50 us at a time, for as "
     "long as that finds something; after polls in vain, more and more waits sleep at once. TCP is as with "
     "0."},
    {"BusyPollShare", Count{at<&S::streams, &transport::StreamOptions::poll_share>, 1, 100, "percent"},
     fixed(listening_has_it),
     "With BusyPoll auto: how much of one processor the process spends on polling at most, in all its "
     "threads together."},
    {"UnixPermissions", Text{at<&S::serving, &ServingOptions::unix_permissions>, "an octal number"}, fixed(),
     "The permissions of the socket files at which the server listens, for UNIX-domain sockets and shared "
     "memory. A process that may write to the file may connect. Abstract names have no permissions."},
    {"LocalRoads", choice<local_roads, &S::roads, &roads::RoadOptions::roads>(),
     fixed("connections and references that exist would stay as they are"),
     "Whether calls within this machine leave TCP for something faster. A server that listens on TCP then "
     "also offers shared memory and UNIX-domain sockets (on), or one of them (shm, unix), in the references "
     "to its objects, and a client takes the fastest that both know. Both must be of the same user, or of "
     "LocalGroup, and in the same network and user namespaces. A call that cannot take a road goes by TCP, "
     "at most 1 ms later. automatic: on, if the program has this part. docs/user/local-calls.md says more."},
    {"LocalRoadTimeout", Duration{at<&S::roads, &roads::RoadOptions::timeout>, 10us, 10s}, fixed(),
     "The time for which a client waits for a server to admit it to a road. After it the connection goes by "
     "TCP, and stays there until it ends. The default delays a call by less than 1 ms; a longer time also "
     "lets servers on busy machines answer."},
    {"LocalGroup", Text{at<&S::roads, &roads::RoadOptions::group>, "NAME, or its number"}, fixed(),
     "The group whose members may share local roads with this process even if they are other users. "
     "Both ends need it. By default only processes of the same user may."},
    {"DatagramSize",
     Bytes{at<&S::udp, &transport::UdpOptions::limits, &transport::DatagramLimits::datagram_bytes>, 256,
           65'000},
     fixed(listening_has_it),
     "The most octets of messages in one UDP datagram, in addition to its header of 24. Longer messages are "
     "sent in several datagrams. The default passes every IPv6 network in one piece. IP fragments larger "
     "datagrams."},
    {"DatagramWindow",
     Bytes{at<&S::udp, &transport::UdpOptions::limits, &transport::DatagramLimits::window_bytes>, 4 * KiB,
           16384 * KiB},
     fixed(listening_has_it),
     "The octets that a UDP connection has sent and keeps until the peer acknowledges them. They also take "
     "that much memory. The size is rounded up to a power of two."},
    {"DatagramRepeat", Duration{at<&S::udp, &transport::UdpOptions::repeat_after>, 1ms, 10s},
     fixed(listening_has_it),
     "The time after which a thread that waits over UDP sends again what may be lost, or asks for it. The "
     "time doubles with each repetition, up to a second, until the timeout of the call ends."},
    {"DatagramProbe", Duration{at<&S::udp, &transport::UdpOptions::probe_after>, 100ms, 1h},
     fixed(listening_has_it),
     "The time of silence after which a server sends a client over UDP a datagram that needs no answer. If "
     "the client was killed, its host reports that the port is closed, and the server closes the connection "
     "before IdleTimeout."},
    {"MulticastInterface", Text{at<&S::groups, &transport::miop::GroupOptions::interface>, "NAME"}, fixed(),
     "The network interface for requests to groups, sent and received, for example eth0. By default the "
     "system chooses it by its routes."},
    {"MulticastHops", Count{at<&S::groups, &transport::miop::GroupOptions::hops>, 0, 255, "networks"},
     fixed(),
     "The number of networks that a request to a group may pass (time to live, or hop limit). 1: this "
     "network only. 0: this machine only."},
    {"MulticastLoopback", choice<on_or_off, &S::groups, &transport::miop::GroupOptions::loopback>(), fixed(),
     "Whether group members on the sender's own machine receive its requests."},
    {"MulticastBuffer",
     Bytes{at<&S::groups, &transport::miop::GroupOptions::limits, &transport::miop::CollectionLimits::bytes>,
           64 * KiB, 1 * GiB},
     fixed(groups_have_it),
     "The memory that one group address may take for messages that have not arrived completely. When it is "
     "full, the oldest messages are discarded."},
    {"MulticastPatience",
     Duration{
         at<&S::groups, &transport::miop::GroupOptions::limits, &transport::miop::CollectionLimits::time>,
         10ms, 60s},
     fixed(groups_have_it),
     "The time from the first to the last packet of one message. After it the message is discarded."},
};

}  // namespace takt::orb::table
