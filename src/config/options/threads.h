// Options of priorities, lanes and their threads.
#pragma once

#include <algorithm>
#include <string>

#include "config/options/common.h"

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
    "at once; requests that already wait stay. Only lanes that were created with queues accept it";
constexpr std::string_view threads_are_there = "the threads that have it are there";

constexpr Conflict scheduling_conflicts[] = {
    {"PriorityMapping",
     [](const S& s) {
       return s.threads.scheduling_class == os::SchedulingClass::other &&
              (s.threads.priority_mapping == rt::PriorityMapping::direct ||
               s.threads.priority_mapping == rt::PriorityMapping::continuous);
     },
     "`other`; `direct` or `continuous`",
     "that class has only priority 0, so that every other RT-CORBA priority is refused",
     "set SchedulingClass to fifo or round-robin, or PriorityMapping to linear, which maps all priorities to "
     "0"},
};
constexpr Conflict lane_queue_conflicts[] = {
    {"Lanes",
     [](const S& s) {
       return s.threads.lanes.empty() && (s.threads.lane_queued_requests | s.threads.lane_queued_octets) != 0;
     },
     "not 0, or LaneQueuedOctets is not; none", "without lanes there is no queue to bound",
     "set Lanes, or pass the bounds to create_threadpool_with_lanes"},
};
constexpr Conflict borrowing_conflicts[] = {
    {"Lanes", [](const S& s) { return s.threads.lane_borrowing && s.threads.lanes.size() < 2; },
     "`on`; fewer than two", "no lower lane could lend a thread",
     "give Lanes at least two lanes, or set LaneBorrowing to off"},
};

inline bool lane_is_bound_and_reserved(const S& settings) {
  const auto priority_of = [](const std::string& lane) { return lane.substr(0, lane.find('=')); };
  return std::ranges::any_of(settings.threads.lane_reservations, [&](const std::string& reserved) {
    return std::ranges::count(settings.threads.lane_processors, priority_of(reserved), priority_of) > 0;
  });
}

constexpr Conflict reservation_conflicts[] = {
    {"LaneCpus", lane_is_bound_and_reserved, "the same priority",
     "the system reserves time only for threads that may run on every processor",
     "omit one of them for that priority, or bind the other lanes to other processors with LaneCpus"},
};

