// Exceptions of asynchronous calls that go to handlers in other processes. No type of either mapping is named
// here.
#pragma once

#include <takt/classic/wire.h>

namespace takt {
namespace classic {

class ArrivedException;

// Writes a holder's state. `write` writes the members, or the minor code and completion status.
void write_holder(Writer& out, bool is_system, const char* id,
                  void (*write)(Writer& out, const void* exception), const void* exception);
// Reads it; the caller's.
ArrivedException* read_holder(Reader& in);
void free_holder(ArrivedException* holder);
void write_again(Writer& out, const ArrivedException& holder);
// Throws an exception of the classic mapping.
void raise_arrived(ArrivedException& holder);

}  // namespace classic
}  // namespace takt
