// Options of the start of an ORB: its name, files, plug-ins and initial references.
#pragma once

#include "config/options/common.h"

namespace takt::orb::table {

constexpr Named<PersonalityName> personality_names[] = {
    {"standard", PersonalityName::standard}, {"realtime", PersonalityName::realtime},
    {"avionics", PersonalityName::avionics}, {"imaging", PersonalityName::imaging},
    {"minimal", PersonalityName::minimal},   {"tao", PersonalityName::tao}};

constexpr Option start_options[] = {
    {"id", Text{at<&S::runtime, &RuntimeOptions::id>, "NAME"},
     fixed("other parts of the program know the ORB by this name"),
     "The ORB's name. ORB_init with the same name returns the same ORB. The third argument of ORB_init takes "
     "precedence."},
    {"Config", Text{at<&S::runtime, &RuntimeOptions::config>, "FILE"}, fixed(),
     "A TOML file with options, for example ConnectTimeout = \"2s\". The environment and the command line "
     "take precedence over it."},
    {"Personality", plugin_choice<personality_names, &S::runtime, &RuntimeOptions::personality>(), fixed(),
     "A named set of defaults for other options. The ORB's own sets are listed below, and a plug-in can add "
     "sets."},
    {"Plugin", Texts{at<&S::runtime, &RuntimeOptions::plugins>, "FILE[:ARGUMENTS] or NAME[:ARGUMENTS]", " "},
     add_live("at once; ListenEndpoints and references that are read later may use its transports, which "
              "stay as long as the ORB",
              &RunningOrb::load_plugin),
     "Plug-ins that the ORB loads at its start, in this order. They bring transports, messaging protocols, "
     "policy controls, compression methods or strategies. A plug-in is a shared object, which runs with all "
     "rights of "
     "the process, or is linked with the program and named by takt::add_plugin()."},
    {"InitRef", Texts{at<&S::runtime, &RuntimeOptions::init_refs>, "NAME=URL", " "},
     add_live("at the next resolve_initial_references", &RunningOrb::add_init_ref),
     "The reference that resolve_initial_references(NAME) returns. Give the option once for each name."},
    {"DefaultInitRef", Text{at<&S::runtime, &RuntimeOptions::default_init_ref>, "URL"}, fixed(),
     "Where initial references without an InitRef are found: the URL, a slash and the name form an object "
     "URL."},
    {"ObjectKey", Texts{at<&S::runtime, &RuntimeOptions::object_keys>, "KEY=URL", " "},
     add_live("at once", &RunningOrb::add_object_key),
     "A plain object key, as in corbaloc::host/KEY. The server answers requests for it with the object at "
     "URL."},
};

}  // namespace takt::orb::table
