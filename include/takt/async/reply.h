// The outcome of an asynchronous call, as typed code reads it.
#pragma once

#include <exception>
#include <string_view>

#include <takt/cdr/decoder.h>
#include <takt/cdr/exception.h>

namespace takt::async {

// Lives while the call's outcome is delivered; one thread.
class Reply {
 public:
  enum class Kind : unsigned char { results, user_exception, failure };

  Reply(std::string_view operation, std::exception_ptr failure)
      : kind_(Kind::failure), operation_(operation), failure_(std::move(failure)) {}
  // `decoder` is at the results, or at the first member of the user exception with that id.
  Reply(std::string_view operation, cdr::Decoder& decoder)
      : kind_(Kind::results), operation_(operation), decoder_(&decoder) {}
  Reply(std::string_view operation, cdr::Decoder& decoder, std::string_view exception_id)
      : kind_(Kind::user_exception), operation_(operation), exception_id_(exception_id), decoder_(&decoder) {}

  Kind kind() const { return kind_; }
  const std::exception_ptr& failure() const { return failure_; }
  std::string_view exception_id() const { return exception_id_; }
  cdr::Decoder& decoder() const { return *decoder_; }
  // Call after decoding. Throws MARSHAL if that failed.
  void finish() const;
  // The exception that is being handled, as the caller of a synchronous call would get it: without memory
  // NO_MEMORY with that completion status. While results are decoded, the operation has run.
  static std::exception_ptr present_failure(
      CORBA::CompletionStatus completed = CORBA::COMPLETED_YES) noexcept;
  // Throws UNKNOWN minor 1: the operation does not declare the user exception.
  [[noreturn]] void throw_unlisted_exception() const;

 private:
  Kind kind_;
  std::string_view operation_, exception_id_;
  std::exception_ptr failure_;
  cdr::Decoder* decoder_ = nullptr;
};

}  // namespace takt::async
