// The wrappers around the streams of an ORB.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include <takt/base/append_only_list.h>
#include <takt/transport/stream_wrapper.h>

namespace takt::orb {

// Any thread may wrap, without a lock; one at a time adds.
struct StreamWrappers {
  static constexpr std::size_t most = 8;

  // The recorder is next to the transport, so that it has what passes on the connection.
  std::unique_ptr<transport::Stream> wrap(std::unique_ptr<transport::Stream> stream,
                                          transport::OpenedBy opened_by) const {
    if (recorder) stream = recorder->wrap(std::move(stream), opened_by);
    for (const auto& one : of_plugins.all()) stream = one->wrap(std::move(stream), opened_by);
    return stream;
  }

  std::unique_ptr<const transport::StreamWrapper> recorder;  // set before the ORB has streams; may be null
  AppendOnlyList<const transport::StreamWrapper, most> of_plugins;
};

}  // namespace takt::orb
