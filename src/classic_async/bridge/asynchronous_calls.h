// Asynchronous calls of the runtime, as the classic mapping makes them. No type of either mapping is named
// here. Functions throw exceptions of the classic mapping.
#pragma once

#include <cstddef>

#include <takt/classic/wire.h>

namespace takt {
namespace classic {

class DeliveredReply;  // a name for the runtime's Reply
struct Operation;
class Reference;

namespace asynchronous {

typedef void (*Deliver)(void* handler, DeliveredReply& reply);
typedef void (*Release)(void* handler);
typedef void (*Copy)(Reader& in, Writer& out);
typedef void (*Raise)(Reader& members);

// Kept for ever.
const void* make_type(const Operation& operation, Deliver deliver, Release release, Copy copy);
const void* know(const char* id, Raise raise);

// Makes a Sending in the memory. Takes over the handler, also if it throws.
void begin_sending(void* memory, std::size_t size, Reference* target, const void* type, void* handler);
void end_sending(void* memory);
Writer& begin_arguments(void* memory);
bool send(void* memory);  // false: once more

bool is_user_exception(const DeliveredReply& reply);
bool raised(const DeliveredReply& reply, const char* repository_id);
void throw_unlisted(const DeliveredReply& reply);
Reader& results(const DeliveredReply& reply);
void finish(const DeliveredReply& reply);

}  // namespace asynchronous
}  // namespace classic
}  // namespace takt
