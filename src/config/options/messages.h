// Options of GIOP and of the memory that messages may take.
#pragma once

#include "config/options/common.h"

namespace takt::orb::table {

constexpr Named<std::uint8_t> versions[] = {{"1.0", 0}, {"1.1", 1}, {"1.2", 2}};
constexpr Named<bool> messagings[] = {{"giop", false}, {"giop-lite", true}};
constexpr Named<cdr::CodeSetId> char_code_sets[] = {{"UTF-8", cdr::CodeSetId::utf_8},
                                                    {"ISO-8859-1", cdr::CodeSetId::iso_8859_1}};
constexpr Named<cdr::CodeSetId> wide_code_sets[] = {{"none", cdr::CodeSetId::none},
                                                    {"UTF-16", cdr::CodeSetId::utf_16},
                                                    {"UTF-16-of-message", cdr::CodeSetId::utf_16_of_message}};
constexpr Named<giop::LongDoubles> long_doubles[] = {{"ieee", giop::LongDoubles::ieee},
                                                     {"x87", giop::LongDoubles::x87},
                                                     {"auto", giop::LongDoubles::automatic}};
constexpr Named<giop::ValueForms> value_forms[] = {{"standard", giop::ValueForms::standard},
                                                   {"tao", giop::ValueForms::tao},
                                                   {"auto", giop::ValueForms::automatic}};
constexpr std::string_view connections_agreed = "open connections use the present value";
constexpr std::string_view references_say_it = "references that are out there say the present one";

constexpr Conflict min_version_conflicts[] = {
    {"GIOPVersion", [](const S& s) { return s.limits.least_giop_minor > s.limits.giop_minor; },
     "above GIOPVersion", "no version would be left", "leave GIOPVersion at 1.2, or lower MinGIOPVersion"},
};
constexpr Conflict messaging_conflicts[] = {
    {"GIOPVersion", [](const S& s) { return s.messaging.short_heads && s.limits.giop_minor < 2; },
     "`giop-lite`; below 1.2", "short headers replace only those of GIOP 1.2",
     "leave GIOPVersion at 1.2, which also works with older ORBs, or set Messaging to giop"},
    {"FragmentSize", [](const S& s) { return s.messaging.short_heads && s.messages.fragment_bytes != 0; },
     "`giop-lite`; not 0", "messages with short headers cannot be fragmented",
     "leave FragmentSize at 0, or set Messaging to giop"},
};
constexpr Conflict compression_conflicts[] = {
    {"GIOPVersion", [](const S& s) { return s.messaging.compression && s.limits.giop_minor < 2; },
     "`on`; below 1.2", "a compressed message contains a GIOP 1.2 message",
     "leave GIOPVersion at 1.2, which also works with older ORBs, or set Compression to off"},
    {"FragmentSize", [](const S& s) { return s.messaging.compression && s.messages.fragment_bytes != 0; },
     "`on`; not 0", "compressed messages cannot be fragmented",
     "leave FragmentSize at 0, or set Compression to off"},
};

constexpr Option message_options[] = {
    {"GIOPVersion", choice<versions, &S::limits, &giop::Limits::giop_minor>(), fixed(references_say_it),
     "The highest GIOP version that the ORB uses and publishes."},
    {"MinGIOPVersion", choice<versions, &S::limits, &giop::Limits::least_giop_minor>(),
     fixed("open connections and known references use the present value"),
     "The lowest GIOP version that the ORB accepts. A server answers older requests with MessageError and "
     "closes the connection. A client does not call through references of an older version.",
     min_version_conflicts},
    {"Messaging", choice<messagings, &S::messaging, &giop::Messaging::short_heads>(), fixed(),
     "giop-lite: requests and replies have short headers if the peer has this setting too. The ORB talks "
     "GIOP with all other peers.",
     messaging_conflicts},
    {"Compression", choice<on_or_off, &S::messaging, &giop::Messaging::compression>(), fixed(),
     "on: requests and replies longer than CompressionThreshold are sent compressed if the peer has this "
     "setting too and compression makes them shorter.",
     compression_conflicts},
    {"CompressionMethods", Text{at<&S::messages, &MessageOptions::compression_methods>, "NAME,..."}, fixed(),
     "The compression methods in order of preference: zlib, and those of plug-ins. A client and its server "
     "use the client's first method that the server has. If they share none, nothing is compressed."},
    {"CompressionThreshold",
     Bytes{at<&S::compression, &giop::compression::CompressionSettings::threshold_bytes>, 64, 2 * GiB - 1},
     set_live(for_opened),
     "The longest message that is sent without compression. Its length includes the header."},
    {"CompressionLevel",
     Count{at<&S::compression, &giop::compression::CompressionSettings::level>, 1, 9, "level"},
     set_live(for_opened), "The compression level: 1 takes the least time, 9 makes the shortest messages."},
    {"MaxExpansion", Count{at<&S::limits, &giop::Limits::expansion>, 2, 1032, "times the length"},
     set_live("for connections that are opened later; with cached connections, for servers to which the "
              "process has none"),
     "The largest ratio of a compressed message's uncompressed length to its received length. A message with "
     "a larger ratio is malformed. The peer knows the limit and pads messages that would exceed it. "
     "MaxMessageSize also limits the uncompressed length."},
    {"MaxMessageSize", Bytes{at<&S::limits, &giop::Limits::message_bytes>, 1 * KiB, 2 * GiB - 1},
     set_live("for connections that are opened later; for fragmented messages, on all connections", derived),
     "The longest message that is accepted. It also limits the memory that the fragments on one connection "
     "may take."},
    {"ConnectionMemory",
     Bytes{at<&S::messages, &MessageOptions::connection_memory_bytes>, 128 * KiB, 1024 * GiB, true},
     set_live("for connections that are opened or accepted later", derived),
     "The memory that one connection may take for what its peer sends and for what the peer does not read. "
     "If none is left, a request gets TRANSIENT, or NO_MEMORY if it could never fit, and a reply gets "
     "NO_MEMORY. A connection whose peer does not read is closed. 0: eight times MaxMessageSize, and at "
     "least 64MiB. See qos.md."},
    {"ServerMemory",
     Bytes{at<&S::messages, &MessageOptions::server_memory_bytes>, 128 * KiB, 1024 * GiB, true},
     set_live("at once; memory that is already in use stays", derived),
     "The same limit for all connections together that the ORB has accepted. 0: four times "
     "ConnectionMemory."},
    {"ClientMemory",
     Bytes{at<&S::messages, &MessageOptions::client_memory_bytes>, 128 * KiB, 1024 * GiB, true},
     set_live("at once; memory that is already in use stays", derived),
     "The same limit for all connections together that the ORB has opened. 0: four times ConnectionMemory."},
    {"FragmentSize", Bytes{at<&S::messages, &MessageOptions::fragment_bytes>, 256, 1 * GiB, true},
     fixed("GIOPlite and compression, which connections may use, need unfragmented messages"),
     "Longer messages are sent in GIOP 1.2 fragments of this size. 0: never."},
    {"MaxOutstandingRequests",
     Count{at<&S::limits, &giop::Limits::outstanding_requests>, 1, 1000000, "requests"}, set_live(for_opened),
     "The number of requests that may wait for their replies on one shared connection. A further request "
     "gets TRANSIENT."},
    {"CharCodeSet", choice<char_code_sets, &S::messages, &MessageOptions::char_code_set>(),
     fixed("existing references and open connections name the present code set"),
     "The native code set of char that references publish. The other one is published as a conversion code "
     "set. Strings in the program are UTF-8 with either."},
    {"AssumedCharCodeSet",
     choice<char_code_sets, &S::dialect, &giop::Dialect::assumed, &cdr::CodeSets::narrow>(),
     fixed(connections_agreed),
     "The code set of char where peers negotiate none: in GIOP 1.0, with references that name no code sets, "
     "as from corbaloc, and with peers that do not negotiate."},
    {"AssumedWcharCodeSet",
     choice<wide_code_sets, &S::dialect, &giop::Dialect::assumed, &cdr::CodeSets::wide>(),
     fixed(connections_agreed),
     "The same for wchar. none: wide characters are not sent. UTF-16: big-endian if unmarked. "
     "UTF-16-of-message: if unmarked, in the byte order of the message, as TAO sends it. GIOP 1.0 has none."},
    {"LongDouble", choice<long_doubles, &S::dialect, &giop::Dialect::long_doubles>(),
     fixed(connections_agreed),
     "The octets of a long double. ieee: quadruple precision, the standard's. x87: as TAO and omniORB send "
     "it on x86. auto: clients use x87 for references of TAO and omniORB; all else is ieee, because a server "
     "does not know its clients' ORB."},
    {"ValueForm", choice<value_forms, &S::dialect, &giop::Dialect::values>(), fixed(connections_agreed),
     "The form of valuetypes in chunks: truncatable ones, and those in them. Both forms are read with each "
     "setting. standard, tao: it is written. auto: TAO's is written to references of TAO, and on connections "
     "whose requests had it."},
};

}  // namespace takt::orb::table
