#include <takt/reference/failure_codes.h>

#include <atomic>

namespace takt {

namespace {

constinit FailureCodes present;
constinit std::atomic<bool> transient_on_timeout = false;

}  // namespace

void set_failure_codes(const FailureCodes& codes) { present = codes; }
const FailureCodes& failure_codes() { return present; }

void throw_transient_on_timeout(bool does) { transient_on_timeout.store(does, std::memory_order_relaxed); }
bool throws_transient_on_timeout() { return transient_on_timeout.load(std::memory_order_relaxed); }

}  // namespace takt
