// Servants with 1, 10 and 100 operations that report which was called.
#pragma once

#include <takt/corba.h>

#include <cstdint>

#include "demux/operations.h"
#include "demuxS.h"

struct Reached {
  std::uint32_t object, operation;
};
inline thread_local Reached reached{};

template <class Interface>
class DemuxServant : public virtual CORBA::servant_traits<Interface>::base_type {
 public:
  explicit DemuxServant(std::uint32_t number) : number_(number) {}

 protected:
  void reach(std::uint32_t operation) { reached = {number_, operation}; }

 private:
  const std::uint32_t number_;
};

template <std::size_t Operations>
struct Demuxed;  // Interface and Servant with that many operations

// The number with the digits that follow a 1.
constexpr std::uint32_t number_after_one(std::uint32_t digits) {
  return digits - (digits < 1000 ? 100 : 1000);
}

#define DEMUX_OPERATION(number) \
  void operation_##number() override { this->reach(number_after_one(1##number)); }
#define DEMUX_SERVANT(count)                         \
  template <>                                        \
  struct Demuxed<count> {                            \
    using Interface = Demux::Operations##count;      \
    struct Servant final : DemuxServant<Interface> { \
      using DemuxServant::DemuxServant;              \
      DEMUX_OPERATIONS_##count(DEMUX_OPERATION)      \
    };                                               \
  };
DEMUX_SERVANT(1)
DEMUX_SERVANT(10)
DEMUX_SERVANT(100)
