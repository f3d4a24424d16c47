#include "groups/groups.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include <takt/cdr/exception.h>

#include "client/channel/failure.h"
#include "server/server.h"
#include "threads/thread.h"

namespace takt::groups {

namespace {

std::pair<std::string, std::uint16_t> place_of(const giop::HostPort& address) {
  return {address.host, address.port};
}

}  // namespace

Groups::Groups(client::Client& client, server::Server& server, transport::miop::GroupOptions options,
               std::function<void()> begin_thread)
    : client_(client),
      server_(server),
      options_(std::move(options)),
      begin_thread_(std::move(begin_thread)) {}

std::optional<client::ConnectionOverride::KeyedStrategy> Groups::connection_for(
    const reference::Route&, const reference::Route::Address& address, const reference::ConnectionKey& usual,
    bool) {
  if (address.protocol != giop::group_profile) return std::nullopt;
  return KeyedStrategy{&mux_, usual};
}

[[gnu::cold]] void Groups::associate(const giop::GroupProfile& to, ByteView object_key) {
  std::lock_guard lock(mutex_);
  if (stopped_) client::throw_orb_down();
  auto found = readers_.find(place_of(to.address));
  if (found == readers_.end())
    found = readers_.emplace(place_of(to.address), start_reading(to.address)).first;
  GroupReader& reader = *found->second;
  auto members = *reader.members();
  const auto is_it = [&](const GroupMember& member) { return member.is(to.group, object_key); };
  if (std::ranges::any_of(members, is_it)) return;
  members.push_back({to.group, {object_key.begin(), object_key.end()}});
  reader.set_members(std::move(members));
}

[[gnu::cold]] bool Groups::disassociate(const giop::GroupProfile& from, ByteView object_key) {
  std::lock_guard lock(mutex_);
  const auto found = readers_.find(place_of(from.address));
  if (found == readers_.end()) return false;
  GroupReader& reader = *found->second;
  auto members = *reader.members();
  const auto is_it = [&](const GroupMember& member) { return member.is(from.group, object_key); };
  if (std::erase_if(members, is_it) == 0) return false;
  const bool last = members.empty();
  reader.set_members(std::move(members));
  if (last) {
    reader.close();
    readers_.erase(found);
  }
  return true;
}

std::vector<std::vector<std::uint8_t>> Groups::members(const giop::GroupProfile& of) const {
  std::lock_guard lock(mutex_);
  std::vector<std::vector<std::uint8_t>> keys;
  const auto found = readers_.find(place_of(of.address));
  if (found == readers_.end()) return keys;
  const auto members = found->second->members();
  for (const GroupMember& member : *members)
    if (same_group(member.group, of.group)) keys.push_back(member.object_key);
  return keys;
}

// Precondition: the mutex is held.
std::shared_ptr<GroupReader> Groups::start_reading(const giop::HostPort& at) {
  auto receiver = transport::miop::GroupReceiver::open({"miop", at.host, at.port}, options_,
                                                       client_.references.connections.streams);
  if (!receiver) throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, receiver.error().text);
  auto reader = std::make_shared<GroupReader>(std::move(*receiver));
  {
    std::lock_guard lock(running_->mutex);
    ++running_->threads;
  }
  const auto ended = [](Running& running) {
    std::lock_guard lock(running.mutex);
    --running.threads;
    running.changed.notify_all();
  };
  auto thread = os::Thread::start(
      {.name = "takt-group", .use = ThreadUse::upcalls},
      [reader, ended, running = running_, server = server_.shared(), begin = begin_thread_]() mutable {
        if (begin) begin();
        reader->run(*server);
        reader.reset();
        server.reset();
        ended(*running);
      });
  if (!thread) {
    ended(*running_);
    throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO, "the system has no thread left to read the group with");
  }
  thread->detach();
  return reader;
}

void Groups::stop(std::chrono::nanoseconds bound) {
  {
    std::lock_guard lock(mutex_);
    stopped_ = true;
    for (const auto& reader : readers_ | std::views::values) reader->close();
    readers_.clear();
  }
  std::unique_lock lock(running_->mutex);
  running_->changed.wait_for(lock, std::min<std::chrono::nanoseconds>(bound, std::chrono::hours(24)),
                             [this] { return running_->threads == 0; });
}

}  // namespace takt::groups
