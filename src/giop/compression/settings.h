// When and how hard messages are compressed.
#pragma once

#include <cstddef>

#include <takt/base/changeable.h>

namespace takt::giop::compression {

// All may change while the ORB runs, by assigning the whole.
struct Settings {
  Changeable<std::size_t> threshold_bytes = 1024;  // messages up to this go as they are
  Changeable<int> level = 1;                       // the method's, from 1, the fastest, to 9, the smallest
};

}  // namespace takt::giop::compression
