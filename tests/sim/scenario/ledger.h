// What was asked, what was run, and what the askers were told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace takt::sim {

// Calls have numbers from 0. One thread runs at a time, so nothing here is locked.
class Ledger {
 public:
  enum class Told : std::uint8_t {
    nothing,    // the call has not ended
    result,     // it was run once
    sent,       // a oneway left: at most once
    not_run,    // COMPLETED_NO
    maybe_run,  // COMPLETED_MAYBE
  };

  Ledger(unsigned clients, unsigned calls) : entries_(std::size_t{clients} * calls) {}

  // An upcall begins.
  void run(std::uint32_t call);
  // A client's call is over.
  void end(std::uint32_t call, Told told);
  // All that the two sides say fits together. `all_well`: and every call was run, unless `oneways_lost` that
  // nobody was told of. `no_doubt`: or surely not.
  void check(bool all_well, bool oneways_lost, bool no_doubt) const;

  // Octets that no other call has.
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
