// Octets in memory that somebody lends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace takt {

// Who lends memory, and gets it back: a stream, a pool, whoever holds a vector.
class OctetLender {
 public:
  virtual ~OctetLender() = default;
  // This loan, by which the lender knows the octets, is over. Once for each, from any thread.
  virtual void give_back(const std::uint8_t* octets, std::uint32_t loan) noexcept = 0;
  // Whether somebody to whom these octets were sent reads them where they are.
  virtual bool is_shared(std::uint32_t) const noexcept { return false; }
};

// Owns the loan, and ends it when it goes, is overwritten or released; its lender lives at least as long. It
// moves and does not copy. One thread at a time; any may end it. It is a contiguous range, and so a std::span
// where one is asked for.
template <class Octet>
class LentOctets {
 public:
  // Of none.
  LentOctets() = default;
  LentOctets(std::span<Octet> octets, std::shared_ptr<OctetLender> lender, std::uint32_t loan)
      : octets_(octets), lender_(std::move(lender)), loan_(loan) {}
  LentOctets(LentOctets&& from) noexcept
      : octets_(std::exchange(from.octets_, {})), lender_(std::move(from.lender_)), loan_(from.loan_) {}
  // What was filled is held from there on.
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

  // Somebody to whom they were sent still has them where they are, and would see them change. May lock.
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

// To be filled and sent (see borrow_octets.h), and received ones to keep (see hold_octets.h).
using OctetBuffer = LentOctets<std::uint8_t>;
using HeldOctets = LentOctets<const std::uint8_t>;

// The vector's, with its memory. Allocates a little.
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
