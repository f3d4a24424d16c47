#include "trading/service/request_ids.h"

#include <cstdint>

#include "octets/hex.h"
#include "trading/query/policies.h"

namespace takt::trading {
namespace {

constexpr std::string_view mark("\0takt-proxy-", 12);  // followed by 16 digits
constexpr std::size_t digits = 16;

// FNV-1a.
std::uint64_t hash_of(std::string_view content) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : content) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

std::string_view original_id(std::string_view id) {
  if (id.size() < mark.size() + digits) return id;
  const std::size_t at = id.size() - mark.size() - digits;
  return id.substr(at, mark.size()) == mark ? id.substr(0, at) : id;
}

std::string derived_id(const std::string& of, std::string_view content) {
  const std::string_view original = original_id(of);
  if (original.size() + mark.size() + digits > longest_request_id) return of;
  std::string id(original);
  octets::append_hex(id.append(mark), hash_of(content));
  return id;
}

RequestIds::Running::~Running() {
  if (!has_begun_) return;
  const std::lock_guard lock(ids_.mutex_);
  ids_.running_.erase(original_);
}

std::unique_ptr<RequestIds::Running> RequestIds::Running::begin(RequestIds& ids, const std::string& id) {
  auto running = std::make_unique<Running>(ids, original_id(id));
  const std::lock_guard lock(ids.mutex_);
  if (ids.known_.contains(id) || !ids.running_.insert(running->original_).second) return nullptr;
  running->has_begun_ = true;
  ids.known_.insert(id);
  ids.order_.push_back(id);
  if (ids.order_.size() > ids.most_) {
    ids.known_.erase(ids.order_.front());
    ids.order_.pop_front();
  }
  return running;
}

}  // namespace takt::trading
