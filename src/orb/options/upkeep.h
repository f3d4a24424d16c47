// Options of measurements, and of the tasks that an ORB does by itself.
#pragma once

#include "orb/options/common.h"

namespace takt::orb::table {

constexpr Named<bool> log_levels[] = {{"off", false}, {"warning", true}};

constexpr Option upkeep_options[] = {
    {"TimeProbes", Text{at<&S::runtime, &RuntimeOptions::time_probes>, "NAME"}, fixed(),
     "Records the steps of every call, in client and server, and writes them when the ORB is destroyed: "
     "NAME.json for Perfetto, NAME.txt with the mean of each step."},
    {"TimeProbeRecords", Count{at<&S::runtime, &RuntimeOptions::time_probe_records>, 256, 16777216, "probes"},
     fixed(),
     "Time probes that are kept of each thread, the newest ones; a call takes about ten. 48 octets each."},
    {"ExecutionTimes", Text{at<&S::runtime, &RuntimeOptions::execution_times>, "FILE"}, fixed(),
     "Measures how long each operation runs in this server, without what it calls and while it has a "
     "processor, and writes it to the file, for takt schedule calibrate, when the ORB is destroyed."},
    {"Signals", Texts{at<&S::runtime, &RuntimeOptions::signals>, "TERM, INT or HUP", ",; "}, fixed(),
     "Signals of the process that the ORB takes. TERM, INT: it shuts down, as shutdown(false) does, so that "
     "ORB::run() returns and the program goes on to destroy(); a second INT ends the process. HUP: it reads "
     "certificates and the file of Config anew. Those for which the program has a handler stay the "
     "program's."},
    {"ReloadInterval", Duration{at<&S::runtime, &RuntimeOptions::reload_interval>, 1s, 8760h, true}, fixed(),
     "How often the ORB reads certificates and the file of Config anew by itself. 0: never."},
    {"ServiceNotify", choice<on_or_off, &S::runtime, &RuntimeOptions::service_notify>(), fixed(),
     "on: the ORB tells the service manager (sd_notify, by the environment's NOTIFY_SOCKET) when it serves "
     "its first clients, when it stops, and, where WATCHDOG_USEC asks for it, that it lives. Nothing "
     "without a manager."},
    {"LogLevel", choice<log_levels, &S::runtime, &RuntimeOptions::warns>(),
     set_live("at once", &RunningOrb::change_log_level), "What is written to standard error."},
};

}  // namespace takt::orb::table
