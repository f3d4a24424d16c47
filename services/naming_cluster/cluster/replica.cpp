#include "naming_cluster/cluster/replica.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

namespace takt::naming {
namespace {

using std::chrono::milliseconds;
using What = Layout::Key::What;

// A change that is known to be there comes within this time, or the watch is asked of another member.
constexpr milliseconds stall{1000};
constexpr milliseconds look_up_interval{200};  // at which a quiet watch is asked whether it is to end
constexpr milliseconds next_watch_pause{100};
constexpr milliseconds page_time{30'000};  // for a page of the tree
constexpr std::uint32_t page_keys = 1000;
constexpr std::size_t most_line_bytes = etcd::Client::most_answer_bytes;

void put_context(Tree& tree, ContextId id, const std::string& old_key) {
  if (tree.context(id)) return;
  Change created;
  created.action = Change::Action::create;
  created.context = id;
  created.old_key = old_key;
  tree.apply(std::move(created));
}

// Values that are no bindings are foreign to this service: objects without a reference. Their keys are
// compared by changes of these names, which must know their revisions.
void put_binding(Tree& tree, const Layout::Key& key, const etcd::KeyValue& value) {
  auto binding = binding_of(value.value, value.mod_revision);
  if (!binding) binding = Binding{.revision = value.mod_revision};
  if (!tree.context(key.context)) return;
  tree.apply({.action = Change::Action::rebind,
              .context = key.context,
              .key = key.binding,
              .binding = std::move(*binding)});
}

void remove(Tree& tree, const Layout::Key& key) {
  if (key.what == What::binding) {
    if (tree.find(key.context, key.binding))
      tree.apply({.action = Change::Action::unbind, .context = key.context, .key = key.binding});
    return;
  }
  const Context* context = tree.context(key.context);
  if (context && context->bindings.empty())
    tree.apply({.action = Change::Action::destroy, .context = key.context});
}

}  // namespace

Replica::~Replica() {
  stop();
  if (thread_.joinable()) thread_.join();
}

void Replica::stop() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  advanced_.notify_all();
}

std::expected<void, std::string> Replica::start() {
  if (auto done = read(); !done) return done;
  thread_ = std::thread([this] { run(); });
  return {};
}

std::expected<void, std::string> Replica::read() {
  constexpr int most_readings = 10;
  auto done = read_once();
  for (int i = 1; i < most_readings && !done && done.error().compacted; ++i) done = read_once();
  if (!done) return std::unexpected(std::move(done.error().text));
  return {};
}

// A slow link may bring fewer keys in the time that one try has.
std::expected<etcd::RangeAnswer, etcd::Fault> Replica::page_of(const etcd::Range& range, std::uint32_t& keys,
                                                               etcd::Revision at) {
  const auto end = Clock::now() + page_time;
  for (;;) {
    const auto until = keys > 1 ? std::min(end, Clock::now() + large_page_time_) : end;
    auto page = client_.range(range, keys, until, at);
    if (page || keys == 1 || stopping_) return page;
    const etcd::Fault& fault = page.error();
    if (!fault.too_long && (Clock::now() < until || until == end)) return page;
    if (fault.too_long || fault.timed_out) keys = std::max(keys / 8, 1U);
  }
}

// All pages are of the revision that the first one has. Contexts come before bindings.
std::expected<void, etcd::Fault> Replica::read_once() {
  Tree fresh;
  etcd::Revision at = 0, fence = 0;
  etcd::Range rest = layout_.all();
  std::uint32_t keys = page_keys;
  for (bool more = true; more;) {
    if (stopping_) return std::unexpected(etcd::Fault{.text = "the service ends"});
    auto page = page_of(rest, keys, at);
    if (!page) return std::unexpected(std::move(page.error()));
    if (at == 0) at = page->revision;
    for (const etcd::KeyValue& each : page->values) {
      const auto key = layout_.parsed(each.key);
      if (!key) continue;
      if (key->what == What::fence) fence = each.mod_revision;
      if (key->what == What::context) put_context(fresh, key->context, each.value);
      if (key->what == What::binding) put_binding(fresh, *key, each);
    }
    more = page->more && !page->values.empty();
    if (more) rest.key = page->values.back().key + '\0';
  }
  {
    const std::unique_lock lock(tree_mutex_);
    std::swap(tree_, fresh);
    fence_ = fence;
  }
  const std::lock_guard lock(mutex_);
  revision_ = std::max(revision_, at);
  forgotten_ = false;
  behind_since_.reset();
  ++readings_;
  advanced_.notify_all();
  return {};
}

void Replica::pause() {
  std::unique_lock lock(mutex_);
  advanced_.wait_for(lock, next_watch_pause, [&] { return stopping_.load(); });
}

void Replica::run() {
  bool whole = true;  // the tree is that of a revision from which it can be followed
  while (!stopping_) {
    try {
      if (forgotten_) whole = false;
      if (!whole) whole = read().has_value();
      if (whole) whole = follow();
    } catch (const std::bad_alloc&) {
      whole = false;
    }
    if (!stopping_) pause();
  }
}

bool Replica::follow() {
  stalls_ = false;
  const auto stream = client_.watch(layout_.all(), revision() + 1);
  std::string received;
  while (!stopping_ && !stalls_ && !forgotten_) {
    auto more = stream->read(look_up_interval);
    if (!more) return true;
    const std::size_t searched = received.size();
    received += *more;
    if (!take_lines(received, searched)) return false;
  }
  return true;
}

bool Replica::take_lines(std::string& received, std::size_t searched) {
  std::size_t begin = 0;
  for (std::size_t end; (end = received.find('\n', std::max(begin, searched))) != std::string::npos;
       begin = end + 1) {
    if (end == begin) continue;
    const auto answer = etcd::watch_answer(std::string_view(received).substr(begin, end - begin));
    if (!answer) {  // not etcd's: a proxy's page, perhaps
      stalls_ = true;
      return true;
    }
    if (!take(*answer)) return false;
  }
  received.erase(0, begin);
  return received.size() <= most_line_bytes;
}

bool Replica::take(const etcd::WatchAnswer& answer) {
  if (answer.compacted) return false;
  if (answer.canceled) {
    stalls_ = true;  // this member does not serve it
    return true;
  }
  if (answer.events.empty()) return true;
  const etcd::Revision before = revision();
  etcd::Revision newest = before;
  {
    const std::unique_lock lock(tree_mutex_);
    for (const etcd::Event& event : answer.events) {
      if (event.value.mod_revision <= before) continue;
      apply(event);
      newest = std::max(newest, event.value.mod_revision);
    }
  }
  const std::lock_guard lock(mutex_);
  if (forgotten_) return false;
  for (const etcd::Event& event : answer.events)
    if (const auto found = awaited_.find(event.value.value); found != awaited_.end()) found->second = true;
  revision_ = newest;
  behind_since_.reset();
  advanced_.notify_all();
  return true;
}

void Replica::apply(const etcd::Event& event) {
  const auto key = layout_.parsed(event.value.key);
  if (!key) return;
  if (key->what == What::fence) fence_ = event.removed ? 0 : event.value.mod_revision;
  if (key->what != What::context && key->what != What::binding) return;
  if (event.removed)
    remove(tree_, *key);
  else if (key->what == What::context)
    put_context(tree_, key->context, event.value.value);
  else
    put_binding(tree_, *key, event.value);
}

void Replica::forget() {
  const std::lock_guard lock(mutex_);
  forgotten_ = true;
  revision_ = 0;
}

bool Replica::wait_for(etcd::Revision revision, Clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  const auto has = [&] { return revision_ >= revision && !forgotten_; };
  while (!has()) {
    const auto now = Clock::now();
    if (!behind_since_) behind_since_ = now;
    if (now >= *behind_since_ + stall) {
      stalls_ = true;
      behind_since_ = now;  // the next watch gets as long
    }
    if (now >= deadline || stopping_) return false;
    const auto until = std::min(deadline, *behind_since_ + stall);
    advanced_.wait_until(lock, until, [&] { return has() || stopping_; });
  }
  return true;
}

etcd::Revision Replica::revision() const {
  const std::lock_guard lock(mutex_);
  return revision_;
}

Replica::Awaited::Awaited(Replica& replica, std::string mark)
    : replica_(replica), mark_(std::move(mark)), readings_(replica.readings()) {
  const std::lock_guard lock(replica_.mutex_);
  replica_.awaited_.emplace(mark_, false);
}

Replica::Awaited::~Awaited() {
  const std::lock_guard lock(replica_.mutex_);
  replica_.awaited_.erase(mark_);
}

bool Replica::Awaited::has_come() const {
  const std::lock_guard lock(replica_.mutex_);
  return replica_.awaited_.at(mark_);
}

}  // namespace takt::naming
