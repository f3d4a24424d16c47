// Iterators over servers, for clients of TAO's interface that ask for a few at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>

#include "ImplementationRepositoryS.h"

namespace takt::imr {

// A new iterator beyond the limit ends the oldest. Thread-safe.
class ForeignLists {
 public:
  using List = ::ImplementationRepository::ServerInformationList;
  using Iterator = CORBA::object_reference<::ImplementationRepository::ServerInformationIterator>;

  // The adapter takes ids that are chosen.
  explicit ForeignLists(CORBA::object_reference<PortableServer::POA> adapter)
      : adapter_(std::move(adapter)) {}

  // Leaves the first `how_many` servers in the list, or all for 0. Nil if there are no more.
  Iterator cut(List& servers, std::uint32_t how_many);

 private:
  static constexpr std::size_t most = 16;

  const CORBA::object_reference<PortableServer::POA> adapter_;
  std::atomic<std::uint64_t> last_number_{0};
  std::mutex mutex_;  // guards ids_
  std::deque<PortableServer::ObjectId> ids_;
};

}  // namespace takt::imr
