#include <takt/connection/quality.h>

#include <algorithm>

#include "connection/client/thread_channels.h"

namespace takt {

using connection::ThreadChannels;

const Quality* present_quality() noexcept { return ThreadChannels::mine().quality(); }

QualityScope::QualityScope(const Quality& quality) : quality_(quality), outer_(present_quality()) {
  if (outer_) quality_.deadline = std::min(quality_.deadline, outer_->deadline);
  ThreadChannels::mine().use_quality(&quality_);
}

QualityScope::~QualityScope() { ThreadChannels::mine().use_quality(outer_); }

}  // namespace takt
