// The buffer of a reply that its connection sends.
#pragma once

#include <takt/base/gather_buffer.h>

namespace takt::server {

class AnswerPath;

class ReplyBuffer : public GatherBuffer {
 public:
  using GatherBuffer::GatherBuffer;

  // The way for answers that are given after the upcall has returned; null: there is none. It must outlive
  // each call that uses the buffer.
  AnswerPath* path = nullptr;
};

}  // namespace takt::server
