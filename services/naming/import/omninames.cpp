#include "naming/import/omninames.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "naming/import/ior_address.h"
#include "naming/model/names.h"
#include "naming/store/references.h"

namespace takt::naming {
namespace {

using Words = std::vector<std::string>;

// Words are separated by spaces. A backslash escapes a separator.
std::optional<Words> words_of(std::string_view line) {
  Words words(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == ' ') {
      words.emplace_back();
    } else if (line[i] != '\\') {
      words.back() += line[i];
    } else {
      if (++i == line.size()) return std::nullopt;
      const auto at = std::string_view("\\ ntr").find(line[i]);
      if (at == std::string_view::npos) return std::nullopt;
      words.back() += "\\ \n\t\r"[at];
    }
  }
  return words;
}

class Reader {
 public:
  explicit Reader(const Limits& limits) : limits_(limits) {}

  // Reads one line. Returns the error, or null.
  const char* take(const Words& words) {
    const std::string& what = words.front();
    if (what == "port" || what == "persistent") return words.size() == 2 ? nullptr : "it must have two words";
    if (what == "create") return words.size() == 2 ? create(words[1]) : "it must have a key and nothing else";
    if (what == "destroy")
      return words.size() == 2 ? destroy(words[1]) : "it must have a reference and nothing else";
    if (what == "bind") return words.size() == 6 ? bind(words) : "it must have five words after its first";
    if (what == "unbind")
      return words.size() == 4 ? unbind(words) : "it must have three words after its first";
    return "its first word is none of port, persistent, create, destroy, bind and unbind";
  }

  ImportedNames finished() && {
    for (auto& [id, context] : names_.contexts)
      for (auto& [key, bound] : context.bindings)
        if (bound.is_context) bound.own_key = own_id_of(bound.reference);
    return std::move(names_);
  }

 private:
  const char* create(const std::string& digits) {
    std::string id = from_hex(digits);
    if (id.empty()) return "its key is not a hexadecimal number";
    if (names_.root.empty()) names_.root = id;
    names_.contexts.try_emplace(std::move(id));
    return nullptr;
  }

  const char* destroy(const std::string& ior) {
    const auto at = context_of(ior);
    if (at == names_.contexts.end()) return "its reference is not to a context that an earlier line created";
    names_.contexts.erase(at);
    return nullptr;
  }

  const char* bind(const Words& words) {
    const auto at = context_of(words[1]);
    if (at == names_.contexts.end())
      return "its first reference is not to a context that an earlier line created";
    const bool is_context = words[4] == "ncontext";
    if (!is_context && words[4] != "nobject") return "it must bind an nobject or an ncontext";
    if (words[2].size() + words[3].size() > limits_.component_bytes) return "its name is too long";
    std::string octets = octets_of_text(words[5]);
    if (octets.empty() || octets.size() > limits_.reference_bytes || !address_in(octets))
      return "its last word is not a reference";
    at->second.bindings.insert_or_assign(
        key_of({words[2], words[3]}),
        ImportedNames::Bound{.is_context = is_context, .own_key = {}, .reference = std::move(octets)});
    return nullptr;
  }

  const char* unbind(const Words& words) {
    const auto at = context_of(words[1]);
    if (at == names_.contexts.end()) return "its reference is not to a context that an earlier line created";
    at->second.bindings.erase(key_of({words[2], words[3]}));
    return nullptr;
  }

  static std::string octets_of_text(const std::string& ior) {
    return ior.starts_with("IOR:") ? from_hex(std::string_view(ior).substr(4)) : std::string();
  }

  // The context that a reference in the file leads to; end() for a reference to another service. The address
  // in references to the file's own contexts is the service's address.
  std::map<std::string, ImportedNames::ImportedContext>::iterator context_of(const std::string& ior) {
    if (const auto known = known_.find(ior); known != known_.end())
      return names_.contexts.find(known->second);
    const auto address = address_in(octets_of_text(ior));
    if (!address) return names_.contexts.end();
    const auto at = by_object_key(address->key);
    if (at == names_.contexts.end()) return at;
    own_addresses_.emplace(address->host, address->port);
    at->second.object_key = address->key;
    known_.emplace(ior, at->first);
    return at;
  }

  // An object key is the context's id. For most contexts, the adapter's name and a zero octet precede the id.
  std::map<std::string, ImportedNames::ImportedContext>::iterator by_object_key(const std::string& key) {
    auto at = names_.contexts.find(key);
    for (const std::size_t before : {std::size_t{2}, key.size() - std::min<std::size_t>(key.size(), 12),
                                     key.size() - std::min<std::size_t>(key.size(), 4)})
      if (at == names_.contexts.end() && before < key.size()) at = names_.contexts.find(key.substr(before));
    return at;
  }

  std::string own_id_of(const std::string& octets) {
    const auto address = address_in(octets);
    if (!address || !own_addresses_.contains({address->host, address->port})) return {};
    const auto at = by_object_key(address->key);
    if (at == names_.contexts.end()) return {};
    at->second.object_key = address->key;
    return at->first;
  }

  const Limits limits_;
  ImportedNames names_;
  std::map<std::string, std::string> known_;  // context ids by the text of references
  std::set<std::pair<std::string, std::uint16_t>> own_addresses_;
};

}  // namespace

std::expected<ImportedNames, std::string> read_omninames(std::string_view text, const Limits& limits) {
  Reader reader(limits);
  std::size_t number = 0;
  while (!text.empty()) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) break;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    ++number;
    const auto words = words_of(line);
    const char* wrong = !words ? "a backslash precedes a character that needs none"
                        : number == 1 && words->front() != "port"
                            ? "an omniNames file must begin with its port"
                            : reader.take(*words);
    if (wrong) return std::unexpected("line " + std::to_string(number) + ": " + wrong);
  }
  if (number == 0) return std::unexpected("the file is empty");
  return std::move(reader).finished();
}

}  // namespace takt::naming
