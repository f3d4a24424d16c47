// Options of the start of an ORB: its name, files, plug-ins and initial references.
#pragma once

#include "orb/options/common.h"

namespace takt::orb::table {

constexpr Named<PersonalityName> personality_names[] = {{"standard", PersonalityName::standard},
                                                        {"realtime", PersonalityName::realtime},
                                                        {"avionics", PersonalityName::avionics},
                                                        {"imaging", PersonalityName::imaging},
                                                        {"minimal", PersonalityName::minimal}};

constexpr Option start_options[] = {
    {"id", Text{at<&S::runtime, &RuntimeOptions::id>, "NAME"}, fixed("others know the ORB by it"),
     "The ORB's name: ORB_init with the same name gives the same ORB. The third argument of ORB_init takes "
     "precedence."},
    {"Config", Text{at<&S::runtime, &RuntimeOptions::config>, "FILE"}, fixed(),
     "Options in a file, in TOML, as in ConnectTimeout = \"2s\". The environment and the command line go "
     "before it."},
    {"Personality", choice<personality_names, &S::runtime, &RuntimeOptions::personality>(), fixed(),
     "Defaults of other options that go together, see below."},
    {"Plugin", Texts{at<&S::runtime, &RuntimeOptions::plugins>, "FILE[:ARGUMENTS] or NAME[:ARGUMENTS]", " "},
     add_live("at once: ListenEndpoints and references that are read from then on may have its transports; "
              "they stay as long as the ORB",
              &RunningOrb::load_plugin),
     "What brings transports, messaging protocols, policy controls and methods of compression, in this "
     "order, while the ORB starts: shared objects, which run with all of the process's rights, or plug-ins "
     "that the program is linked with and has named by takt::add_plugin()."},
    {"InitRef", Texts{at<&S::runtime, &RuntimeOptions::init_refs>, "NAME=URL", " "},
     add_live("when it is resolved next", &RunningOrb::add_init_ref),
     "What resolve_initial_references(NAME) gives. Once for each name."},
    {"DefaultInitRef", Text{at<&S::runtime, &RuntimeOptions::default_init_ref>, "URL"}, fixed(),
     "Where initial references without an InitRef are: the URL, a slash and the name make an object URL."},
    {"ObjectKey", Texts{at<&S::runtime, &RuntimeOptions::object_keys>, "KEY=URL", " "},
     add_live("at once", &RunningOrb::add_object_key),
     "A plain object key, as in corbaloc::host/KEY, that this server answers for the object at URL."},
};

}  // namespace takt::orb::table
