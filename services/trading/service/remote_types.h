// The types of a repository in another process, which an administrator has set.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <takt/corba.h>

#include "trading/model/limits.h"
#include "trading/model/types.h"

namespace takt::trading {

// Thread-safe. No lock is held during calls, each of which has the limit `link_timeout`. A repository that
// has not answered is left alone for `link_pause`: TRANSIENT at once. All functions throw TRANSIENT if it
// does not answer, and IMP_LIMIT or BAD_TYPECODE for types that no trader could use.
class RemoteTypes {
  using Clock = std::chrono::steady_clock;
  using Repository = CORBA::object_reference<TypeRepository>;

 public:
  RemoteTypes(const CORBA::object_reference<CORBA::Object>& repository, const Limits& limits);

  const CORBA::object_reference<CORBA::Object>& reference() const { return reference_; }
  // As the repository has it now. UnknownServiceType, IllegalServiceType.
  TypePtr described(const std::string& name);
  // Without a call if the type is known and the repository has added none since, apart from one call for that
  // number. Whether it is masked, or has been removed, may be out of date. UnknownServiceType,
  // IllegalServiceType.
  TypePtr find(const std::string& name);
  // The types, among those with the names, that extend the type, directly or not, as find() sees them.
  // TRANSIENT, too, if `end` comes first; another call then continues.
  std::vector<TypePtr> extending(const std::string& type, const std::vector<std::string>& names,
                                 Clock::time_point end);

 private:
  // The answer to a call of the repository.
  template <class Call>
  auto answer(const Call& call);
  // Forgets what the repository has added anew.
  void refresh();
  // All, unless it is known what was added.
  void forget(Incarnation now, const std::optional<std::vector<std::string>>& added);
  // Null: the repository does not have it.
  TypePtr looked_up(const std::string& name);
  TypePtr read(const std::string& name, const TypeRepository::TypeStruct& full) const;
  void keep(std::uint64_t version, const std::string& name, const TypePtr& type);

  const CORBA::object_reference<CORBA::Object> reference_;
  const Repository repository_;  // with the time limit
  const Limits limits_;
  mutable std::mutex mutex_;  // guards what follows
  std::map<std::string, TypePtr> known_;
  Incarnation incarnation_ = 0;  // no type of known_ was added after it
  std::uint64_t version_ = 0;    // changes when types are forgotten
  Clock::time_point silent_until_{};
};

}  // namespace takt::trading
