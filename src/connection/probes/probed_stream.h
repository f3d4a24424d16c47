// A stream whose system calls are steps of a call.
#pragma once

#include <cstdint>
#include <memory>

#include <takt/transport/stream.h>

namespace takt::connection {

class ProbeLog;

enum class ProbedSide : std::uint8_t { client, server };

// Around another stream, whose contract it keeps; the stream itself where there is no log. Its class is out
// of sight, lest compilers guess that any stream may be one.
std::unique_ptr<transport::Stream> probed_stream(std::unique_ptr<transport::Stream> stream, ProbedSide side,
                                                 const std::shared_ptr<ProbeLog>& log);

}  // namespace takt::connection
