// Slots of PICurrent and of requests.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <takt/interceptors/request_info.h>

namespace takt::interceptors {

// Values of an ORB's slots. Copies share them until one is set. One thread at a time.
class Slots {
 public:
  // An Any without a value if it was not set.
  CORBA::Any get(PortableInterceptor::SlotId id) const {
    return values_ && id < values_->size() ? (*values_)[id] : CORBA::Any();
  }
  void set(PortableInterceptor::SlotId id, const CORBA::Any& value) {
    if (!values_)
      values_ = std::make_shared<Values>();
    else if (values_.use_count() > 1)
      values_ = std::make_shared<Values>(*values_);
    if (id >= values_->size()) values_->resize(id + 1);
    (*values_)[id] = value;
  }
  void clear() { values_ = nullptr; }

 private:
  using Values = std::vector<CORBA::Any>;
  std::shared_ptr<Values> values_;
};

// The calling thread's slots of the ORB with this serial; empty at first. Valid until the thread ends, or
// calls this for another ORB. Allocates for an ORB's first use.
Slots& slots_of_thread(std::uint64_t orb);

// Puts the calling thread's slots back at the end of a point.
class SlotsKept {
 public:
  explicit SlotsKept(std::uint64_t orb) : orb_(orb), kept_(slots_of_thread(orb)) {}
  ~SlotsKept() { slots_of_thread(orb_) = std::move(kept_); }
  SlotsKept(const SlotsKept&) = delete;
  SlotsKept& operator=(const SlotsKept&) = delete;

 private:
  const std::uint64_t orb_;
  Slots kept_;
};

// During its lifetime, the calling thread has no values in the slots of an ORB; afterwards, it has those of
// before. Allocates nothing.
class SlotsEmptied {
 public:
  explicit SlotsEmptied(std::uint64_t orb) noexcept;
  ~SlotsEmptied();
  SlotsEmptied(const SlotsEmptied&) = delete;
  SlotsEmptied& operator=(const SlotsEmptied&) = delete;

 private:
  const std::uint64_t orb_;
  Slots before_;
};

}  // namespace takt::interceptors
