// Polled calls of the runtime, as the classic mapping makes them. No type of either mapping is named here.
// Functions throw exceptions of the classic mapping.
#pragma once

#include <cstddef>
#include <cstdint>

#include "classic_async/bridge/asynchronous_calls.h"

namespace takt {
namespace classic {

class PolledCall;
class PolledCalls;

namespace polled {

using asynchronous::Copy;
using asynchronous::Deliver;
using asynchronous::Release;

// Kept for ever.
const void* make_type(const Operation& operation, Deliver deliver, Release release, Copy copy);

PolledCall* make_call(Reference* target, const void* type);
// For replies of dynamic requests. Only for sets, is_ready() and free_call().
PolledCall* make_dynamic(PolledCalls& set);
void free_call(PolledCall* call);
// Tells the runtime's pollables apart.
const void* key(const PolledCall& call);
// Makes a Sending in the memory, whose outcome the call gets. See asynchronous::end_sending() and those
// beside.
void begin_sending(void* memory, std::size_t size, Reference* target, const void* type, PolledCall& call);

bool is_ready(PolledCall& call, std::uint32_t timeout);
// As it is named on the wire.
const char* operation(const PolledCall& call);
// Waits for the outcome, which is valid as long as the call.
DeliveredReply& take(PolledCall& call, const char* operation, std::uint32_t timeout);
void note_raised(PolledCall& call);
bool is_from_poller(const PolledCall& call);
// Null: none. Takes over the handler, also if it throws.
void use_handler(PolledCall& call, const void* type, void* handler);

PolledCalls* make_set();
void free_set(PolledCalls* set);
void add(PolledCalls& set, PolledCall& call);
// The key of a call that is ready. Null if the set is empty.
const void* take_ready(PolledCalls& set, std::uint32_t timeout);
// False if it was not there.
bool remove(PolledCalls& set, PolledCall& call);
std::uint16_t number_left(PolledCalls& set);

}  // namespace polled
}  // namespace classic
}  // namespace takt
