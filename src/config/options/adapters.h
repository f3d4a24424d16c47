// Options of object adapters and object keys.
#pragma once

#include "config/options/common.h"

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
     "`none`; a file",
     "without a code in the keys the secret has no effect, and anyone could make object keys",
     "set KeyMAC to siphash, or omit KeySecretFile"},
};

constexpr Option adapter_options[] = {
    {"HoldTimeout", Duration{at<&S::server, &server::ServerOptions::hold_timeout>, 0ms, 1h},
     set_live("for requests that arrive later"),
     "The time that a request waits for a POA manager that holds requests. After it the request gets "
     "TRANSIENT. It also limits how far in the future the start time of a waiting request may be."},
    {"HeldRequests", Count{at<&S::adapter, &adapter::AdapterOptions::held_requests>, 0, 1000000, "requests"},
     set_live("at once; requests that already wait stay"),
     "The number of requests that may wait for one POA manager. Further ones get TRANSIENT."},
    {"AdapterTimeout", Duration{at<&S::serving, &ServingOptions::adapter_timeout>, 0ms, 1h},
     fixed("the time counts from the moment the server first listens"),
     "The time, from the moment the server first listens, for which it leaves requests in their sockets "
     "while the program creates its POAs (see AdaptersComplete). After it, requests for a POA that does not "
     "exist get OBJECT_NOT_EXIST. 0: the server serves at once."},
    {"AdaptersComplete",
     choice<completions, &S::adapter, &adapter::AdapterOptions::complete_when_activated>(),
     fixed("it applies only while the server starts"),
     "The event that tells the ORB that the program has created its POAs. activation: the first POA manager "
     "is activated. call: the program calls ORB::_adapters_complete(). Use call if the program activates a "
     "manager before it creates all POAs."},
    {"AdapterLookup",
     choice<lookups, &S::adapter, &adapter::AdapterOptions::lookup, &LookupStrategies::adapter>(),
     fixed(keys_are_made_for_it),
     "The strategy by which a request finds its POA, unless the POA has a look-up policy."},
    {"ServantLookup",
     choice<lookups, &S::adapter, &adapter::AdapterOptions::lookup, &LookupStrategies::servant>(),
     fixed(keys_are_made_for_it),
     "The strategy by which a request finds its servant in the POA, unless the POA has a look-up policy."},
    {"OperationLookup",
     choice<operation_lookups, &S::adapter, &adapter::AdapterOptions::lookup, &LookupStrategies::operation>(),
     fixed(),
     "The strategy by which a request finds the servant's operation, unless the POA has a look-up policy."},
    {"POALookup", Texts{at<&S::objects, &ObjectOptions::poa_lookups>, "POA:LOOKUP=STRATEGY,...", " "},
     fixed("keys in existing references depend on it"),
     "Look-up strategies of single POAs, unless the POA has a look-up policy: "
     "RootPOA/navigation:servants=dynamic,operations=linear. See object-adapter.md."},
    {"KeyMAC", choice<key_macs, &S::objects, &ObjectOptions::seals_keys>(),
     fixed("existing references would become invalid"),
     "siphash: object keys carry a code that only this server can compute. Requests with another key get "
     "OBJECT_NOT_EXIST.",
     key_mac_conflicts},
    {"KeySecretFile", Text{at<&S::objects, &ObjectOptions::key_secret_file>, "FILE"},
     fixed("existing references would become invalid"),
     "The secret for KeyMAC: 16 octets in a file that only this server's user can read. Without a file the "
     "secret is random and ends with the process, so that persistent POAs are impossible. References that a "
     "bridge has made also stay valid across restarts with a file."},
};

}  // namespace takt::orb::table
