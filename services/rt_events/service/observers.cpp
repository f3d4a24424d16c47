#include "rt_events/service/observers.h"

#include <utility>
#include <vector>

namespace takt::rt_events {

struct Observers::Shared {
  Shared(const events::Limits& of_limits, Kinds of_kinds) : limits(of_limits), kinds(std::move(of_kinds)) {}
  bool has(Handle handle) const {
    const std::lock_guard lock(mutex);
    return all.contains(handle);
  }

  const events::Limits& limits;
  const Kinds kinds;
  mutable std::mutex mutex;
  Handle last = 0;
  std::map<Handle, std::shared_ptr<Told>> all;
};

// An observer, and what it has yet to be told.
class Observers::Told final : public events::Task, public std::enable_shared_from_this<Told> {
 public:
  using Reference = CORBA::object_reference<RtecEventChannelAdmin::Observer>;

  Told(Handle handle, Reference observer, const std::shared_ptr<Shared>& shared)
      : handle_(handle),
        observer_(std::move(observer)),
        shared_(shared),
        health_(shared->limits, Clock::now()) {}

  void note(Declared kinds, events::Dispatcher& dispatcher) {
    {
      const std::lock_guard lock(mutex_);
      (kinds == Declared::subscriptions ? subscriptions_due_ : publications_due_) = true;
      if (std::exchange(scheduled_, true)) return;
    }
    dispatcher.ready(shared_from_this());
  }
  events::Standing standing() const override { return health_.standing(); }

  std::optional<Clock::time_point> run() override {
    const auto shared = shared_.lock();
    if (!shared || !shared->has(handle_)) return {};
    bool subscriptions = false, publications = false;
    {
      const std::lock_guard lock(mutex_);
      subscriptions = std::exchange(subscriptions_due_, false);
      publications = std::exchange(publications_due_, false);
    }
    const events::Answer answer = events::answer_of([&] {
      if (subscriptions) observer_->update_consumer(consumer_qos(shared->kinds(Declared::subscriptions)));
      if (publications) observer_->update_supplier(supplier_qos(shared->kinds(Declared::publications)));
    });
    const std::lock_guard lock(mutex_);
    const auto verdict = health_.note(answer, Clock::now());
    if (verdict.drops) {  // stays scheduled, so that it is not called again
      const std::lock_guard removing(shared->mutex);
      shared->all.erase(handle_);
      return {};
    }
    if (verdict.wait) {
      subscriptions_due_ |= subscriptions;
      publications_due_ |= publications;
      return verdict.wait;
    }
    if (subscriptions_due_ || publications_due_) return Clock::time_point::min();
    scheduled_ = false;
    return {};
  }

 private:
  const Handle handle_;
  const Reference observer_;
  const std::weak_ptr<Shared> shared_;
  std::mutex mutex_;
  bool scheduled_ = false;  // it is ready, running, or waits for a time
  bool subscriptions_due_ = false, publications_due_ = false;
  events::Health health_;
};

Observers::Observers(events::Dispatcher& dispatcher, const events::Limits& limits, Kinds kinds)
    : dispatcher_(dispatcher), shared_(std::make_shared<Shared>(limits, std::move(kinds))) {}

Observers::~Observers() = default;

Observers::Handle Observers::append(const CORBA::object_reference<RtecEventChannelAdmin::Observer>& observer,
                                    std::size_t most) {
  std::shared_ptr<Told> added;
  Handle handle = 0;
  {
    const std::lock_guard lock(shared_->mutex);
    if (shared_->all.size() >= most) return 0;
    while (shared_->last == 0 || shared_->all.contains(shared_->last)) ++shared_->last;
    handle = shared_->last++;
    added = std::make_shared<Told>(handle, observer, shared_);
    shared_->all.emplace(handle, added);
  }
  added->note(Declared::subscriptions, dispatcher_);
  added->note(Declared::publications, dispatcher_);
  return handle;
}

bool Observers::remove(Handle handle) {
  const std::lock_guard lock(shared_->mutex);
  return shared_->all.erase(handle) > 0;
}

void Observers::clear() {
  const std::lock_guard lock(shared_->mutex);
  shared_->all.clear();
}

void Observers::changed(Declared kinds) {
  std::vector<std::shared_ptr<Told>> all;
  {
    const std::lock_guard lock(shared_->mutex);
    for (const auto& [handle, each] : shared_->all) all.push_back(each);
  }
  for (const auto& each : all) each->note(kinds, dispatcher_);
}

std::size_t Observers::size() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->all.size();
}

}  // namespace takt::rt_events
