// A stream whose system calls are steps of a call.
#pragma once

#include <cstdint>
#include <memory>

#include <takt/transport/stream.h>

#include "base/step.h"

namespace takt::probes {

enum class ProbedSide : std::uint8_t { client, server };

// Around another stream, whose contract it keeps. Its class is out of sight, lest compilers guess that
// any stream may be one.
std::unique_ptr<transport::Stream> probed_stream(std::unique_ptr<transport::Stream> stream, ProbedSide side,
                                                 std::shared_ptr<StepLog> log);

}  // namespace takt::probes
