// A stream that harms messages which it sends.
#pragma once

#include <memory>

#include <takt/transport/stream.h>

#include "faults/fault_source.h"

namespace takt::faults {

// Wraps another stream. The faults of `source` happen to the requests and replies that are written; what is
// read passes as it is. A delayed message keeps the thread that writes it. The stream has no memory without
// copies.
std::unique_ptr<transport::Stream> faulty_stream(std::unique_ptr<transport::Stream> stream,
                                                 std::shared_ptr<FaultSource> source);

}  // namespace takt::faults
