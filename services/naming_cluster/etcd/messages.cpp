#include "naming_cluster/etcd/messages.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "octets/base64.h"

namespace takt::etcd {
namespace {

using Json = nlohmann::json;

// Thrown where a message is not what it should be, and caught in parsed().
struct Malformed {
  std::string why;
};

// The gateway takes numbers of 64 bits as texts.
Json members(const Range& range) {
  Json json{{"key", octets::to_base64(range.key)}};
  if (!range.end.empty()) json["range_end"] = octets::to_base64(range.end);
  return json;
}

Json json_of(const Compare& compare) {
  Json json = members(compare.range);
  switch (compare.what) {
    case Compare::What::revision:
      json["target"] = "MOD";
      json["mod_revision"] = std::to_string(compare.revision);
      return json;
    case Compare::What::exists:
      json["result"] = "GREATER";
      break;
    case Compare::What::empty:
      break;
  }
  json["target"] = "VERSION";
  json["version"] = "0";
  return json;
}

Json json_of(const Operation& operation) {
  Json json{{"key", octets::to_base64(operation.key)}};
  if (operation.what == Operation::What::remove) return {{"request_delete_range", std::move(json)}};
  json["value"] = octets::to_base64(operation.value);
  return {{"request_put", std::move(json)}};
}

Json json_of(const Range& range) { return {{"request_range", members(range)}}; }

template <class Items>
Json list_of(const Items& items) {
  Json list = Json::array();
  for (const auto& item : items) list.push_back(json_of(item));
  return list;
}

// The member, or null.
const Json* member(const Json& of, const char* name) {
  if (!of.is_object()) throw Malformed{"there is no object"};
  const auto found = of.find(name);
  return found == of.end() || found->is_null() ? nullptr : &*found;
}

std::int64_t number(const Json& of, const char* name) {
  const Json* value = member(of, name);
  if (!value) return 0;
  if (value->is_number_integer() && !(value->is_number_unsigned() && value->get<std::uint64_t>() > INT64_MAX))
    return value->get<std::int64_t>();
  if (value->is_string()) {
    const auto& text = value->get_ref<const std::string&>();
    std::int64_t number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (fault == std::errc() && end == text.data() + text.size() && !text.empty()) return number;
  }
  throw Malformed{std::string(name) + " is no number"};
}

Revision revision(const Json& of, const char* name) {
  const Revision revision = number(of, name);
  if (revision < 0) throw Malformed{std::string(name) + " is negative"};
  return revision;
}

bool flag(const Json& of, const char* name) {
  const Json* value = member(of, name);
  if (value && !value->is_boolean()) throw Malformed{std::string(name) + " is no boolean"};
  return value && value->get<bool>();
}

std::string text(const Json& of, const char* name) {
  const Json* value = member(of, name);
  if (value && !value->is_string()) throw Malformed{std::string(name) + " is no text"};
  return value ? value->get<std::string>() : std::string();
}

std::string octets(const Json& of, const char* name) {
  auto octets = octets::from_base64(text(of, name));
  if (!octets) throw Malformed{std::string(name) + " is no base64"};
  return std::move(*octets);
}

template <class Take>
void for_each(const Json& of, const char* name, const Take& take) {
  const Json* list = member(of, name);
  if (!list) return;
  if (!list->is_array()) throw Malformed{std::string(name) + " is no list"};
  for (const Json& item : *list) take(item);
}

KeyValue key_value(const Json& of) {
  return {
      .key = octets(of, "key"), .value = octets(of, "value"), .mod_revision = revision(of, "mod_revision")};
}

Revision store_revision(const Json& of) {
  const Json* header = member(of, "header");
  if (!header) throw Malformed{"there is no header"};
  return revision(*header, "revision");
}

// Returns the result of `take` for the text, which must be an object.
template <class Take>
auto parsed(std::string_view text, const Take& take)
    -> std::expected<decltype(take(std::declval<const Json&>())), std::string> {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return std::unexpected("etcd's answer is no object of JSON");
  try {
    return take(json);
  } catch (const Malformed& fault) {
    return std::unexpected("etcd's answer cannot be read: " + fault.why);
  }
}

Event event_of(const Json& of) {
  const std::string type = text(of, "type");
  if (!type.empty() && type != "PUT" && type != "DELETE") throw Malformed{"an event of type " + type};
  const Json* value = member(of, "kv");
  if (!value) throw Malformed{"an event without a key"};
  return {.removed = type == "DELETE", .value = key_value(*value)};
}

}  // namespace

Range with_prefix(std::string prefix) {
  std::string end = prefix;
  end.back() = static_cast<char>(static_cast<unsigned char>(end.back()) + 1);
  return {std::move(prefix), std::move(end)};
}

std::string range_request(const Range& range, std::uint32_t limit, Revision at) {
  Json json = members(range);
  json["limit"] = std::to_string(limit);
  if (at) json["revision"] = std::to_string(at);
  return json.dump();
}

std::string transaction_request(const Transaction& transaction) {
  return Json{{"compare", list_of(transaction.compares)},
              {"success", list_of(transaction.then)},
              {"failure", list_of(transaction.otherwise)}}
      .dump();
}

std::string watch_request(const Range& range, Revision from) {
  Json json = members(range);
  json["start_revision"] = std::to_string(from);
  return Json{{"create_request", std::move(json)}}.dump();
}

std::expected<RangeAnswer, std::string> range_answer(std::string_view json) {
  return parsed(json, [](const Json& of) {
    RangeAnswer answer{.revision = store_revision(of), .values = {}, .more = flag(of, "more")};
    for_each(of, "kvs", [&](const Json& value) { answer.values.push_back(key_value(value)); });
    return answer;
  });
}

std::expected<TransactionAnswer, std::string> transaction_answer(std::string_view json) {
  return parsed(json, [](const Json& of) {
    TransactionAnswer answer{
        .revision = store_revision(of), .succeeded = flag(of, "succeeded"), .values = {}};
    for_each(of, "responses", [&](const Json& response) {
      const Json* range = member(response, "response_range");
      if (!range) return;
      for_each(*range, "kvs", [&](const Json& value) { answer.values.push_back(key_value(value)); });
    });
    return answer;
  });
}

std::expected<WatchAnswer, std::string> watch_answer(std::string_view json) {
  return parsed(json, [](const Json& of) {
    const Json* result = member(of, "result");
    WatchAnswer answer;
    if (!result) {  // the gateway's error, in place of a result
      answer.canceled = true;
      const Json* error = member(of, "error");
      answer.why = error && error->is_object() ? text(*error, "message") : "no result";
      return answer;
    }
    answer.canceled = flag(*result, "canceled");
    answer.compacted = number(*result, "compact_revision") != 0;
    answer.why = text(*result, "cancel_reason");
    for_each(*result, "events", [&](const Json& event) { answer.events.push_back(event_of(event)); });
    return answer;
  });
}

std::string authenticate_request(const std::string& user, const std::string& password) {
  return Json{{"name", user}, {"password", password}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::expected<std::string, std::string> token_answer(std::string_view json) {
  constexpr std::size_t most = 8192;
  return parsed(json, [](const Json& of) {
    std::string token = text(of, "token");
    const bool visible = std::ranges::all_of(token, [](char one) { return one > ' ' && one < 0x7f; });
    if (token.empty() || token.size() > most || !visible) throw Malformed{"there is no usable token"};
    return token;
  });
}

bool needs_token(const Complaint& complaint) {
  constexpr int unauthenticated = 16, invalid_argument = 3;
  if (complaint.code == unauthenticated) return true;
  return complaint.code == invalid_argument &&
         (complaint.text.ends_with("user name is empty") || complaint.text.ends_with("auth store is old"));
}

Complaint complaint(std::string_view json) {
  constexpr int unknown = 2;
  constexpr std::size_t most = 200;
  const auto read = parsed(json, [](const Json& of) {
    const auto code = std::clamp<std::int64_t>(number(of, "code"), 0, 99);
    return Complaint{static_cast<int>(code), text(of, "message").substr(0, most)};
  });
  if (!read || read->text.empty())
    return {unknown,
            "an answer that is not etcd's: " +
                Json(std::string(json.substr(0, most))).dump(-1, ' ', true, Json::error_handler_t::replace)};
  return *read;
}

bool certainly_refused(const Complaint& complaint) {
  // Invalid argument, permission denied, resource exhausted, failed precondition, out of range,
  // unimplemented, unauthenticated.
  constexpr std::array<int, 7> codes{3, 7, 8, 9, 11, 12, 16};
  return std::ranges::find(codes, complaint.code) != codes.end();
}

}  // namespace takt::etcd
