// When and how hard messages are compressed.
#pragma once

#include <cstddef>

#include <takt/base/live_setting.h>

namespace takt::giop::compression {

// All may change while the ORB runs, by assigning the whole struct.
struct CompressionSettings {
  LiveSetting<std::size_t> threshold_bytes = 1024;  // messages up to this size are not compressed
  LiveSetting<int> level = 1;                       // from 1 (fastest) to 9 (smallest)
};

}  // namespace takt::giop::compression
