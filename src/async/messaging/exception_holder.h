// The holder for exceptions that come when there is no memory for one of their own.
#pragma once

namespace takt::async {

// Makes it, unless it is there. May throw std::bad_alloc.
void prepare_last_holder();

}  // namespace takt::async
