// Options of measurements, and of the tasks that an ORB does by itself.
#pragma once

#include "config/options/common.h"

namespace takt::orb::table {

constexpr Named<LogLevel> log_levels[] = {{"off", LogLevel::off},         {"error", LogLevel::error},
                                          {"warning", LogLevel::warning}, {"info", LogLevel::info},
                                          {"debug", LogLevel::debug},     {"trace", LogLevel::trace}};
constexpr Named<logs::LogFormat> log_formats[] = {{"text", logs::LogFormat::text},
                                                  {"json", logs::LogFormat::json}};

constexpr Named<AdminWord> admin_words[] = {{"off", AdminWord::off},
                                            {"on", AdminWord::on},
                                            {"changes", AdminWord::changes},
                                            {"remote", AdminWord::remote}};
constexpr Named<KeptFailure> kept_failures[] = {{"exception", KeptFailure::exception},
                                                {"deadline", KeptFailure::deadline}};
constexpr Named<DumpCause> dump_causes[] = {
    {"exception", DumpCause::exception}, {"deadline", DumpCause::deadline}, {"signal", DumpCause::signal}};

constexpr Conflict trace_file_conflicts[] = {
    {"Tracing", [](const S& s) { return !s.runtime.trace_file.empty() && s.runtime.tracing == "off"; },
     "a file; `off`", "without traces there is nothing to keep in the file",
     "set Tracing to a ratio, or omit TraceFile"},
};

constexpr Conflict trace_sample_conflicts[] = {
    {"Tracing", [](const S& s) { return !s.runtime.trace_sample_on.empty() && s.runtime.tracing == "off"; },
     "events; `off`", "without traces no span is kept", "set Tracing to a ratio, or omit TraceSampleOn"},
};

constexpr Conflict recorder_file_conflicts[] = {
    {"Recorder", [](const S& s) { return !s.runtime.recorder_file.empty() && s.runtime.recorder_bytes == 0; },
     "a file; `0`", "without a size nothing is recorded", "set Recorder to a size, or omit RecorderFile"},
};

constexpr Conflict recorder_dump_conflicts[] = {
    {"Recorder",
     [](const S& s) { return !s.runtime.recorder_dump_on.empty() && s.runtime.recorder_bytes == 0; },
     "events; `0`", "without a size nothing is recorded", "set Recorder to a size, or omit RecorderDumpOn"},
};

constexpr Option upkeep_options[] = {
    {"TimeProbes", Text{at<&S::runtime, &RuntimeOptions::time_probes>, "NAME"}, fixed(),
     "Records the steps of every call, in client and server. When the ORB is destroyed it writes NAME.json "
     "for Perfetto and NAME.txt with the mean time of each step."},
    {"TimeProbeRecords", Count{at<&S::runtime, &RuntimeOptions::time_probe_records>, 256, 16777216, "probes"},
     fixed(),
     "The number of time probes that are kept for each thread. The newest are kept. A call takes about ten "
     "probes of 48 octets."},
    {"RunRecord", Text{at<&S::runtime, &RuntimeOptions::run_record>, "FILE"}, fixed(),
     "Records the responses, missed deadlines and overruns of scheduled operations and periodic jobs, and "
     "the processor time of each operation in this server. The ORB writes the file, as JSON, when it is "
     "destroyed. takt schedule compare, calibrate and page read it."},
    {"Signals", Texts{at<&S::runtime, &RuntimeOptions::signals>, "TERM, INT or HUP", ",; "}, fixed(),
     "Signals that the ORB handles. TERM and INT: it shuts down, as shutdown(false) does, so that ORB::run() "
     "returns and the program reaches destroy(). A second INT ends the process. HUP: the ORB reads its "
     "certificates and its configuration file again, and reopens the file of LogFile. A signal for which the "
     "program has a handler is left to "
     "the program."},
    {"ReloadInterval", Duration{at<&S::runtime, &RuntimeOptions::reload_interval>, 1s, 8760h, true}, fixed(),
     "The interval at which the ORB reads its certificates and its configuration file again. 0: never."},
    {"ServiceNotify", choice<on_or_off, &S::runtime, &RuntimeOptions::service_notify>(), fixed(),
     "on: the ORB reports to the service manager (sd_notify, through NOTIFY_SOCKET) when it begins to serve "
     "and when it stops. If WATCHDOG_USEC is set, it also reports that it is alive. Without a manager the "
     "option has no effect."},
    {"Admin",
     set_of<admin_words, &S::runtime, &RuntimeOptions::admin>(", ",
                                                              "an endpoint such as iiop://localhost:2810"),
     fixed(),
     "on: an object tells operators the ORB's state, for takt top and takt metrics, at "
     "iiop://localhost:2810. ENDPOINT: at that endpoint. changes: clients of the object may change options. "
     "remote: the endpoint may be one that other machines reach. The program must have chosen "
     "takt::add_admin()."},
    {"Reflection", choice<on_or_off, &S::runtime, &RuntimeOptions::reflection>(), fixed(),
     "on: objects answer _interface with a description of their operations and types, which takt call, list "
     "and describe use instead of IDL files. The program must have chosen takt::add_reflection()."},
    {"ServerId", Text{at<&S::runtime, &RuntimeOptions::server_id>, "TEXT"}, fixed(),
     "The name of the server that interceptors see, as server_id of requests and of adapters."},
    {"Tracing", Text{at<&S::runtime, &RuntimeOptions::tracing>, "off or RATIO"}, fixed(),
     "The traces that calls belong to. RATIO: the part of the traces beginning in this ORB that is recorded, "
     "from 0 to 1. 0: the ORB goes on with traces that others have begun, and begins none. off: it does "
     "neither. The program must have chosen takt::add_tracing()."},
    {"TraceSampleOn", set_of<kept_failures, &S::runtime, &RuntimeOptions::trace_sample_on>(", "), fixed(),
     "Spans that are also kept if Tracing has not chosen their trace: those of calls and requests that end "
     "with a system exception, or that miss their deadline. All calls then carry their trace.",
     trace_sample_conflicts},
    {"TraceFile", Text{at<&S::runtime, &RuntimeOptions::trace_file>, "FILE"}, fixed(),
     "The file that keeps the newest spans of recorded traces, for takt trace. They survive the end of the "
     "process, however it ends. %p in the name stands for the process's number. A file of an earlier process "
     "is replaced.",
     trace_file_conflicts},
    {"TraceSpans", Count{at<&S::runtime, &RuntimeOptions::trace_spans>, 16, 16777216, "spans"}, fixed(),
     "The number of spans that TraceFile keeps. Each takes 256 octets."},
    {"Recorder", Bytes{at<&S::runtime, &RuntimeOptions::recorder_bytes>, 64 * KiB, 64 * GiB, true}, fixed(),
     "The size of the file in which the ORB keeps the newest messages that pass on its connections, for takt "
     "record. They survive the end of the process, however it ends. 0: nothing is recorded. The program must "
     "have chosen takt::add_recorder()."},
    {"RecorderFile", Text{at<&S::runtime, &RuntimeOptions::recorder_file>, "FILE"}, fixed(),
     "The file of Recorder. %p in the name stands for the process's number. The recording of a process that "
     "has ended is replaced. Without a name: /dev/shm/takt-UID/PROGRAM.N.recording, where N from 1 to 8 is "
     "new, or that of the oldest one.",
     recorder_file_conflicts},
    {"RecorderMessageSize", Bytes{at<&S::runtime, &RuntimeOptions::recorder_message_bytes>, 64, 4 * GiB - 1},
     fixed(),
     "The octets that Recorder keeps of a message at most. No more than the part of its file that is an "
     "eighth."},
    {"RecorderDumpOn", set_of<dump_causes, &S::runtime, &RuntimeOptions::recorder_dump_on>(", "), fixed(),
     "The ORB copies the recording to a file of its own when a call or a request ends with a system "
     "exception, when it has missed its deadline, or when the process gets SIGUSR1. A thread of the lowest "
     "priority does it.",
     recorder_dump_conflicts},
    {"RecorderDumpFolder", Text{at<&S::runtime, &RuntimeOptions::recorder_dump_folder>, "FOLDER"}, fixed(),
     "The folder for these files, which are PROGRAM.N.dump. Without it: /dev/shm/takt-UID."},
    {"RecorderDumps", Count{at<&S::runtime, &RuntimeOptions::recorder_dumps>, 1, 1000, "files"}, fixed(),
     "The number of these files. When it is reached, the oldest one is replaced."},
    {"RecorderDumpInterval", Duration{at<&S::runtime, &RuntimeOptions::recorder_dump_interval>, 1ms, 8760h},
     fixed(), "The least time between two of them. Events that come earlier wait, and share the next one."},
    {"LogLevel", choice<log_levels, &S::runtime, &RuntimeOptions::log_level>(),
     set_live("at once; trace, and octets-left in clients, for connections that are opened later",
              &RunningOrb::change_log_level),
     "The events that the ORB logs. Each level includes the ones before it. info: connections, refusals and "
     "missed deadlines. debug: forwarded, repeated and failed calls. trace: messages."},
    {"LogFile", Text{at<&S::runtime, &RuntimeOptions::log_file>, "FILE, stderr or journal"}, fixed(),
     "The destination of the log. FILE: the ORB appends to it, and reopens it on HUP (Signals). journal: the "
     "system's journal. journal:SOCKET: a journal that listens elsewhere."},
    {"LogFormat", choice<log_formats, &S::runtime, &RuntimeOptions::log_format>(), fixed(),
     "The form of each line of the log. json: one object per line."},
};

}  // namespace takt::orb::table
