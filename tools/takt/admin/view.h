// The state of an ORB as people read it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "Takt_AdminC.h"
#include "common/output.h"

namespace takt::command {

// One operation between two looks, or since the ORB's start.
struct OperationRow {
  std::string name;  // "Bank::Account::balance"
  std::uint64_t calls = 0, exceptions = 0;
  double calls_per_second = 0;
  std::optional<std::chrono::nanoseconds> median, p99, longest;
};

struct View {
  Takt::Admin::State state;
  bool since_start = true;               // there was no look before
  double seconds = 0;                    // the time that the rows are about
  std::vector<OperationRow> operations;  // the most frequent first; those without calls are left out
};

// `before`: the last look at the same ORB. If the ORB was restarted since, the view is since its start.
View view_of(const std::optional<Takt::Admin::State>& before, const Takt::Admin::State& now);

// Lines of at most `columns` characters; of the operations, as many as fit into `lines`. Names come from the
// ORB: what is not printable ASCII becomes a question mark. 0: no limit.
std::string text_of(const View& view, std::size_t columns, std::size_t lines);
// All of the state, with times in ns.
Json json_of(const View& view);

}  // namespace takt::command
