#pragma once

#include "plain.h"

#include <chrono>
#include <coroutine>
#include <iostream>

#include <takt/async/pending.h>
#include <takt/async/run_loop.h>
#include <takt/async/sent_scope.h>
#include <takt/async/stop_scope.h>
#include <takt/orb/asynchronous.h>

#include "greetingC.h"

inline IDL::traits<Greeter>::ref_type greeter;

struct Printer : AMI_GreeterHandler {};
struct Job {
  struct promise_type {
    Job get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
