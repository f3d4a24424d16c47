// Options of the transports.
#pragma once

#include "orb/options/common.h"

namespace takt::orb::table {

constexpr std::string_view groups_have_it = "the addresses of groups that are open have the present one";
constexpr std::string_view listening_has_it =
    "what listens, and connections that are open, have the present one";

constexpr Option connection_options[] = {
    {"SendBuffer",
     Bytes{at<&S::streams, &transport::StreamOptions::send_buffer_bytes>, 1 * KiB, 1 * GiB, true},
     fixed(listening_has_it),
     "What the system may keep of a connection's data that the peer has not taken yet, in clients and "
     "servers. 0: the system decides. With shared memory, the ring from client to server, which the "
     "client's option sizes: up to 16MiB, a power of two; 0: 256KiB."},
    {"ReceiveBuffer",
     Bytes{at<&S::streams, &transport::StreamOptions::receive_buffer_bytes>, 1 * KiB, 1 * GiB, true},
     fixed(listening_has_it),
     "What the system may keep of a connection's data that has not been read yet. 0: the system decides. "
     "With shared memory, the ring from server to client, as SendBuffer."},
    {"LentMemory", Bytes{at<&S::streams, &transport::StreamOptions::lent_bytes>, 64 * KiB, 1 * GiB, true},
     fixed(listening_has_it),
     "How much memory a client's connection over shared memory has beside each of its rings, for octets "
     "that are borrowed (takt::borrow_octets, takt::borrow_result) and for other long ones; a power of two. "
     "Only what is used takes memory; a server uses no more than its own setting. 0: none."},
    {"KeepAlive", Duration{at<&S::connecting, &ConnectingOptions::keep_alive>, 1s, 9h, true},
     fixed(listening_has_it),
     "A TCP connection that has been silent for so long is probed, every 10s, and ends after 6 probes "
     "without an answer. 0: never."},
    {"TrafficClass", Count{at<&S::connecting, &ConnectingOptions::traffic_class>, 0, 63, "DSCP"},
     fixed(listening_has_it),
     "The DSCP by which networks know the ORB's TCP packets: 46 is expedited forwarding, 34 is AF41. 0: "
     "best effort."},
    {"SocketPriority", Count{at<&S::connecting, &ConnectingOptions::socket_priority>, 0, 15, "SO_PRIORITY"},
     fixed(listening_has_it),
     "The priority of the ORB's TCP packets in this machine's queues (SO_PRIORITY); above 6 it needs "
     "CAP_NET_ADMIN. 0: the system's, which follows TrafficClass."},
    {"TrafficClasses", Texts{at<&S::connecting, &ConnectingOptions::traffic_classes>, "PRIORITY=DSCP", ",; "},
     fixed(listening_has_it),
     "The DSCP of connections for requests of that RT-CORBA priority and higher ones, up to the next "
     "priority that is given: 10=8,40=46. The priority is that of the server's lane; without lanes a client "
     "goes by the highest of the band, or else by the calling thread's, and a server by each request. "
     "Priorities below all that are given have TrafficClass."},
    {"SocketPriorities",
     Texts{at<&S::connecting, &ConnectingOptions::socket_priorities>, "PRIORITY=NUMBER", ",; "},
     fixed(listening_has_it),
     "The socket priority (SO_PRIORITY) by RT-CORBA priority, 0 to 15, above 6 with CAP_NET_ADMIN: "
     "10=2,40=6. By default it follows from TrafficClasses: 0 for DSCP 0, 2 below 16, 4 below 32, else 6."},
    {"QualityTrafficClass", choice<on_or_off, &S::connecting, &ConnectingOptions::marks_quality>(),
     fixed(listening_has_it),
     "on: calls that declare a class and an importance (takt::QualityScope) go by connections of their own, "
     "with a DSCP that follows from these, and so do their replies, whatever their priority. "
     "docs/user/real-time.md has the table."},
    {"BusyPoll", Duration{at<&S::streams, &transport::StreamOptions::busy_poll>, 1us, 1s, true},
     fixed(listening_has_it),
     "How long a read of a TCP connection polls the network device before it sleeps, where the device and "
     "the process's privileges allow that. 0: as net.core.busy_read says. With shared memory, how long a "
     "thread that blocks looks at the ring before it sleeps: a processor's whole time, for calls without a "
     "system call."},
    {"UnixPermissions", Text{at<&S::serving, &ServingOptions::unix_permissions>, "an octal number"}, fixed(),
     "Of the files of UNIX-domain sockets that the server listens at, those of shared memory among them: "
     "who may write, may connect. Abstract names have none."},
    {"DatagramSize",
     Bytes{at<&S::udp, &transport::UdpOptions::limits, &transport::DatagramLimits::datagram_bytes>, 256,
           65'000},
     fixed(listening_has_it),
     "The most octets of messages that one datagram carries over UDP, besides its head of 24; longer "
     "messages go in several. The default passes every network of IPv6 in one piece, larger ones are taken "
     "apart by IP."},
    {"DatagramWindow",
     Bytes{at<&S::udp, &transport::UdpOptions::limits, &transport::DatagramLimits::window_bytes>, 4 * KiB,
           16384 * KiB},
     fixed(listening_has_it),
     "Octets that a connection over UDP keeps to send them again, until the peer has said that they came: "
     "what it has sent last, and the memory that it takes for that. Rounded up to a power of two."},
    {"DatagramRepeat", Duration{at<&S::udp, &transport::UdpOptions::repeat_after>, 1ms, 10s},
     fixed(listening_has_it),
     "How long a thread that waits over UDP hears nothing before it sends again what may be lost, or asks "
     "for it; then twice as long, and so on, as long as its timeout lets it."},
    {"DatagramProbe", Duration{at<&S::udp, &transport::UdpOptions::probe_after>, 100ms, 1h},
     fixed(listening_has_it),
     "After how long a silence a server sends a datagram to a client over UDP that needs no answer: where "
     "the client was killed, its host says that the port is closed, and the server lets the connection go "
     "before -ORBIdleTimeout."},
    {"MulticastInterface", Text{at<&S::groups, &transport::miop::GroupOptions::interface>, "NAME"}, fixed(),
     "The network that requests to groups go to and come from, as in eth0. By default the system chooses by "
     "its routes."},
    {"MulticastHops", Count{at<&S::groups, &transport::miop::GroupOptions::hops>, 0, 255, "networks"},
     fixed(),
     "How many networks a request to a group may pass: its time to live, or hop limit. 1: this one alone, "
     "0: this machine alone."},
    {"MulticastLoopback", choice<on_or_off, &S::groups, &transport::miop::GroupOptions::loopback>(), fixed(),
     "Whether members of a group on the sender's own machine get its requests, too."},
    {"MulticastBuffer",
     Bytes{at<&S::groups, &transport::miop::GroupOptions::limits, &transport::miop::CollectionLimits::bytes>,
           64 * KiB, 1 * GiB},
     fixed(groups_have_it),
     "Octets that one address of groups keeps of messages that have not all arrived; for more, the oldest "
     "are given up."},
    {"MulticastPatience",
     Duration{
         at<&S::groups, &transport::miop::GroupOptions::limits, &transport::miop::CollectionLimits::time>,
         10ms, 60s},
     fixed(groups_have_it),
     "How long the packets of one message may take to arrive, from the first to the last."},
};

}  // namespace takt::orb::table
