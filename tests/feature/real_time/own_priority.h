// The priority of the calling thread.
#pragma once

#include <pthread.h>
#include <sched.h>

#include <cstdint>
#include <string>
#include <thread>

#include <takt/corba.h>
#include <takt/rt/rtcorba.h>

namespace real_time {

struct OwnPriority {
  std::int16_t corba = -1;  // none
  std::int32_t native = 0;
  bool fifo = false;
  std::string thread;  // the thread's name
};

inline OwnPriority own_priority(const CORBA::object_reference<RTCORBA::Current>& current) {
  OwnPriority own;
  try {
    own.corba = current->the_priority();
  } catch (const CORBA::INITIALIZE&) {
  }
  sched_param parameters{};
  int policy = 0;
  ::pthread_getschedparam(::pthread_self(), &policy, &parameters);
  char name[16] = {};
  ::pthread_getname_np(::pthread_self(), name, sizeof name);
  own.native = parameters.sched_priority;
  own.fifo = policy == SCHED_FIFO;
  own.thread = name;
  return own;
}

// Whether this process may use real-time priorities.
inline bool may_run_in_real_time() {
  bool may = false;
  std::thread([&] {
    sched_param parameters{};
    parameters.sched_priority = 1;
    may = ::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &parameters) == 0;
  }).join();
  return may;
}
#define REQUIRE_REAL_TIME() \
  if (!real_time::may_run_in_real_time()) GTEST_SKIP() << "real-time priorities need CAP_SYS_NICE"

}  // namespace real_time
