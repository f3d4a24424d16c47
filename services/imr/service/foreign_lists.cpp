#include "imr/service/foreign_lists.h"

#include <algorithm>
#include <string>
#include <utility>

namespace takt::imr {
namespace {

namespace foreign = ::ImplementationRepository;

void deactivate(PortableServer::POA& adapter, const PortableServer::ObjectId& id) {
  try {
    adapter.deactivate_object(id);
  } catch (const PortableServer::POA::ObjectNotActive&) {  // NOLINT(bugprone-empty-catch): it was destroyed
  }
}

class ListServant final
    : public virtual CORBA::servant_traits<foreign::ServerInformationIterator>::base_type {
 public:
  ListServant(ForeignLists::List servers, CORBA::object_reference<PortableServer::POA> adapter,
              PortableServer::ObjectId id)
      : servers_(std::move(servers)), adapter_(std::move(adapter)), id_(std::move(id)) {}

  // False if none is left.
  bool next_n(std::uint32_t how_many, foreign::ServerInformationList& server_list) override {
    const std::lock_guard lock(mutex_);
    const std::size_t left = servers_.size() - next_;
    const std::size_t count = how_many == 0 ? left : std::min<std::size_t>(how_many, left);
    const auto begin = servers_.begin() + static_cast<std::ptrdiff_t>(next_);
    server_list.assign(begin, begin + static_cast<std::ptrdiff_t>(count));
    next_ += count;
    return count != 0;
  }
  void destroy() override { deactivate(*adapter_, id_); }

 private:
  const ForeignLists::List servers_;
  const CORBA::object_reference<PortableServer::POA> adapter_;
  const PortableServer::ObjectId id_;
  std::mutex mutex_;
  std::size_t next_ = 0;
};

}  // namespace

ForeignLists::Iterator ForeignLists::cut(List& servers, std::uint32_t how_many) {
  if (how_many == 0 || servers.size() <= how_many) return nullptr;
  const auto rest = servers.begin() + static_cast<std::ptrdiff_t>(how_many);
  List others(rest, servers.end());
  servers.erase(rest, servers.end());
  const std::string name = "list " + std::to_string(++last_number_);
  const PortableServer::ObjectId id(name.begin(), name.end());
  adapter_->activate_object_with_id(id, CORBA::make_reference<ListServant>(std::move(others), adapter_, id));
  PortableServer::ObjectId oldest;
  {
    const std::lock_guard lock(mutex_);
    ids_.push_back(id);
    if (ids_.size() > most) {
      oldest = ids_.front();
      ids_.pop_front();
    }
  }
  if (!oldest.empty()) deactivate(*adapter_, oldest);
  return IDL::traits<foreign::ServerInformationIterator>::unchecked_narrow(adapter_->id_to_reference(id));
}

}  // namespace takt::imr
