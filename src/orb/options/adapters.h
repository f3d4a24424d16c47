// Options of object adapters and object keys.
#pragma once

#include "orb/options/common.h"

namespace takt::orb::table {

constexpr Named<Lookup> lookups[] = {{"linear", Lookup::linear},
                                     {"dynamic", Lookup::dynamic},
                                     {"active", Lookup::active},
                                     {"delayered", Lookup::delayered}};
constexpr Named<Lookup> operation_lookups[] = {
    {"linear", Lookup::linear}, {"dynamic", Lookup::dynamic}, {"perfect", Lookup::perfect}};
constexpr Named<bool> key_macs[] = {{"none", false}, {"siphash", true}};
constexpr Named<bool> completions[] = {{"activation", true}, {"call", false}};
constexpr std::string_view keys_are_made_for_it =
    "the keys of references that are out there are made for the present one";

constexpr Conflict key_mac_conflicts[] = {
    {"KeySecretFile", [](const S& s) { return !s.objects.seals_keys && !s.objects.key_secret_file.empty(); },
     "`none`; a file", "the secret would seal nothing, and everybody could make object keys",
     "give KeyMAC siphash, or no KeySecretFile"},
};

constexpr Option adapter_options[] = {
    {"HoldTimeout", Duration{at<&S::server, &server::ServerOptions::hold_timeout>, 0ms, 1h},
     set_live("for requests that come from then on"),
     "How long a request waits for a POA manager that holds requests, before it gets TRANSIENT; and how far "
     "away the start time of one may be that waits for it."},
    {"HeldRequests", Count{at<&S::adapter, &adapter::AdapterOptions::held_requests>, 0, 1000000, "requests"},
     set_live("at once, and those that wait stay"),
     "Requests that wait for one POA manager at once; more get TRANSIENT."},
    {"AdapterTimeout", Duration{at<&S::serving, &ServingOptions::adapter_timeout>, 0ms, 1h},
     fixed("it counts from when the server first listens"),
     "How long, from when it first listens, a server leaves requests in their sockets while the program "
     "still makes its POAs (see AdaptersComplete). Those for a POA that is not there then get "
     "OBJECT_NOT_EXIST. 0: it serves at once."},
    {"AdaptersComplete",
     choice<completions, &S::adapter, &adapter::AdapterOptions::complete_when_activated>(),
     fixed("it is about how the server starts"),
     "What says that the program has made its POAs: the first POA manager that is activated, or only "
     "ORB::_adapters_complete(), for programs that activate a manager first and make POAs later."},
    {"AdapterLookup",
     choice<lookups, &S::adapter, &adapter::AdapterOptions::lookup, &LookupStrategies::adapter>(),
     fixed(keys_are_made_for_it),
     "How a request finds its POA, unless the POA has a look-up policy of its own."},
    {"ServantLookup",
     choice<lookups, &S::adapter, &adapter::AdapterOptions::lookup, &LookupStrategies::servant>(),
     fixed(keys_are_made_for_it),
     "How a request finds its servant in the POA, unless the POA has a look-up policy of its own."},
    {"OperationLookup",
     choice<operation_lookups, &S::adapter, &adapter::AdapterOptions::lookup, &LookupStrategies::operation>(),
     fixed(), "How a request finds the servant's operation, unless the POA has a look-up policy of its own."},
    {"POALookup", Texts{at<&S::objects, &ObjectOptions::poa_lookups>, "POA:LOOKUP=STRATEGY,...", " "},
     fixed("the keys of references that are out there are made for the present ones"),
     "What one POA has instead, unless it has a look-up policy of its own: "
     "RootPOA/navigation:servants=dynamic,operations=linear. See object-adapter.md."},
    {"KeyMAC", choice<key_macs, &S::objects, &ObjectOptions::seals_keys>(),
     fixed("references that are out there would become invalid"),
     "siphash: object keys carry a code that only this server can make; others get OBJECT_NOT_EXIST.",
     key_mac_conflicts},
    {"KeySecretFile", Text{at<&S::objects, &ObjectOptions::key_secret_file>, "FILE"},
     fixed("references that are out there would become invalid"),
     "The secret of KeyMAC: 16 octets, for this server's eyes only. Without it the secret is a random one, "
     "which ends with the process, and there can be no persistent POAs. A bridge's references last with it, "
     "too."},
};

}  // namespace takt::orb::table
