#include "server/pipeline/pipeline.h"

#include <ranges>

namespace takt::server {

void Pipeline::begin(Dispatcher& adapter, std::function<void(Dispatcher&)> changed) {
  adapter_ = &adapter;
  changed_ = std::move(changed);
  link();
}

void Pipeline::replace_last(Dispatcher& last) {
  adapter_ = &last;
  link();
}

void Pipeline::put(Place place, Stage* stage) {
  stages_[static_cast<std::size_t>(place)] = stage;
  link();
}

void Pipeline::link() {
  Dispatcher* next = adapter_;
  for (Stage* const stage : stages_ | std::views::reverse) {
    if (!stage) continue;
    stage->next_ = next;
    next = stage;
  }
  changed_(*next);
}

}  // namespace takt::server
