// For programs that were written for TAO: the classic IDL to C++ mapping. Each of TAO's headers for
// applications has all of it.
#pragma once

#include <takt/classic/corba.h>
#include <takt/classic/messaging.h>
#include <takt/config/other_orbs.h>
#include <tao/Version.h>

namespace takt {
namespace tao {
namespace {

// The ORBs of programs with this header take TAO's settings.
const struct Behaviour {
  Behaviour() { take_settings_of_tao(); }
} behaviour;

}  // namespace
}  // namespace tao
}  // namespace takt
