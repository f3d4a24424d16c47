// Limits of calls in the runtime (<takt/classic/timeouts.h>).
#pragma once

#include <cstdint>

namespace takt {
namespace classic {

class OrbHandle;
class Reference;

namespace timeouts {

// The ORB that was made last, of those that are referred to; null if there is none. The caller's.
OrbHandle* present_orb();
// An ORB that the program has made.
void made(OrbHandle& orb);
void set_for_all(std::uint32_t milliseconds);
void set_for(Reference& reference, std::uint32_t milliseconds);
bool set_for_thread(std::uint32_t milliseconds);  // false if there is no ORB
void set_for_connecting(std::uint32_t milliseconds);

}  // namespace timeouts

}  // namespace classic
}  // namespace takt
