#include <takt/reference/quality.h>

#include <algorithm>

#include "reference/context/thread_context.h"

namespace takt {

using reference::ThreadContext;

const Quality* present_quality() noexcept { return ThreadContext::mine().quality(); }

QualityScope::QualityScope(const Quality& quality) : quality_(quality), outer_(present_quality()) {
  if (outer_) quality_.deadline = std::min(quality_.deadline, outer_->deadline);
  ThreadContext::mine().use_quality(&quality_);
}

QualityScope::~QualityScope() { ThreadContext::mine().use_quality(outer_); }

}  // namespace takt
