#include "orb/config/options_table.h"

namespace takt::orb {

namespace {

using namespace std::chrono_literals;
using S = Settings;

constexpr std::size_t KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;

constexpr std::string_view personality_names[] = {"standard", "realtime", "avionics", "imaging", "minimal"};
constexpr std::string_view concurrencies[] = {"thread-per-connection", "reactive", "leader-followers",
                                              "worker-pool", "threading-framework"};
constexpr std::string_view queue_orders[] = {"temporal", "importance", "priority", "deadline",
                                             "fixed",    "laxity",     "urgency"};
constexpr std::string_view scheduling_classes[] = {"fifo", "round-robin", "other"};
constexpr std::string_view priority_mappings[] = {"automatic", "linear", "direct", "continuous"};
constexpr std::string_view on_or_off[] = {"off", "on"};
constexpr std::string_view connections[] = {"exclusive", "cached", "multiplexed", "multiplexed-active"};
constexpr std::string_view failures[] = {"fail", "warn"};
constexpr std::string_view bidirectional_offers[] = {"off", "same-address", "any"};
constexpr std::string_view bidirectional_policies[] = {"normal", "both"};
constexpr std::string_view lookups[] = {"linear", "dynamic", "active", "delayered"};
constexpr std::string_view operation_lookups[] = {"linear", "dynamic", "perfect"};
constexpr std::string_view key_macs[] = {"none", "siphash"};
constexpr std::string_view completions[] = {"activation", "call"};
constexpr std::string_view versions[] = {"1.0", "1.1", "1.2"};
constexpr std::string_view messagings[] = {"giop", "giop-lite"};
constexpr std::string_view char_code_sets[] = {"UTF-8", "ISO-8859-1"};
constexpr std::string_view client_certificates[] = {"none", "optional", "required"};
constexpr std::string_view server_certificates[] = {"none", "required"};
constexpr std::string_view tls_versions[] = {"1.2", "1.3"};
constexpr std::string_view tls_uses[] = {"required", "offered", "always"};
constexpr std::string_view log_levels[] = {"off", "error", "warning", "info", "debug", "trace"};

constexpr Option option_table[] = {
    {"id", Text{&S::id, "NAME"}, "",
     "The ORB's name: ORB_init with the same name gives the same ORB. The third argument of ORB_init takes "
     "precedence."},
    {"Config", Text{&S::config, "FILE"}, "",
     "Options in a file, in TOML, as in ConnectTimeout = \"2s\". The environment and the command line go "
     "before it."},
    {"Personality", Choice{&S::personality, personality_names}, "standard",
     "Defaults of other options that go together, see below."},
    {"Plugin", Texts{&S::plugins, "FILE[:ARGUMENTS] or NAME[:ARGUMENTS]", " "}, "",
     "What brings transports, messaging protocols, policy controls and methods of compression, in this "
     "order, "
     "while the ORB starts: shared objects, which run with all of the process's rights, or plug-ins that the "
     "program is linked with and has named by takt::add_plugin()."},
    {"InitRef", Texts{&S::init_refs, "NAME=URL", " "}, "",
     "What resolve_initial_references(NAME) gives. Once for each name."},
    {"DefaultInitRef", Text{&S::default_init_ref, "URL"}, "",
     "Where initial references without an InitRef are: the URL, a slash and the name make an object URL."},
    {"ObjectKey", Texts{&S::object_keys, "KEY=URL", " "}, "",
     "A plain object key, as in corbaloc::host/KEY, that this server answers for the object at URL."},

    {"ListenEndpoints",
     Texts{&S::listen_endpoints,
           "iiop://HOST:PORT, ssliop://HOST:PORT, udp://HOST:PORT, unix:PATH, shm:PATH, @NAME for PATH, "
           "inproc:NAME",
           ",;"},
     "iiop://localhost:0",
     "Where a server listens, in order of preference. By default only this machine's own clients reach it. "
     "No host, as in iiop://:2809: all interfaces, IPv4 and IPv6. localhost: this machine's own addresses, "
     "127.0.0.1 and, where there is IPv6, ::1. Port 0, and no path or name: the system chooses. Listening "
     "begins when the root POA is first asked for."},
    {"PublishedEndpoints", Texts{&S::published_endpoints, "as ListenEndpoints", ",;"}, "",
     "What object references say, in order of preference, where it differs from where the server listens: "
     "host names, addresses outside of a translated network. Port 0: that of the first listening endpoint. "
     "By default the addresses that the server listens on; for all interfaces, each address of this "
     "machine."},
    {"LaneEndpoints", Texts{&S::lane_endpoints, "PRIORITY=ENDPOINT, as ListenEndpoints has it", ",;"}, "",
     "Where the lane of that RT-CORBA priority listens, or a pool without lanes of that default priority, so "
     "that references hold across restarts: 40=iiop://:2840. By default it listens beside ListenEndpoints, "
     "at ports and paths that the system chooses."},
    {"ServerConcurrency", Choice{&S::server_concurrency, concurrencies}, "thread-per-connection",
     "Who serves requests: a thread of the ORB's for each connection, the one thread in ORB::run for all, or "
     "a pool of threads that take turns at the connections, or a pool that is handed each request from a "
     "queue, or pools of which the program's request filters pick one for each request."},
    {"ServerThreads", Count{&S::server_threads, 1, 10000}, "4",
     "Threads of the pool that leader-followers and worker-pool use, and threading-framework by default."},
    {"MaxQueuedRequests", Count{&S::max_queued_requests, 0, 1000000, true}, "automatic",
     "Requests that wait while all threads are busy: in the queue of worker-pool, or in "
     "threading-framework's "
     "first one, or with leader-followers in their sockets; more get TRANSIENT. automatic: 4 for each "
     "thread, "
     "and up to 1000 oneways in a queue, whose clients could not be told. A number is a total."},
    {"QueueOrder", Choice{&S::queue_order, queue_orders}, "temporal",
     "In which order requests that wait in that queue, or in a buffer of a thread pool, are taken: as they "
     "came (in a lane, the more important first), by the importance or the priority that the client says, or "
     "by "
     "deadline; or, where the program has a schedule, by its priorities, by laxity, or critical ones first "
     "and "
     "then by laxity. In every order but temporal, importance breaks ties."},
    {"FilterBudget", Duration{&S::filter_budget, 100us, 1h}, "100ms",
     "How long the request filters of threading-framework may take for one request, before another thread "
     "reads on."},
    {"MaxConnections", Count{&S::max_connections, 1, 1000000, true}, "automatic",
     "Connections that a server keeps open at once; more are refused. automatic: 2000 with "
     "thread-per-connection, where each has a thread, otherwise 20000."},
    {"MaxConnectionsPerPeer", Count{&S::max_connections_per_peer, 1, 1000000, true}, "automatic",
     "Of these, connections from one IPv4 address, or from one IPv6 network of 64 bits; more are refused. "
     "Those from the same machine, by loopback, UNIX-domain sockets or shared memory, are not counted. "
     "automatic: a quarter of MaxConnections."},
    {"IdleTimeout", Duration{&S::idle_timeout, 1ms, 8760h, true}, "2min",
     "A server closes a connection that has been without a request for so long. Only requests, "
     "LocateRequests among them, and their replies count; a peer that sends anything else instead has "
     "MessageTimeout more. 0: never."},
    {"RefusalDelay", Duration{&S::refusal_delay, 1ms, 1s, true}, "10ms",
     "How long at most a server does not read a connection whose last request it has refused because it came "
     "earlier than its operation's schedule allows, so that floods take little processor time; it reads "
     "before when the operation may come again, and later where more than a hundred requests of one read are "
     "refused: one such delay more for each further hundred. 0: it reads on at once."},
    {"MessageTimeout", Duration{&S::message_timeout, 1ms, 1h}, "30s",
     "For the rest of a message that has begun to arrive; then its connection is closed."},
    {"SendTimeout", Duration{&S::send_timeout, 1ms, 1h}, "30s",
     "For a client that does not read its replies; then its connection is closed."},
    {"ShutdownTimeout", Duration{&S::shutdown_timeout, 0ms, 1h}, "10s",
     "How long shutting down waits for requests in progress before it cuts their connections."},
    {"HoldTimeout", Duration{&S::hold_timeout, 0ms, 1h}, "10s",
     "How long a request waits for a POA manager that holds requests, before it gets TRANSIENT; and how far "
     "away the "
     "start time of one may be that waits for it."},
    {"HeldRequests", Count{&S::held_requests, 0, 1000000}, "1000",
     "Requests that wait for one POA manager at once; more get TRANSIENT."},
    {"AdapterTimeout", Duration{&S::adapter_timeout, 0ms, 1h}, "2s",
     "How long, from when it first listens, a server leaves requests in their sockets while the program "
     "still "
     "makes its POAs (see AdaptersComplete). Those for a POA that is not there then get OBJECT_NOT_EXIST. 0: "
     "it serves at once."},
    {"AdaptersComplete", Choice{&S::adapters_complete, completions}, "activation",
     "What says that the program has made its POAs: the first POA manager that is activated, or only "
     "ORB::_adapters_complete(), for programs that activate a manager first and make POAs later."},
    {"AdapterLookup", Choice{&S::adapter_lookup, lookups}, "delayered",
     "How a request finds its POA, unless the POA has a look-up policy of its own."},
    {"ServantLookup", Choice{&S::servant_lookup, lookups}, "delayered",
     "How a request finds its servant in the POA, unless the POA has a look-up policy of its own."},
    {"OperationLookup", Choice{&S::operation_lookup, operation_lookups}, "perfect",
     "How a request finds the servant's operation, unless the POA has a look-up policy of its own."},
    {"POALookup", Texts{&S::poa_lookups, "POA:LOOKUP=STRATEGY,...", " "}, "",
     "What one POA has instead, unless it has a look-up policy of its own: "
     "RootPOA/navigation:servants=dynamic,operations=linear. See object-adapter.md."},
    {"KeyMAC", Choice{&S::key_mac, key_macs}, "none",
     "siphash: object keys carry a code that only this server can make; others get OBJECT_NOT_EXIST."},
    {"KeySecretFile", Text{&S::key_secret_file, "FILE"}, "",
     "The secret of KeyMAC: 16 octets, for this server's eyes only. Without it the secret is a random one, "
     "which ends with the process, and there can be no persistent POAs. A bridge's references last with it, "
     "too."},

    {"ClientConnections", Choice{&S::client_connections, connections}, "exclusive",
     "A connection for each calling thread and server, one for each call in progress, from those that the "
     "process keeps, or one for each server that all threads share: which read it by turns, or leave it to a "
     "thread of the connection's own."},
    {"SendQueueSize", Bytes{&S::send_queue_bytes, 1 * KiB, 1 * GiB}, "4MiB",
     "Octets of requests that one connection of multiplexed-active has not begun to send; one more gets "
     "TRANSIENT. A longer one is taken while no other waits."},
    {"ConnectAtStart", Texts{&S::connect_at_start, "NAME or URL", " "}, "",
     "Initial references, or objects, that ORB_init connects to and asks whether they are there, and so does "
     "each thread of a lane, pool or periodic dispatcher before it serves, so that the first calls on them "
     "open no connection."},
    {"ConnectAtStartFailure", Choice{&S::connect_at_start_failure, failures}, "fail",
     "What ORB_init does where some of ConnectAtStart cannot be reached: throw INITIALIZE, and there is no "
     "ORB; or say so and go on."},
    {"ConnectAtStartTimeout", Duration{&S::connect_at_start_timeout, 1ms, 1h}, "5s",
     "How long each thread of a lane, pool or periodic dispatcher tries to reach ConnectAtStart, all of them "
     "together, before it serves all the same; the ORB says once for each which of them it has not reached."},
    {"AcceptBidirectional", Choice{&S::accept_bidirectional, bidirectional_offers}, "off",
     "Whether a server calls its clients' objects back over connections that they have opened and offer for "
     "it (bidirectional GIOP): those that name the address they come from, or any. With any, a client can "
     "get calls that are meant for others; through a translated network it takes any."},
    {"BidirectionalPolicy", Choice{&S::bidirectional_policy, bidirectional_policies}, "normal",
     "The ORB's BidirectionalPolicy at first. both: connections to servers are offered to them for "
     "call-backs, and all threads share them."},
    {"BidirectionalThreads", Count{&S::bidirectional_threads, 1, 10000}, "4",
     "Threads that serve requests on connections on which both sides make them."},
    {"ConnectTimeout", Duration{&S::connect_timeout, 1ms, 1h}, "5s",
     "For a connection to be established, name resolution included; then the call gets TIMEOUT."},
    {"RoundTripTimeout", Duration{&S::round_trip_timeout, 1ms, 8760h, true}, "30s",
     "From sending a request to its reply; then the call gets TIMEOUT. From 1s on, up to an eighth more. "
     "What "
     "comes or goes in pieces has ten times as long. 0: no limit."},
    {"MaxRedirections", Count{&S::max_redirections, 0, 1000}, "10",
     "How often one call follows a forward or is made again; then it gets TRANSIENT."},

    {"SendBuffer", Bytes{&S::send_buffer_bytes, 1 * KiB, 1 * GiB, true}, "0",
     "What the system may keep of a connection's data that the peer has not taken yet, in clients and "
     "servers. 0: the system decides. With shared memory, the ring from client to server, which the client's "
     "option sizes: up to 16MiB, a power of two; 0: 256KiB."},
    {"ReceiveBuffer", Bytes{&S::receive_buffer_bytes, 1 * KiB, 1 * GiB, true}, "0",
     "What the system may keep of a connection's data that has not been read yet. 0: the system decides. "
     "With shared memory, the ring from server to client, as SendBuffer."},
    {"LentMemory", Bytes{&S::lent_bytes, 64 * KiB, 1 * GiB, true}, "16MiB",
     "How much memory a client's connection over shared memory has beside each of its rings, for octets that "
     "are borrowed (takt::borrow_octets, takt::borrow_result) and for other long ones; a power of two. Only "
     "what is used takes memory; a server uses no more than its own setting. 0: none."},
    {"KeepAlive", Duration{&S::keep_alive, 1s, 9h, true}, "0",
     "A TCP connection that has been silent for so long is probed, every 10s, and ends after 6 probes "
     "without an answer. 0: never."},
    {"TrafficClass", Count{&S::traffic_class, 0, 63}, "0",
     "The DSCP by which networks know the ORB's TCP packets: 46 is expedited forwarding, 34 is AF41. 0: best "
     "effort."},
    {"SocketPriority", Count{&S::socket_priority, 0, 15}, "0",
     "The priority of the ORB's TCP packets in this machine's queues (SO_PRIORITY); above 6 it needs "
     "CAP_NET_ADMIN. 0: the system's, which follows TrafficClass."},
    {"TrafficClasses", Texts{&S::traffic_classes, "PRIORITY=DSCP", ",; "}, "",
     "The DSCP of connections for requests of that RT-CORBA priority and higher ones, up to the next "
     "priority that is given: 10=8,40=46. The priority is that of the server's lane; without lanes a "
     "client goes by the highest of the band, or else by the calling thread's, and a server by each "
     "request. Priorities below all that are given have TrafficClass."},
    {"SocketPriorities", Texts{&S::socket_priorities, "PRIORITY=NUMBER", ",; "}, "",
     "The socket priority (SO_PRIORITY) by RT-CORBA priority, 0 to 15, above 6 with CAP_NET_ADMIN: "
     "10=2,40=6. By default it follows from TrafficClasses: 0 for DSCP 0, 2 below 16, 4 below 32, else 6."},
    {"QualityTrafficClass", Choice{&S::quality_traffic_class, on_or_off}, "off",
     "on: calls that declare a class and an importance (takt::QualityScope) go by connections of their own, "
     "with a DSCP that follows from these, and so do their replies, whatever their priority. "
     "docs/user/real-time.md has the table."},
    {"BusyPoll", Duration{&S::busy_poll, 1us, 1s, true}, "0",
     "How long a read of a TCP connection polls the network device before it sleeps, where the device and "
     "the process's privileges allow that. 0: as net.core.busy_read says. With shared memory, how long a "
     "thread that blocks looks at the ring before it sleeps: a processor's whole time, for calls without a "
     "system call."},
    {"UnixPermissions", Text{&S::unix_permissions, "an octal number"}, "0600",
     "Of the files of UNIX-domain sockets that the server listens at, those of shared memory among them: who "
     "may write, may connect. Abstract "
     "names have none."},
    {"DatagramSize", Bytes{&S::datagram_bytes, 256, 65'000}, "1208",
     "The most octets of messages that one datagram carries over UDP, besides its head of 24; longer "
     "messages "
     "go in several. The default passes every network of IPv6 in one piece, larger ones are taken apart by "
     "IP."},
    {"DatagramWindow", Bytes{&S::datagram_window_bytes, 4 * KiB, 16384 * KiB}, "64KiB",
     "Octets that a connection over UDP keeps to send them again, until the peer has said that they came: "
     "what "
     "it has sent last, and the memory that it takes for that. Rounded up to a power of two."},
    {"DatagramRepeat", Duration{&S::datagram_repeat, 1ms, 10s}, "20ms",
     "How long a thread that waits over UDP hears nothing before it sends again what may be lost, or asks "
     "for "
     "it; then twice as long, and so on, as long as its timeout lets it."},
    {"DatagramProbe", Duration{&S::datagram_probe, 100ms, 1h}, "15s",
     "After how long a silence a server sends a datagram to a client over UDP that needs no answer: where "
     "the "
     "client was killed, its host says that the port is closed, and the server lets the connection go before "
     "-ORBIdleTimeout."},
    {"MulticastInterface", Text{&S::multicast_interface, "NAME"}, "",
     "The network that requests to groups go to and come from, as in eth0. By default the system chooses by "
     "its "
     "routes."},
    {"MulticastHops", Count{&S::multicast_hops, 0, 255}, "1",
     "How many networks a request to a group may pass: its time to live, or hop limit. 1: this one alone, 0: "
     "this machine alone."},
    {"MulticastLoopback", Choice{&S::multicast_loopback, on_or_off}, "on",
     "Whether members of a group on the sender's own machine get its requests, too."},
    {"MulticastBuffer", Bytes{&S::multicast_bytes, 64 * KiB, 1 * GiB}, "8MiB",
     "Octets that one address of groups keeps of messages that have not all arrived; for more, the oldest "
     "are given "
     "up."},
    {"MulticastPatience", Duration{&S::multicast_time, 10ms, 60s}, "1s",
     "How long the packets of one message may take to arrive, from the first to the last."},

    {"TLSCertificate", Text{&S::tls_certificate, "FILE"}, "",
     "The certificate by which the ORB shows who it is, in PEM, followed by those that lead to its "
     "authority. "
     "Servers need one for ssliop endpoints, clients where servers ask for it."},
    {"TLSKey", Text{&S::tls_key, "FILE"}, "",
     "Its private key, in PEM and without a password. By default it is in the certificate's file."},
    {"TLSAuthorities", Text{&S::tls_authorities, "FILE or FOLDER"}, "",
     "Whose certificates count: a file of authorities' certificates in PEM, or a folder as `openssl rehash` "
     "makes it. By default the system's."},
    {"TLSRevoked", Text{&S::tls_revoked, "FILE"}, "",
     "Lists of revoked certificates, in PEM. With it every peer's authority needs a list there that has not "
     "expired."},
    {"TLSClientCertificates", Choice{&S::tls_client_certificates, client_certificates}, "none",
     "Whether a server asks its clients for certificates: not at all, and takes those who have none, or "
     "not."},
    {"TLSServerCertificates", Choice{&S::tls_server_certificates, server_certificates}, "required",
     "none: servers' certificates are not checked, so that a client does not know whom it talks to."},
    {"TLSHostCheck", Choice{&S::tls_host_check, on_or_off}, "on",
     "Whether a server's certificate must name the host, or number, that the reference has."},
    {"TLSVersion", Choice{&S::tls_version, tls_versions}, "1.2", "The lowest version of TLS that will do."},
    {"TLSCiphers", Text{&S::tls_ciphers, "NAMES with colons between"}, "",
     "The ciphers that will do, of TLS 1.2, or suites of 1.3, whose names begin with TLS_. By default "
     "OpenSSL's."},
    {"TLSResumption", Choice{&S::tls_resumption, on_or_off}, "on",
     "Whether a client's later connections to a server go on from the first, without certificates and their "
     "checks."},
    {"TLSHandshakeTimeout", Duration{&S::tls_handshake_timeout, 1ms, 1h}, "10s",
     "How long a server lets a client's handshake take before it closes the connection; a client's own limit "
     "is ConnectTimeout."},
    {"TLSExpiryWarning", Duration{&S::tls_expiry_warning, 1h, 8760h, true}, "336h",
     "How long before the ORB's own certificate expires it warns of that, whenever it reads the file. 0: "
     "only "
     "when it has expired."},
    {"TLSPlainToo", Choice{&S::tls_plain_too, on_or_off}, "off",
     "on: ports of ssliop take connections without TLS as well, and references say so."},
    {"TLSUse", Choice{&S::tls_use, tls_uses}, "required",
     "When a client uses TLS instead of TCP: where the server requires it, where it offers it, or always, "
     "and "
     "then servers that do not offer it cannot be reached by TCP."},

    {"SchedulingClass", Choice{&S::scheduling_class, scheduling_classes}, "fifo",
     "The system's scheduling class for threads that have an RT-CORBA priority."},
    {"PriorityMapping", Choice{&S::priority_mapping, priority_mappings}, "automatic",
     "From RT-CORBA priorities, 0 to 32767, to those of the system: spread evenly over them, the same "
     "number, or 0 being the lowest and 1 the next. automatic: direct once a schedule is installed whose "
     "priorities are all the system's, linear otherwise."},
    {"WatchPriority", Count{&S::watch_priority, 0, 99, true}, "automatic",
     "The system's priority (SCHED_FIFO) of the thread that keeps timeouts of a second and more, for all "
     "ORBs "
     "of the process: the highest that one of them asks for. automatic: one above the highest that the ORB's "
     "lanes, threads and upcalls have had so far. 0: as the thread has that first needs it."},
    {"Lanes", Texts{&S::lanes, "PRIORITY=THREADS or PRIORITY=THREADS+DYNAMIC", ",;"}, "",
     "Lanes of the ORB's own thread pool, which serves the root POA and every other one without a "
     "ThreadpoolPolicy: so many threads for requests of that RT-CORBA priority, and at most so many more "
     "while all are busy: 10=4, or 40=2+6. Adapters without a PriorityModelPolicy then run requests at their "
     "clients' priority, and those that have none at the lowest lane's. By default there is no such pool."},
    {"LaneQueuedRequests", Count{&S::lane_queued_requests, 0, 1000000}, "0",
     "Requests that wait in the queue of each lane of Lanes while its threads are busy; more get TRANSIENT. "
     "0, as LaneQueuedOctets: there are no queues, and requests wait in their sockets."},
    {"LaneQueuedOctets", Bytes{&S::lane_queued_octets, 1 * KiB, 1 * GiB, true}, "0",
     "Octets of the requests that wait there; more get TRANSIENT. 0: bounded by LaneQueuedRequests alone."},
    {"LaneBorrowing", Choice{&S::lane_borrowing, on_or_off}, "off",
     "on: a request that no thread of its lane of Lanes can take is served by an idle one of a lower lane, "
     "which runs at the lane's priority meanwhile; where there are no queues, TRANSIENT if there is none."},
    {"LaneCpus", Texts{&S::lane_processors, "PRIORITY=CPUS", "; "}, "",
     "Which processors the threads of each lane of that RT-CORBA priority run on, or of a pool without lanes "
     "of that default priority: 40=1, or 10=0,2-3. Only such as the process may use. Others run on any."},
    {"LaneLoads", Texts{&S::lane_loads, "PRIORITY=BUDGET/PERIOD", ",; "}, "",
     "How much processor time the threads of each lane of that RT-CORBA priority need together in each "
     "period: 40=2ms/10ms. A lane that does not fit beside the others is refused with NO_RESOURCES when its "
     "pool is made."},
    {"MaxLaneUtilisation", Count{&S::max_lane_utilisation, 1, 100}, "95",
     "Percent of each processor that the declared loads of lanes may take together."},
    {"LaneReservations", Texts{&S::lane_reservations, "PRIORITY=BUDGET/PERIOD", ",; "}, "",
     "How much processor time the system sets aside in each period for each thread of the lanes of that "
     "RT-CORBA priority, and lets it have at most (SCHED_DEADLINE): 40=2ms/10ms. A lane for which it has "
     "none "
     "left is refused with NO_RESOURCES. Needs CAP_SYS_NICE; without, the ORB says so and goes on."},
    {"ReserveLaneLoads", Choice{&S::reserve_lane_loads, on_or_off}, "off",
     "on: the system sets the LaneLoads of a lane aside for each of its threads, as LaneReservations does. "
     "Lanes that LaneCpus binds, and lanes that lend threads, get none. A lane gets it only where all higher "
     "lanes have a reservation with no longer period. Where the system refuses, the ORB says so once, and "
     "that lane and the lower ones run at their priorities alone."},
    {"LockMemory", Choice{&S::lock_memory, on_or_off}, "off",
     "on: from ORB_init on, and until the process ends, none of its memory that has been touched leaves the "
     "machine's. Needs CAP_IPC_LOCK or an unlimited RLIMIT_MEMLOCK; without, the ORB says so and goes on."},
    {"StackPrefault", Bytes{&S::stack_prefault_bytes, 4 * KiB, 64 * MiB, true}, "0",
     "How much of its stack each thread of a pool or lane has the system back with memory before it serves, "
     "at most all of it. 0: the stack comes page by page, as upcalls need it."},

    {"GIOPVersion", Choice{&S::giop_version, versions}, "1.2",
     "The highest GIOP version that is spoken and published."},
    {"MinGIOPVersion", Choice{&S::min_giop_version, versions}, "1.0",
     "The lowest GIOP version that is spoken: a server answers requests below it with MessageError and "
     "closes "
     "the connection, a client does not call by references of a lower version."},
    {"Messaging", Choice{&S::messaging, messagings}, "giop",
     "giop-lite: requests and replies have short heads where the other end has this setting too; GIOP is "
     "spoken with all others."},
    {"Compression", Choice{&S::compression, on_or_off}, "off",
     "on: requests and replies longer than CompressionThreshold are sent compressed where the other end has "
     "this setting too and they become shorter so."},
    {"CompressionMethods", Text{&S::compression_methods, "NAME,..."}, "zlib",
     "By which methods, the most wanted first: zlib, and those of plug-ins. A client and its server use the "
     "first of the client's that the server has, too; where there is none, nothing is compressed."},
    {"CompressionThreshold", Bytes{&S::compression_threshold_bytes, 64, 2 * GiB - 1}, "1KiB",
     "Messages up to this, header included, are sent as they are."},
    {"CompressionLevel", Count{&S::compression_level, 1, 9}, "1",
     "The method's: from 1, which takes the least time, to 9, which makes the shortest messages."},
    {"MaxExpansion", Count{&S::max_expansion, 2, 1032}, "100",
     "How many times as long as what came a compressed message may be; one that says more is malformed. The "
     "other end knows, and pads what would be shorter. MaxMessageSize holds for what is inside, too."},
    {"MaxMessageSize", Bytes{&S::message_bytes, 1 * KiB, 2 * GiB - 1}, "4MiB",
     "The longest message that is accepted, and the most memory that the fragments of one connection may "
     "take."},
    {"ConnectionMemory", Bytes{&S::connection_memory_bytes, 128 * KiB, 1024 * GiB, true}, "0",
     "How much memory one connection may take for what its peer sends, and for what the peer does not read. "
     "A "
     "request for which there is none gets TRANSIENT, or NO_MEMORY where it could never fit, a reply "
     "NO_MEMORY; a connection whose peer does not read is closed. 0: eight times MaxMessageSize, and at "
     "least "
     "64MiB. See qos.md."},
    {"ServerMemory", Bytes{&S::server_memory_bytes, 128 * KiB, 1024 * GiB, true}, "0",
     "The same for all connections together that the ORB has accepted. 0: four times ConnectionMemory."},
    {"ClientMemory", Bytes{&S::client_memory_bytes, 128 * KiB, 1024 * GiB, true}, "0",
     "The same for all connections together that the ORB has opened. 0: four times ConnectionMemory."},
    {"FragmentSize", Bytes{&S::fragment_bytes, 256, 1 * GiB, true}, "0",
     "Messages longer than this are sent in GIOP 1.2 fragments of this size. 0: never."},
    {"MaxOutstandingRequests", Count{&S::outstanding_requests, 1, 1000000}, "4096",
     "Requests without a reply on one connection that is shared; one more gets TRANSIENT."},
    {"CharCodeSet", Choice{&S::char_code_set, char_code_sets}, "UTF-8",
     "The native code set of char that is published; the other one is offered as a conversion. Strings in "
     "the program are UTF-8 in any case."},

    {"TimeProbes", Text{&S::time_probes, "NAME"}, "",
     "Records the steps of every call, in client and server, and writes them when the ORB is destroyed: "
     "NAME.json for Perfetto, NAME.txt with the mean of each step."},
    {"TimeProbeRecords", Count{&S::time_probe_records, 256, 16777216}, "32768",
     "Time probes that are kept of each thread, the newest ones; a call takes about ten. 48 octets each."},
    {"ExecutionTimes", Text{&S::execution_times, "FILE"}, "",
     "Measures how long each operation runs in this server, without what it calls and while it has a "
     "processor, and writes it to the file, for takt schedule calibrate, when the ORB is destroyed."},

    {"Signals", Texts{&S::signals, "TERM, INT or HUP", ",; "}, "",
     "Signals of the process that the ORB takes. TERM, INT: it shuts down, as "
     "shutdown(false) does, so that ORB::run() returns and the program goes on to destroy(); a second INT "
     "ends "
     "the process. HUP: it reads certificates and the file of Config anew. Those for which the program has a "
     "handler stay the program's."},
    {"ReloadInterval", Duration{&S::reload_interval, 1s, 8760h, true}, "0",
     "How often the ORB reads certificates and the file of Config anew by itself. 0: never."},
    {"ServiceNotify", Choice{&S::service_notify, on_or_off}, "off",
     "on: the ORB tells the service manager (sd_notify, by the environment's NOTIFY_SOCKET) when it serves "
     "its "
     "first clients, when it stops, and, where WATCHDOG_USEC asks for it, that it lives. Nothing without a "
     "manager."},

    {"LogLevel", Choice{&S::log_level, log_levels}, "warning", "What is written to standard error."},
};

}  // namespace

std::span<const Option> options() { return option_table; }

}  // namespace takt::orb
