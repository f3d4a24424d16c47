// Values that interceptors may see: those of calls that have them as Anys, which are dynamic requests and
// dynamic servants. The values of generated code are not shown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <takt/cdr/any.h>

namespace takt::reference {

// The values of one call or request. Each function copies them, and may throw std::bad_alloc.
class ShownValues {
 public:
  struct Argument {
    CORBA::Any value;    // without a value if it is not there yet
    std::uint32_t mode;  // as CORBA::ParameterMode: 0 in, 1 out, 2 inout
  };

  // In the operation's order; nothing if the servant has not asked for them. `returned`: the call has
  // returned, so that results have values.
  virtual std::optional<std::vector<Argument>> arguments(bool returned) const = 0;
  // An Any of type void if there is none.
  virtual CORBA::Any result() const = 0;
  // The user exception that the call has got; nothing if its type is not known.
  virtual std::optional<CORBA::Any> exception() const = 0;
  // Empty pointers and nothing: this side does not know them.
  virtual const std::vector<CORBA::typecode_reference>* exceptions() const { return nullptr; }
  virtual const std::vector<std::string>* contexts() const { return nullptr; }
  // The values that are sent: names and texts in turn.
  virtual std::optional<std::vector<std::string>> context() const { return std::nullopt; }

 protected:
  ~ShownValues() = default;
};

// Shows the values of a call of this thread as long as it lives. A call is known by the address of its
// operation's name, which it alone has.
class ShownCall {
 public:
  ShownCall(std::string_view operation, const ShownValues& values)
      : operation_(operation.data()), values_(values), outer_(newest_) {
    newest_ = this;
  }
  ~ShownCall() { newest_ = outer_; }
  ShownCall(const ShownCall&) = delete;
  ShownCall& operator=(const ShownCall&) = delete;

  // Null: the values of that call are not shown.
  static const ShownValues* find(std::string_view operation) {
    for (const ShownCall* call = newest_; call; call = call->outer_)
      if (call->operation_ == operation.data()) return &call->values_;
    return nullptr;
  }

 private:
  const char* const operation_;
  const ShownValues& values_;
  ShownCall* const outer_;
  static inline thread_local constinit ShownCall* newest_ = nullptr;
};

}  // namespace takt::reference
