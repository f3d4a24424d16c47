#include "naming/service/iterators.h"

#include <algorithm>
#include <shared_mutex>
#include <utility>

#include <takt/adapter/current.h>

#include "naming/model/names.h"
#include "naming/service/refusals.h"
#include "octets/random.h"

namespace takt::naming {
namespace {

CosNaming::Binding listed(const std::string& key, const Binding& binding) {
  CosNaming::Name name;
  name.push_back(component_of(key));
  return {std::move(name),
          binding.is_context() ? CosNaming::BindingType::ncontext : CosNaming::BindingType::nobject};
}

}  // namespace

bool Cursors::list(ContextId context, std::size_t count, std::string& after,
                   CosNaming::BindingList& list) const {
  const std::shared_lock lock(tree_mutex_);
  const Context* in = tree_.context(context);
  if (!in) return false;
  auto at = after.empty() ? in->bindings.begin() : in->bindings.upper_bound(after);
  for (; at != in->bindings.end() && list.size() < count; ++at) {
    list.push_back(listed(at->first, at->second));
    after = at->first;
  }
  return at != in->bindings.end();
}

std::string Cursors::open(ContextId context, std::string after, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  drop_idle(now);
  while (!places_.empty() && places_.size() >= limits_.iterators) {
    by_id_.erase(places_.front().id);
    places_.pop_front();
  }
  std::string id = octets::random_id();
  places_.push_back({id, context, std::move(after), now});
  by_id_.emplace(id, std::prev(places_.end()));
  return id;
}

// Reads the tree without holding the cursors' lock. Two concurrent callers of one iterator may get the same
// bindings.
std::optional<CosNaming::BindingList> Cursors::next(const std::string& id, std::size_t count,
                                                    Clock::time_point now) {
  ContextId context = 0;
  std::string after;
  {
    const std::lock_guard lock(mutex_);
    drop_idle(now);
    const auto found = by_id_.find(id);
    if (found == by_id_.end()) return std::nullopt;
    found->second->used = now;
    places_.splice(places_.end(), places_, found->second);
    context = found->second->context;
    after = found->second->after;
  }
  CosNaming::BindingList list;
  this->list(context, count, after, list);
  const std::lock_guard lock(mutex_);
  if (const auto found = by_id_.find(id); found != by_id_.end()) found->second->after = after;
  return list;
}

bool Cursors::close(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return false;
  places_.erase(found->second);
  by_id_.erase(found);
  return true;
}

std::size_t Cursors::size() const {
  const std::lock_guard lock(mutex_);
  return places_.size();
}

void Cursors::drop_idle(Clock::time_point now) {
  while (!places_.empty() && now - places_.front().used > limits_.iterator_idle) {
    by_id_.erase(places_.front().id);
    places_.pop_front();
  }
}

std::string IteratorServant::id() const {
  const PortableServer::ObjectId id = current_->get_object_id();
  return {id.begin(), id.end()};
}

CosNaming::BindingList IteratorServant::next(std::size_t count) {
  if (!changes_.current_enough()) throw_out_of_date();
  auto list = cursors_.next(id(), count, Cursors::Clock::now());
  if (!list)
    throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the iterator was destroyed, or has expired");
  return std::move(*list);
}

bool IteratorServant::next_one(CosNaming::Binding& binding) {
  CosNaming::BindingList list = next(1);
  if (list.empty()) return false;
  binding = std::move(list.front());
  return true;
}

bool IteratorServant::next_n(std::uint32_t how_many, CosNaming::BindingList& list) {
  if (how_many == 0) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "next_n() needs a number above 0");
  list = next(std::min(how_many, limits_.listed));
  return !list.empty();
}

void IteratorServant::destroy() {
  if (!cursors_.close(id()))
    throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO,
                                  "the iterator was already destroyed, or has expired");
}

}  // namespace takt::naming