constexpr Option thread_options[] = {
    {"SchedulingClass", choice<scheduling_classes, &S::threads, &PriorityOptions::scheduling_class>(),
     fixed(threads_are_there), "The system's scheduling class of threads that have an RT-CORBA priority.",
     scheduling_conflicts},
    {"PriorityMapping", choice<priority_mappings, &S::threads, &PriorityOptions::priority_mapping>(),
     fixed(threads_are_there),
     "How RT-CORBA priorities, 0 to 32767, map to priorities of the system. linear: spread evenly. direct: "
     "the same number. continuous: 0 is the lowest priority, 1 the next, and so on. automatic: direct once a "
     "schedule is installed whose priorities are all valid in the system, linear otherwise."},
    {"WatchPriority",
     Count{at<&S::threads, &PriorityOptions::watch_priority>, 0, 99, "SCHED_FIFO priority", true},
     fixed(threads_are_there),
     "The SCHED_FIFO priority of the threads that end timeouts of a second and more and those of "
     "asynchronous calls, and that notice the end of connections over shared memory, for all ORBs of the "
     "process. The highest value that an ORB asks for applies. automatic: one above the highest priority "
     "that the ORB's lanes, threads and upcalls have had so far. 0: the priority of the thread that first "
     "started each."},
    {"Lanes",
     Texts{at<&S::threads, &PriorityOptions::lanes>, "PRIORITY=THREADS or PRIORITY=THREADS+DYNAMIC", ",;"},
     set_live("at once, for the number of dynamic threads of each lane; lanes, priorities and static threads "
              "do not change",
              &RunningOrb::change_dynamic_threads),
     "Lanes of the ORB's default thread pool, which serves the root POA and every other POA without a "
     "ThreadpoolPolicy. Each lane has that many threads for requests of its RT-CORBA priority, and up to "
     "that many dynamic threads in addition while all are busy: 10=4, or 40=2+6, with PriorityMapping = "
     "direct. POAs without a PriorityModelPolicy then run requests at their clients' priorities, and "
     "requests "
     "without a priority at that of the lowest lane. By default there is no such pool."},
    {"LaneQueuedRequests",
     Count{at<&S::threads, &PriorityOptions::lane_queued_requests>, 0, 1000000, "requests"},
     set_live(for_lane_queues, derived),
     "The number of requests that may wait in the queue of each lane of Lanes while its threads are busy. "
     "Further ones get TRANSIENT. If this and LaneQueuedOctets are 0, there are no queues, and requests wait "
     "in their sockets.",
     lane_queue_conflicts},
    {"LaneQueuedOctets", Bytes{at<&S::threads, &PriorityOptions::lane_queued_octets>, 1 * KiB, 1 * GiB, true},
     set_live(for_lane_queues, derived),
     "The octets of requests that may wait in that queue. Further ones get TRANSIENT. 0: LaneQueuedRequests "
     "is the only limit."},
    {"LaneBorrowing", choice<on_or_off, &S::threads, &PriorityOptions::lane_borrowing>(), fixed(),
     "on: if all threads of a lane of Lanes are busy, an idle thread of a lower lane serves the request at "
     "the lane's priority. If there are no queues and no thread is idle, the request gets TRANSIENT.",
     borrowing_conflicts},
    {"LaneCpus", Texts{at<&S::threads, &PriorityOptions::lane_processors>, "PRIORITY=CPUS", "; "},
     fixed(threads_are_there),
     "The processors for the threads of the lane with that RT-CORBA priority, or of a pool without lanes "
     "with that default priority: 40=1, or 10=0,2-3. The process must be permitted to use them. Other "
     "threads run on any processor."},
    {"LaneLoads", Texts{at<&S::threads, &PriorityOptions::lane_loads>, "PRIORITY=BUDGET/PERIOD", ",; "},
     fixed("existing lanes were admitted with the present loads"),
     "The processor time that the threads of the lane with that RT-CORBA priority need together in each "
     "period: 40=2ms/10ms. If a lane does not fit beside the others, making its pool throws NO_RESOURCES."},
    {"MaxLaneUtilisation", Count{at<&S::threads, &PriorityOptions::max_lane_utilisation>, 1, 100, "percent"},
     set_live("for lanes that are created later", derived),
     "The percentage of each processor that the declared loads of lanes may take together."},
    {"LaneReservations",
     Texts{at<&S::threads, &PriorityOptions::lane_reservations>, "PRIORITY=BUDGET/PERIOD", ",; "},
     fixed(threads_are_there),
     "The processor time that the system reserves in each period for each thread of the lanes with that "
     "RT-CORBA priority (SCHED_DEADLINE). It is also a limit: 40=2ms/10ms. If no time is left to reserve, "
     "making the pool throws NO_RESOURCES. Needs CAP_SYS_NICE; without it the ORB warns and continues.",
     reservation_conflicts},
    {"ReserveLaneLoads", choice<on_or_off, &S::threads, &PriorityOptions::reserve_lane_loads>(),
     fixed(threads_are_there),
     "on: the system reserves the LaneLoads of a lane for each of its threads, as LaneReservations does. "
     "Lanes that LaneCpus binds and lanes that lend threads have no reservation. A lane has one only if "
     "every higher lane has a reservation with an equal or shorter period. If the system refuses, the ORB "
     "warns once, and that lane and all lower ones run without reservations."},
    {"LockMemory", choice<on_or_off, &S::threads, &PriorityOptions::lock_memory>(),
     fixed("memory that was touched before may already be swapped out"),
     "on: from ORB_init until the process ends, memory that the process has touched stays in RAM. Needs "
     "CAP_IPC_LOCK or an unlimited RLIMIT_MEMLOCK; without them the ORB warns and continues."},
    {"StackPrefault", Bytes{at<&S::threads, &PriorityOptions::stack_prefault_bytes>, 4 * KiB, 64 * MiB, true},
     fixed(threads_are_there),
     "The part of its stack that each thread of a pool or lane touches before it serves, so that the system "
     "backs it with memory. 0: pages are added when upcalls first need them."},
};

}  // namespace takt::orb::table
