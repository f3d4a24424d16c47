#include <takt/cdr/message_costs.h>

#include <algorithm>
#include <limits>

#include <takt/cdr/decoder.h>

namespace takt::cdr {

bool MessageCosts::take(MemoryBudget* budget) {
  if (!budget) return true;
  const std::size_t steps = (bytes_ - allowed_bytes_ + step_bytes - 1) / step_bytes;
  if (!budget->take(steps * step_bytes)) return false;
  budget_ = budget;
  allowed_bytes_ += steps * step_bytes;
  return true;
}

void MessageCosts::give_back() {
  if (budget_) budget_->give_back(allowed_bytes_ - free_bytes);
  budget_ = nullptr;
  allowed_bytes_ = free_bytes;
}

void Decoder::end() {
  if (values_) drop_values();
  if (costs_ == &own_costs_) own_costs_.give_back();
}

bool Decoder::charge_more(std::size_t bytes) {
  if (costs().charge(bytes, format_.memory)) return ok();
  costs().uncharge(bytes);
  fail(Error::no_memory);
  return false;
}

bool Decoder::spend_more() {
  MessageCosts& costs = this->costs();
  const DecoderLimits& limits = *format_.limits;
  const std::size_t octets = std::max(costs.arrived_octets_, window_.arrived());
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  const std::size_t by_octets = limits.steps_per_octet != 0 && octets > most / 2 / limits.steps_per_octet
                                    ? most / 2
                                    : octets * limits.steps_per_octet;
  costs.allowed_steps_ = std::max(costs.allowed_steps_, limits.free_steps + by_octets);
  if (costs.steps_ > costs.allowed_steps_) fail(Error::too_much_work);
  return ok();
}

std::size_t Decoder::take_room_ahead(std::size_t count, std::size_t done, std::size_t element_bytes) {
  constexpr std::size_t least_bytes = 512, free_ahead_bytes = 64 << 10, ahead_per_octet = 8;
  MessageCosts& costs = this->costs();
  const std::size_t wanted = count - done;
  const std::size_t limit = free_ahead_bytes + ahead_per_octet * present();
  const std::size_t free = limit - std::min(limit, costs.ahead_bytes_);
  const std::size_t bytes = std::max({free, least_bytes, done * element_bytes});
  const std::size_t granted = std::min(wanted, std::max<std::size_t>(bytes / element_bytes, 1));
  costs.ahead_bytes_ += granted * element_bytes;
  return granted;
}

}  // namespace takt::cdr
