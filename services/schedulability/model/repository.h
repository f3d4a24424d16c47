// The registered operations of one application.
#pragma once

#include <expected>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schedulability/model/types.h"

namespace takt::scheduling {

enum class RegistrationError {
  duplicate_name,    // DUPLICATE_NAME
  unknown_task,      // UNKNOWN_TASK: no operation has this handle or name
  bad_name,          // empty, or contains a control character
  negative_time,     //
  time_too_long,     // over longest_time
  execution_order,   // the typical or the cached time exceeds the worst case
  bad_count,         // invalid number of threads or calls
  bad_processor,     // negative
  bad_transaction,   // an offset beyond the period, or a transaction without a period
  bad_burst,         // no period, more releases than fit into it, or a distance without a burst
  bad_lock,          // a lock or lane without a usable name, a lock that is listed twice or never held
  bad_chain,         // a chain without a usable name, limits or operations
  bad_reservation,   // a reservation without a usable name, budget, period or processor
  own_dependency,    // an operation depends on itself
  double_dependency  // the same dependency was added before
};
using RegistrationFault = Fault<RegistrationError>;

// The index in infos() of a valid handle's RtInfo.
constexpr std::size_t index_of(Handle handle) { return static_cast<std::size_t>(handle) - 1; }

// Holds RtInfos by value. Not thread-safe. Allocates. An operation that fails changes nothing.
class Repository {
 public:
  // The function names are those of the paper's Scheduler. Use the fully qualified operation name as entry
  // point.
  std::expected<Handle, RegistrationFault> create(std::string_view entry_point);
  std::expected<Handle, RegistrationFault> lookup(std::string_view entry_point) const;
  std::expected<const RtInfo*, RegistrationFault> get(Handle handle) const;  // valid until the next create()
  std::expected<void, RegistrationFault> set(Handle handle, const Requirements& requirements);
  std::expected<void, RegistrationFault> add_dependency(Handle handle, Handle dependency,
                                                        std::int64_t number_of_calls,
                                                        DependencyType type = DependencyType::two_way);

  std::expected<void, RegistrationFault> add_chain(Chain chain);

  std::expected<void, RegistrationFault> add_reservation(Reservation reservation);

  std::span<const Reservation> reservations() const { return reservations_; }
  std::span<const Chain> chains() const { return chains_; }
  std::span<const RtInfo> infos() const { return infos_; }  // each at its index_of()
  const RtInfo& operator[](Handle handle) const { return infos_[index_of(handle)]; }
  RtInfo& at_valid(Handle handle) { return infos_[index_of(handle)]; }

 private:
  std::expected<void, RegistrationFault> check(Handle handle) const;

  std::vector<RtInfo> infos_;
  std::vector<Chain> chains_;
  std::vector<Reservation> reservations_;
  std::map<std::string, Handle, std::less<>> handles_;
};

}  // namespace takt::scheduling
