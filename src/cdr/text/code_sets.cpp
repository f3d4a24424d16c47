#include <takt/cdr/code_sets.h>

#include <algorithm>

namespace takt::cdr {

namespace {

bool contains(const std::vector<CodeSetId>& list, CodeSetId id) {
  return std::find(list.begin(), list.end(), id) != list.end();
}

std::optional<CodeSetId> choose(const CodeSetComponent& client, const CodeSetComponent& server,
                                CodeSetId fallback) {
  if (client.native == server.native) return client.native;
  if (contains(client.conversion, server.native)) return server.native;
  if (contains(server.conversion, client.native)) return client.native;
  for (const CodeSetId id : server.conversion)
    if (contains(client.conversion, id)) return id;
  if (server.native == CodeSetId::none) return std::nullopt;
  return fallback;
}

}  // namespace

const CodeSetComponentInfo& native_code_sets() {
  static const CodeSetComponentInfo info{{CodeSetId::utf_8, {CodeSetId::iso_8859_1, CodeSetId::iso_646}},
                                         {CodeSetId::utf_16, {}}};
  return info;
}

std::optional<CodeSets> negotiate(const CodeSetComponentInfo& client, const CodeSetComponentInfo& server) {
  const auto narrow = choose(client.narrow, server.narrow, CodeSetId::utf_8);
  if (!narrow) return std::nullopt;
  // A server without a wide code set can still be called, but not with wide characters.
  const auto wide = choose(client.wide, server.wide, CodeSetId::utf_16).value_or(CodeSetId::none);
  return CodeSets{*narrow, wide};
}

}  // namespace takt::cdr
