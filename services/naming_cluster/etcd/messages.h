// The messages of etcd's JSON gateway (v3 API of etcd 3.4 and later) that a client of one tree of keys needs.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace takt::etcd {

// Counts the changes of the whole store; that of a key is the change that wrote it, 0 if it does not exist.
using Revision = std::int64_t;

struct KeyValue {
  std::string key, value;
  Revision mod_revision = 0;
};

// `end` is the first key after the range; empty: the range is the one key.
struct Range {
  std::string key, end{};
};
// The range of all keys with the prefix, which is not empty and does not end with 0xff.
Range with_prefix(std::string prefix);

struct Compare {
  // `revision`: the mod_revision of the key is `revision`. `exists`: the key does. `empty`: no key is in the
  // range.
  enum class What : std::uint8_t { revision, exists, empty };
  What what = What::revision;
  Range range;
  Revision revision = 0;
};
struct Operation {
  enum class What : std::uint8_t { put, remove };
  What what = What::put;
  std::string key, value{};
};
// All `then` if all comparisons hold. If not, `otherwise` is read.
struct Transaction {
  std::vector<Compare> compares;
  std::vector<Operation> then;
  std::vector<Range> otherwise;
};

std::string range_request(const Range& range, std::uint32_t limit, Revision at = 0);
std::string transaction_request(const Transaction& transaction);
std::string watch_request(const Range& range, Revision from);

struct RangeAnswer {
  Revision revision = 0;  // the store's
  std::vector<KeyValue> values;
  bool more = false;
};
struct TransactionAnswer {
  Revision revision = 0;  // the store's after the transaction
  bool succeeded = false;
  std::vector<KeyValue> values;  // from all ranges that were read
};
struct Event {
  bool removed = false;
  KeyValue value;
};
struct WatchAnswer {
  bool canceled = false;
  bool compacted = false;  // the revision asked for is no longer there
  std::string why;         // it was canceled
  std::vector<Event> events;
};
// An error that etcd gives instead of an answer. `code`: of gRPC.
struct Complaint {
  int code = 0;
  std::string text;
};
inline constexpr int code_out_of_range = 11;  // the revision was compacted

// Each fails with the reason if the text is no such message. Numbers may be strings, as protobuf's JSON has
// them, and absent fields have their defaults.
std::expected<RangeAnswer, std::string> range_answer(std::string_view json);
std::expected<TransactionAnswer, std::string> transaction_answer(std::string_view json);
std::expected<WatchAnswer, std::string> watch_answer(std::string_view json);
// For an etcd with users.
std::string authenticate_request(const std::string& user, const std::string& password);
// The token, of visible characters, which authorizes requests.
std::expected<std::string, std::string> token_answer(std::string_view json);
// The request had no token, or one that etcd takes no longer.
bool needs_token(const Complaint& complaint);
// Any text that is no complaint gives one with the code 2 (unknown).
Complaint complaint(std::string_view json);
// The transaction was refused before it was carried out, so it never will be.
bool certainly_refused(const Complaint& complaint);

}  // namespace takt::etcd
