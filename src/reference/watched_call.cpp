#include <takt/reference/watched_call.h>

namespace takt::reference {

namespace {
thread_local constinit unsigned watched = 0;
}

WatchedCall::WatchedCall() noexcept { ++watched; }
WatchedCall::~WatchedCall() { --watched; }
bool WatchedCall::any() noexcept { return watched != 0; }

}  // namespace takt::reference
