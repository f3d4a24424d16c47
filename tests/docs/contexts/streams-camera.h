// C++23
// IDL: idl/CosPropertyService.idl
// IDL: idl/AVStreams.idl
// IDL: idl/Takt_Streams.idl
#pragma once

#include "plain.h"
#include "streams/service/stream_device.h"

class Camera final : public takt::streams::FrameSource {
 public:
  std::span<const std::uint8_t> frame(std::uint64_t number) override;
};
