// A stream that records its system calls as steps of a call.
#pragma once

#include <memory>

#include <takt/transport/stream_wrapper.h>

#include "base/step.h"

namespace takt::probes {

// Wraps another stream and keeps its contract. The class is not in this header, so that compilers do not
// speculate that a stream may be of this class.
std::unique_ptr<transport::Stream> probed_stream(std::unique_ptr<transport::Stream> stream,
                                                 transport::OpenedBy opened_by, std::shared_ptr<StepLog> log);

}  // namespace takt::probes
