#pragma once
// IDL: examples/hello/hello.idl

#include "plain.h"

#include <optional>
#include <thread>

#include <takt/orb/parts.h>
#include <takt/tracing/tracing.h>

#include "helloC.h"

inline IDL::traits<Hello::Greeter>::ref_type greeter;
inline bool nothing_found;
