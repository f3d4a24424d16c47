// Options of priorities, lanes and their threads.
#pragma once

#include <algorithm>
#include <string>

#include "orb/options/common.h"

namespace takt::orb::table {

constexpr Named<os::SchedulingClass> scheduling_classes[] = {
    {"fifo", os::SchedulingClass::fifo},
    {"round-robin", os::SchedulingClass::round_robin},
    {"other", os::SchedulingClass::other}};
constexpr Named<rt::PriorityMapping> priority_mappings[] = {{"automatic", rt::PriorityMapping::automatic},
                                                            {"linear", rt::PriorityMapping::linear},
                                                            {"direct", rt::PriorityMapping::direct},
                                                            {"continuous", rt::PriorityMapping::continuous}};
constexpr std::string_view for_lane_queues =
    "at once, and those that wait stay. Only where the lanes have begun with queues, which they keep";
constexpr std::string_view threads_are_there = "the threads that have it are there";

constexpr Conflict scheduling_conflicts[] = {
    {"PriorityMapping",
     [](const S& s) {
       return s.threads.scheduling_class == os::SchedulingClass::other &&
              (s.threads.priority_mapping == rt::PriorityMapping::direct ||
               s.threads.priority_mapping == rt::PriorityMapping::continuous);
     },
     "`other`; `direct` or `continuous`",
     "that class has no priority but 0, so that every other RT-CORBA priority is refused",
     "give SchedulingClass fifo or round-robin, or PriorityMapping linear, which leads all to that 0"},
};
constexpr Conflict lane_queue_conflicts[] = {
    {"Lanes",
     [](const S& s) {
       return s.threads.lanes.empty() && (s.threads.lane_queued_requests | s.threads.lane_queued_octets) != 0;
     },
     "not 0, or LaneQueuedOctets is not; none", "there is no lane whose queue it would bound",
     "give Lanes, or create_threadpool_with_lanes the bounds"},
};
constexpr Conflict borrowing_conflicts[] = {
    {"Lanes", [](const S& s) { return s.threads.lane_borrowing && s.threads.lanes.size() < 2; },
     "`on`; fewer than two", "there is no lower lane from which a thread could come",
     "give Lanes at least two, or LaneBorrowing off"},
};

inline bool lane_is_bound_and_reserved(const S& settings) {
  const auto priority_of = [](const std::string& lane) { return lane.substr(0, lane.find('=')); };
  return std::ranges::any_of(settings.threads.lane_reservations, [&](const std::string& reserved) {
    return std::ranges::count(settings.threads.lane_processors, priority_of(reserved), priority_of) > 0;
  });
}

constexpr Conflict reservation_conflicts[] = {
    {"LaneCpus", lane_is_bound_and_reserved, "the same priority",
     "the system sets time aside only for threads that may run on any processor",
     "leave one of them out for that priority, or bind others with LaneCpus, to other processors"},
};

constexpr Option thread_options[] = {
    {"SchedulingClass", choice<scheduling_classes, &S::threads, &ThreadOptions::scheduling_class>(),
     fixed(threads_are_there), "The system's scheduling class for threads that have an RT-CORBA priority.",
     scheduling_conflicts},
    {"PriorityMapping", choice<priority_mappings, &S::threads, &ThreadOptions::priority_mapping>(),
     fixed(threads_are_there),
     "From RT-CORBA priorities, 0 to 32767, to those of the system: spread evenly over them, the same "
     "number, or 0 being the lowest and 1 the next. automatic: direct once a schedule is installed whose "
     "priorities are all the system's, linear otherwise."},
    {"WatchPriority",
     Count{at<&S::threads, &ThreadOptions::watch_priority>, 0, 99, "SCHED_FIFO priority", true},
     fixed(threads_are_there),
     "The system's priority (SCHED_FIFO) of the thread that keeps timeouts of a second and more, for all "
     "ORBs of the process: the highest that one of them asks for. automatic: one above the highest that the "
     "ORB's lanes, threads and upcalls have had so far. 0: as the thread has that first needs it."},
    {"Lanes",
     Texts{at<&S::threads, &ThreadOptions::lanes>, "PRIORITY=THREADS or PRIORITY=THREADS+DYNAMIC", ",;"},
     set_live("at once, for the most dynamic threads of each lane; the lanes, their priorities and static "
              "threads stay",
              &RunningOrb::change_dynamic_threads),
     "Lanes of the ORB's own thread pool, which serves the root POA and every other one without a "
     "ThreadpoolPolicy: so many threads for requests of that RT-CORBA priority, and at most so many more "
     "while all are busy: 10=4, or 40=2+6. Adapters without a PriorityModelPolicy then run requests at "
     "their clients' priority, and those that have none at the lowest lane's. By default there is no such "
     "pool."},
    {"LaneQueuedRequests",
     Count{at<&S::threads, &ThreadOptions::lane_queued_requests>, 0, 1000000, "requests"},
     set_live(for_lane_queues, derived),
     "Requests that wait in the queue of each lane of Lanes while its threads are busy; more get TRANSIENT. "
     "0, as LaneQueuedOctets: there are no queues, and requests wait in their sockets.",
     lane_queue_conflicts},
    {"LaneQueuedOctets", Bytes{at<&S::threads, &ThreadOptions::lane_queued_octets>, 1 * KiB, 1 * GiB, true},
     set_live(for_lane_queues, derived),
     "Octets of the requests that wait there; more get TRANSIENT. 0: bounded by LaneQueuedRequests alone."},
    {"LaneBorrowing", choice<on_or_off, &S::threads, &ThreadOptions::lane_borrowing>(), fixed(),
     "on: a request that no thread of its lane of Lanes can take is served by an idle one of a lower lane, "
     "which runs at the lane's priority meanwhile; where there are no queues, TRANSIENT if there is none.",
     borrowing_conflicts},
    {"LaneCpus", Texts{at<&S::threads, &ThreadOptions::lane_processors>, "PRIORITY=CPUS", "; "},
     fixed(threads_are_there),
     "Which processors the threads of each lane of that RT-CORBA priority run on, or of a pool without "
     "lanes of that default priority: 40=1, or 10=0,2-3. Only such as the process may use. Others run on "
     "any."},
    {"LaneLoads", Texts{at<&S::threads, &ThreadOptions::lane_loads>, "PRIORITY=BUDGET/PERIOD", ",; "},
     fixed("the existing lanes were admitted with the present ones"),
     "How much processor time the threads of each lane of that RT-CORBA priority need together in each "
     "period: 40=2ms/10ms. A lane that does not fit beside the others is refused with NO_RESOURCES when its "
     "pool is made."},
    {"MaxLaneUtilisation", Count{at<&S::threads, &ThreadOptions::max_lane_utilisation>, 1, 100, "percent"},
     set_live("for lanes that are made from then on", derived),
     "Percent of each processor that the declared loads of lanes may take together."},
    {"LaneReservations",
     Texts{at<&S::threads, &ThreadOptions::lane_reservations>, "PRIORITY=BUDGET/PERIOD", ",; "},
     fixed(threads_are_there),
     "How much processor time the system sets aside in each period for each thread of the lanes of that "
     "RT-CORBA priority, and lets it have at most (SCHED_DEADLINE): 40=2ms/10ms. A lane for which it has "
     "none left is refused with NO_RESOURCES. Needs CAP_SYS_NICE; without, the ORB says so and goes on.",
     reservation_conflicts},
    {"ReserveLaneLoads", choice<on_or_off, &S::threads, &ThreadOptions::reserve_lane_loads>(),
     fixed(threads_are_there),
     "on: the system sets the LaneLoads of a lane aside for each of its threads, as LaneReservations does. "
     "Lanes that LaneCpus binds, and lanes that lend threads, get none. A lane gets it only where all "
     "higher lanes have a reservation with no longer period. Where the system refuses, the ORB says so "
     "once, and that lane and the lower ones run at their priorities alone."},
    {"LockMemory", choice<on_or_off, &S::threads, &ThreadOptions::lock_memory>(),
     fixed("what has been touched already may have left the machine's memory"),
     "on: from ORB_init on, and until the process ends, none of its memory that has been touched leaves the "
     "machine's. Needs CAP_IPC_LOCK or an unlimited RLIMIT_MEMLOCK; without, the ORB says so and goes on."},
    {"StackPrefault", Bytes{at<&S::threads, &ThreadOptions::stack_prefault_bytes>, 4 * KiB, 64 * MiB, true},
     fixed(threads_are_there),
     "How much of its stack each thread of a pool or lane has the system back with memory before it serves, "
     "at most all of it. 0: the stack comes page by page, as upcalls need it."},
};

}  // namespace takt::orb::table
