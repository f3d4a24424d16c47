// Which service contexts of recorded requests are sent again.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "giop/contexts/service_context.h"

namespace takt::command {

// Code sets are always sent, since the texts of a request are in them.
class SentContexts {
 public:
  // Each rule is ID, whose contexts are sent, too, or ID=OTHER, whose contexts are sent with that id. Ids are
  // decimal, or hexadecimal with 0x. The error is for people.
  static std::expected<SentContexts, std::string> read(const std::vector<std::string>& rules);

  // The id with which contexts of that id are sent; nullopt: they are not sent.
  std::optional<std::uint32_t> sent_as(std::uint32_t id) const;

 private:
  std::map<std::uint32_t, std::uint32_t> ids_{{giop::code_sets_context, giop::code_sets_context}};
};

}  // namespace takt::command
