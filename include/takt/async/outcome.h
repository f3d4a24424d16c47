// How an asynchronous call has ended, for code that wants no exceptions.
#pragma once

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include <takt/async/call_values.h>
#include <takt/cdr/exception.h>

namespace takt::async {

// Like std::expected<Result, std::exception_ptr>, which C++20 lacks.
template <class Result>
class [[nodiscard]] Outcome {
 public:
  using Kept = detail::Kept<Result>;

  explicit Outcome(Kept&& result) : result_(std::move(result)) {}
  explicit Outcome(std::exception_ptr error) : error_(std::move(error)) {}

  bool has_value() const noexcept { return result_.has_value(); }
  explicit operator bool() const noexcept { return has_value(); }
  // Throws the exception if there is no value.
  std::add_lvalue_reference_t<Result> value() {
    if (error_) std::rethrow_exception(error_);
    if constexpr (!std::is_void_v<Result>) return *result_;
  }
  // Null if there is a value.
  const std::exception_ptr& error() const noexcept { return error_; }
  // The exception, if it is an E; else null. Valid as long as error().
  template <class E>
  const E* error_as() const {
    if (!error_) return nullptr;
    try {
      std::rethrow_exception(error_);
    } catch (const E& error) {
      return &error;
    } catch (...) {
      return nullptr;
    }
  }
  // Whether the call was cancelled before it had ended.
  bool cancelled() const {
    const auto* const transient = error_as<CORBA::TRANSIENT>();
    return transient && transient->minor() == CORBA::omg_minor(3);
  }

 private:
  std::optional<Kept> result_;
  std::exception_ptr error_;
};

}  // namespace takt::async
