// Messages that no encoder writes.
#pragma once

#include <cstddef>
#include <cstdint>

#include <pthread.h>

#include "octets.h"

namespace takt::cdr::test {

// A sequence of big-endian words.
class Words {
 public:
  Words& put(std::uint32_t word) {
    for (int shift = 24; shift >= 0; shift -= 8) octets_.push_back(static_cast<std::uint8_t>(word >> shift));
    return *this;
  }
  // An indirection to the position.
  Words& put_indirection(std::size_t target) {
    put(0xffffffff);
    return put(static_cast<std::uint32_t>(target - position()));
  }
  Words& put_text(std::string_view text) {
    put(static_cast<std::uint32_t>(text.size() + 1));
    octets_.insert(octets_.end(), text.begin(), text.end());
    do octets_.push_back(0);
    while (octets_.size() % 4 != 0);
    return *this;
  }
  Words& append(const Octets& octets) {
    octets_.insert(octets_.end(), octets.begin(), octets.end());
    while (octets_.size() % 4 != 0) octets_.push_back(0);
    return *this;
  }
  Words& patch(std::size_t at, std::uint32_t word) {
    for (std::size_t i = 0; i < 4; ++i) octets_[at + i] = static_cast<std::uint8_t>(word >> (24 - 8 * i));
    return *this;
  }
  std::size_t position() const { return octets_.size(); }
  const Octets& octets() const { return octets_; }

 private:
  Octets octets_;
};

// Runs the function on a thread with the given stack size.
template <class Body>
void run_on_stack(std::size_t bytes, Body body) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, bytes);
  pthread_t thread;
  const auto run = [](void* argument) -> void* {
    (*static_cast<Body*>(argument))();
    return nullptr;
  };
  if (pthread_create(&thread, &attributes, run, &body) == 0) pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

}  // namespace takt::cdr::test
