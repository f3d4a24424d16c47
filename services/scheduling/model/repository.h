// The operations of one application.
#pragma once

#include <expected>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scheduling/model/types.h"

namespace takt::scheduling {

enum class RegistrationError {
  duplicate_name,    // DUPLICATE_NAME: there is an operation of this name
  unknown_task,      // UNKNOWN_TASK: no operation has this handle or name
  bad_name,          // empty, or with a control character
  negative_time,     //
  time_too_long,     // over longest_time
  execution_order,   // the typical or the cached time is over the worst case
  bad_count,         // of threads or calls
  bad_processor,     // negative
  own_dependency,    // an operation that depends on itself
  double_dependency  // the same one twice
};
using RegistrationFault = Fault<RegistrationError>;

// Where a valid handle's RtInfo is in infos().
constexpr std::size_t index_of(Handle handle) { return static_cast<std::size_t>(handle) - 1; }

// Holds RtInfos by value; whoever calls serialises. Allocates. Nothing that was refused has changed anything.
class Repository {
 public:
  // The names of the paper's Scheduler. The fully qualified name of the operation is suggested.
  std::expected<Handle, RegistrationFault> create(std::string_view entry_point);
  std::expected<Handle, RegistrationFault> lookup(std::string_view entry_point) const;
  std::expected<const RtInfo*, RegistrationFault> get(Handle handle) const;  // until the next create()
  std::expected<void, RegistrationFault> set(Handle handle, const Requirements& requirements);
  std::expected<void, RegistrationFault> add_dependency(Handle handle, Handle dependency,
                                                        std::int64_t number_of_calls,
                                                        DependencyType type = DependencyType::two_way);

  std::span<const RtInfo> infos() const { return infos_; }  // each at its index_of()
  const RtInfo& operator[](Handle handle) const { return infos_[index_of(handle)]; }
  RtInfo& at_valid(Handle handle) { return infos_[index_of(handle)]; }

 private:
  std::expected<void, RegistrationFault> check(Handle handle) const;

  std::vector<RtInfo> infos_;
  std::map<std::string, Handle, std::less<>> handles_;
};

}  // namespace takt::scheduling
