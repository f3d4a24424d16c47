// Deep copies of values: each value that the first one refers to, at any distance, is copied once.
#include <unordered_map>
#include <vector>

#include <takt/cdr/any.h>

#include "cdr/values/collected_state.h"

namespace takt::cdr {

namespace {

class ValueCopier {
 public:
  using Value = std::shared_ptr<CORBA::ValueBase>;

  Value copy(const CORBA::ValueBase& value) {
    Value first = copy_of(value);
    while (!waiting_.empty()) {
      const auto [from, to] = waiting_.back();
      waiting_.pop_back();
      copy_state(*from, *to);
    }
    return first;
  }

 private:
  // Copies a value without its state, which is filled in later: a long list must not need a deep stack.
  Value copy_of(const CORBA::ValueBase& value) {
    Value& copy = copies_[dynamic_cast<const void*>(&value)];
    if (!copy) {
      copy = value._new_value();
      waiting_.emplace_back(&value, copy.get());
    }
    return copy;
  }

  void copy_state(const CORBA::ValueBase& from, CORBA::ValueBase& to) {
    CollectedState state(from, CollectedState::Anys::whole);
    check(state.error);
    for (Value& value : state.values) {
      if (!value) continue;
      alive_.push_back(value);
      value = copy_of(*value);
    }
    check(state.give_to(to));
  }

  static void check(Error error) {
    if (error != Error::none) throw_not_encoded(error, "a value could not be copied");
  }

  std::unordered_map<const void*, Value> copies_;
  std::vector<std::pair<const CORBA::ValueBase*, CORBA::ValueBase*>> waiting_;
  std::vector<Value> alive_;  // keeps addresses from being reused
};

}  // namespace
}  // namespace takt::cdr

namespace CORBA {

valuetype_reference<ValueBase> ValueBase::_copy_value() const {
  return valuetype_reference<ValueBase>(takt::cdr::ValueCopier().copy(*this));
}

}  // namespace CORBA
