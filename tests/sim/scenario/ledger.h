// Records what was called, what ran, and what the callers were told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace takt::sim {

// Calls are numbered from 0. One thread runs at a time, so nothing here is locked.
class Ledger {
 public:
  enum class Told : std::uint8_t {
    nothing,    // the call has not ended
    result,     // ran exactly once
    sent,       // a oneway was sent: ran at most once
    not_run,    // COMPLETED_NO
    maybe_run,  // COMPLETED_MAYBE
  };

  Ledger(unsigned clients, unsigned calls) : entries_(std::size_t{clients} * calls) {}

  // Called at the start of an upcall.
  void run(std::uint32_t call);
  // Called at the end of a client's call.
  void end(std::uint32_t call, Told told);
  // Checks that both sides agree. `all_well`: every call must also have run, except unreported losses of
  // oneways if `oneways_lost`. `no_doubt`: no call may be COMPLETED_MAYBE.
  void check(bool all_well, bool oneways_lost, bool no_doubt) const;

  // Octets that are different for each call.
  static std::vector<std::uint8_t> argument(std::uint32_t call, std::size_t octets);
  static std::vector<std::uint8_t> result(std::uint32_t call, std::size_t octets);

 private:
  struct Entry {
    unsigned runs = 0;
    Told told = Told::nothing;
  };
  std::vector<Entry> entries_;
};

}  // namespace takt::sim
