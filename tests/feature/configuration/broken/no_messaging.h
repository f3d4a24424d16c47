// A messaging protocol that has a name and a tag, and takes no connection.
#pragma once

#include <stdexcept>
#include <string_view>

#include <takt/orb/plugin.h>

namespace broken {

class NoMessaging final : public takt::giop::MessagingProtocol {
 public:
  NoMessaging(std::string_view name, std::uint32_t tag) : name_(name), tag_(tag) {}
  std::string_view name() const override { return name_; }
  std::uint32_t profile_tag() const override { return tag_; }
  std::unique_ptr<takt::giop::MessageCoder> open(bool of_client) const override {
    if (of_client) throw std::runtime_error("no key for it");
    return nullptr;
  }

 private:
  const std::string_view name_;
  const std::uint32_t tag_;
};

}  // namespace broken
