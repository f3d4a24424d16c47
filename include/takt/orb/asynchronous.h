// Settings of an ORB's asynchronous calls (docs/user/asynchronous.md).
#pragma once

#include <takt/async/settings.h>
#include <takt/orb/orb.h>

namespace takt {

// Any thread, any number of times. Throws BAD_PARAM for nil or a limit of 0 calls, and what the ORB itself
// throws after its shutdown.
void use_async_settings(const CORBA::object_reference<CORBA::ORB>& orb, const AsyncSettings& settings);
// How many asynchronous calls of the ORB have no outcome delivered yet.
std::size_t async_calls_under_way(const CORBA::object_reference<CORBA::ORB>& orb);

}  // namespace takt
