#include <takt/reference/failure_codes.h>

namespace takt {

namespace {

constinit FailureCodes present;

}  // namespace

void set_failure_codes(const FailureCodes& codes) { present = codes; }
const FailureCodes& failure_codes() { return present; }

}  // namespace takt
