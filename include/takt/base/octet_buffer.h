// Octets in memory on loan from its owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace takt {

// An owner of lent memory: a stream, a pool, or the holder of a vector.
class OctetLender {
 public:
  virtual ~OctetLender() = default;
  // Ends a loan. `octets` and `loan` identify it to the lender. Called exactly once per loan, from any
  // thread.
  virtual void give_back(const std::uint8_t* octets, std::uint32_t loan) noexcept = 0;
  // Whether a receiver of these octets still reads them in place.
  virtual bool is_shared(std::uint32_t) const noexcept { return false; }
};

// Owns a loan. Destroying, overwriting or releasing this object ends the loan; the lender lives at least as
// long. Movable, not copyable. One thread at a time, and any thread may end the loan. It is a contiguous
// range, so it converts to std::span.
template <class Octet>
class LentOctets {
 public:
  // Empty, without a loan.
  LentOctets() = default;
  LentOctets(std::span<Octet> octets, std::shared_ptr<OctetLender> lender, std::uint32_t loan)
      : octets_(octets), lender_(std::move(lender)), loan_(loan) {}
  LentOctets(LentOctets&& from) noexcept
      : octets_(std::exchange(from.octets_, {})), lender_(std::move(from.lender_)), loan_(from.loan_) {}
  // Turns a writable loan into a read-only one, once it has been filled.
  LentOctets(LentOctets<std::remove_const_t<Octet>>&& from) noexcept
    requires std::is_const_v<Octet>
      : octets_(std::exchange(from.octets_, {})), lender_(std::move(from.lender_)), loan_(from.loan_) {}
  LentOctets& operator=(LentOctets&& from) noexcept {
    if (this == &from) return *this;
    release();
    octets_ = std::exchange(from.octets_, {});
    lender_ = std::move(from.lender_);
    loan_ = from.loan_;
    return *this;
  }
  ~LentOctets() { release(); }

  std::span<Octet> octets() const { return octets_; }
  Octet* data() const { return octets_.data(); }
  std::size_t size() const { return octets_.size(); }
  Octet* begin() const { return data(); }
  Octet* end() const { return data() + size(); }
  Octet& operator[](std::size_t index) const { return octets_[index]; }
  bool empty() const { return octets_.empty(); }

  // Whether a receiver still reads these octets in place and would see a change. May lock.
  bool is_shared() const { return lender_ && lender_->is_shared(loan_); }
  void release() {
    if (!lender_) return;
    lender_->give_back(octets_.data(), loan_);
    lender_.reset();
    octets_ = {};
  }

 private:
  template <class Other>
  friend class LentOctets;

  std::span<Octet> octets_;
  std::shared_ptr<OctetLender> lender_;
  std::uint32_t loan_ = 0;
};

// OctetBuffer is memory to fill and then send (see borrow_octets.h). HeldOctets are received octets that are
// kept (see hold_octets.h).
using OctetBuffer = LentOctets<std::uint8_t>;
using HeldOctets = LentOctets<const std::uint8_t>;

// Takes over the vector and its memory. Allocates a small block.
[[nodiscard]] inline HeldOctets hold_octets(std::vector<std::uint8_t> octets) {
  class Holder final : public OctetLender {
   public:
    explicit Holder(std::vector<std::uint8_t> held) : octets(std::move(held)) {}
    void give_back(const std::uint8_t*, std::uint32_t) noexcept override {}
    const std::vector<std::uint8_t> octets;
  };
  if (octets.empty()) return {};
  auto holder = std::make_shared<Holder>(std::move(octets));
  const std::span<const std::uint8_t> held = holder->octets;
  return {held, std::move(holder), 0};
}

}  // namespace takt
