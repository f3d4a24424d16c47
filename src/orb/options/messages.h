// Options of GIOP and of the memory that messages may take.
#pragma once

#include "orb/options/common.h"

namespace takt::orb::table {

constexpr Named<std::uint8_t> versions[] = {{"1.0", 0}, {"1.1", 1}, {"1.2", 2}};
constexpr Named<bool> messagings[] = {{"giop", false}, {"giop-lite", true}};
constexpr Named<cdr::CodeSetId> char_code_sets[] = {{"UTF-8", cdr::CodeSetId::utf_8},
                                                    {"ISO-8859-1", cdr::CodeSetId::iso_8859_1}};
constexpr std::string_view references_say_it = "references that are out there say the present one";

constexpr Conflict min_version_conflicts[] = {
    {"GIOPVersion", [](const S& s) { return s.limits.least_giop_minor > s.limits.giop_minor; },
     "above GIOPVersion", "no version would be left to speak",
     "leave GIOPVersion at 1.2, or give MinGIOPVersion a lower one"},
};
constexpr Conflict messaging_conflicts[] = {
    {"GIOPVersion", [](const S& s) { return s.messaging.short_heads && s.limits.giop_minor < 2; },
     "`giop-lite`; below 1.2", "short heads stand for those of GIOP 1.2 alone",
     "leave GIOPVersion at 1.2, by which older ORBs are spoken with too, or Messaging giop"},
    {"FragmentSize", [](const S& s) { return s.messaging.short_heads && s.messages.fragment_bytes != 0; },
     "`giop-lite`; not 0", "messages with short heads have no fragments",
     "leave FragmentSize at 0, or Messaging giop"},
};
constexpr Conflict compression_conflicts[] = {
    {"GIOPVersion", [](const S& s) { return s.messaging.compression && s.limits.giop_minor < 2; },
     "`on`; below 1.2", "what is inside a compressed message is one of GIOP 1.2",
     "leave GIOPVersion at 1.2, by which older ORBs are spoken with too, or Compression off"},
    {"FragmentSize", [](const S& s) { return s.messaging.compression && s.messages.fragment_bytes != 0; },
     "`on`; not 0", "compressed messages have no fragments", "leave FragmentSize at 0, or Compression off"},
};

constexpr Option message_options[] = {
    {"GIOPVersion", choice<versions, &S::limits, &giop::Limits::giop_minor>(), fixed(references_say_it),
     "The highest GIOP version that is spoken and published."},
    {"MinGIOPVersion", choice<versions, &S::limits, &giop::Limits::least_giop_minor>(),
     fixed("connections that are open, and references that were read, have the present one"),
     "The lowest GIOP version that is spoken: a server answers requests below it with MessageError and "
     "closes the connection, a client does not call by references of a lower version.",
     min_version_conflicts},
    {"Messaging", choice<messagings, &S::messaging, &giop::Messaging::short_heads>(), fixed(),
     "giop-lite: requests and replies have short heads where the other end has this setting too; GIOP is "
     "spoken with all others.",
     messaging_conflicts},
    {"Compression", choice<on_or_off, &S::messaging, &giop::Messaging::compression>(), fixed(),
     "on: requests and replies longer than CompressionThreshold are sent compressed where the other end has "
     "this setting too and they become shorter so.",
     compression_conflicts},
    {"CompressionMethods", Text{at<&S::messages, &MessageOptions::compression_methods>, "NAME,..."}, fixed(),
     "By which methods, the most wanted first: zlib, and those of plug-ins. A client and its server use the "
     "first of the client's that the server has, too; where there is none, nothing is compressed."},
    {"CompressionThreshold",
     Bytes{at<&S::compression, &giop::compression::Settings::threshold_bytes>, 64, 2 * GiB - 1},
     set_live(for_opened), "Messages up to this, header included, are sent as they are."},
    {"CompressionLevel", Count{at<&S::compression, &giop::compression::Settings::level>, 1, 9, "level"},
     set_live(for_opened),
     "The method's: from 1, which takes the least time, to 9, which makes the shortest messages."},
    {"MaxExpansion", Count{at<&S::limits, &giop::Limits::expansion>, 2, 1032, "times the length"},
     set_live("for connections that are opened from then on; with cached, to servers that the process has "
              "none to"),
     "How many times as long as what came a compressed message may be; one that says more is malformed. The "
     "other end knows, and pads what would be shorter. MaxMessageSize holds for what is inside, too."},
    {"MaxMessageSize", Bytes{at<&S::limits, &giop::Limits::message_bytes>, 1 * KiB, 2 * GiB - 1},
     set_live("for connections that are opened from then on; in fragments, on all of them", derived),
     "The longest message that is accepted, and the most memory that the fragments of one connection may "
     "take."},
    {"ConnectionMemory",
     Bytes{at<&S::messages, &MessageOptions::connection_memory_bytes>, 128 * KiB, 1024 * GiB, true},
     set_live("for connections that are opened, or accepted, from then on", derived),
     "How much memory one connection may take for what its peer sends, and for what the peer does not read. "
     "A request for which there is none gets TRANSIENT, or NO_MEMORY where it could never fit, a reply "
     "NO_MEMORY; a connection whose peer does not read is closed. 0: eight times MaxMessageSize, and at "
     "least 64MiB. See qos.md."},
    {"ServerMemory",
     Bytes{at<&S::messages, &MessageOptions::server_memory_bytes>, 128 * KiB, 1024 * GiB, true},
     set_live("at once; what has more than that already keeps it", derived),
     "The same for all connections together that the ORB has accepted. 0: four times ConnectionMemory."},
    {"ClientMemory",
     Bytes{at<&S::messages, &MessageOptions::client_memory_bytes>, 128 * KiB, 1024 * GiB, true},
     set_live("at once; what has more than that already keeps it", derived),
     "The same for all connections together that the ORB has opened. 0: four times ConnectionMemory."},
    {"FragmentSize", Bytes{at<&S::messages, &MessageOptions::fragment_bytes>, 256, 1 * GiB, true},
     fixed("GIOPlite and compression, which connections and policies may have, rest on there being none"),
     "Messages longer than this are sent in GIOP 1.2 fragments of this size. 0: never."},
    {"MaxOutstandingRequests",
     Count{at<&S::limits, &giop::Limits::outstanding_requests>, 1, 1000000, "requests"}, set_live(for_opened),
     "Requests without a reply on one connection that is shared; one more gets TRANSIENT."},
    {"CharCodeSet", choice<char_code_sets, &S::messages, &MessageOptions::char_code_set>(),
     fixed("references that are out there, and open connections, say the present one"),
     "The native code set of char that is published; the other one is offered as a conversion. Strings in "
     "the program are UTF-8 in any case."},
};

}  // namespace takt::orb::table
