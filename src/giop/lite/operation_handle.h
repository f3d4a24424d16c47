// Where a number of GIOPlite leads in this server.
#pragma once

#include <cstdint>

namespace takt::giop::lite {

// The server's dispatcher remembers here where a number's names led last, so that it need not look them up in
// each request. Only the dispatcher knows what the fields mean, and it checks in each request that they still
// hold. Empty at first. Used by the thread that serves the connection.
struct OperationHandle {
  void* object = nullptr;  // null: nothing is remembered
  void* servant = nullptr;
  void (*operation)() = nullptr;
  const void* admission = nullptr;
  std::uint32_t generation = 0;
};

}  // namespace takt::giop::lite
