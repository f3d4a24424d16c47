#include "queued/reply_packer.h"

#include <utility>

#include "giop/header/message_header.h"

namespace takt::server {

using giop::compression::Compressor;

void ReplyPacker::agree(const giop::compression::CompressionSettings& settings, std::uint16_t own_expansion,
                        const giop::compression::MethodList& methods, giop::compression::Wanted wanted) {
  if (untouched_bytes_.load(std::memory_order_relaxed) != SIZE_MAX) return;
  settings_ = settings;
  own_expansion_ = own_expansion;
  methods_ = methods;
  wanted_ = wanted;
  untouched_bytes_.store(0, std::memory_order_release);  // the next message announces it, however short it is
}

std::unique_ptr<Compressor> ReplyPacker::take() {
  if (Compressor* const idle = idle_.exchange(nullptr, std::memory_order_acquire))
    return std::unique_ptr<Compressor>(idle);
  auto compressor = std::make_unique<Compressor>(settings_, own_expansion_, methods_);
  compressor->agree(wanted_);
  return compressor;
}

void ReplyPacker::give_back(std::unique_ptr<Compressor> compressor) {
  delete idle_.exchange(compressor.release(), std::memory_order_acq_rel);
}

// Several threads may announce at the same time; a repeated announcement does no harm.
void ReplyPacker::Packed::pack() {
  giop::finish_message(*message_);
  compressor_ = packer_.take();
  const bool announces = packer_.untouched_bytes_.load(std::memory_order_relaxed) == 0;
  if (announces) compressor_->announce();
  message_ = &compressor_->pack(*message_);
  if (announces) packer_.untouched_bytes_.store(compressor_->untouched_bytes(), std::memory_order_relaxed);
}

void ReplyPacker::Packed::end() {
  packer_.give_back(std::move(compressor_));
  whole_.clear();
}

}  // namespace takt::server
