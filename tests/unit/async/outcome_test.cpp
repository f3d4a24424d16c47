// The outcomes of asynchronous calls, as their sinks get them.
#include <takt/async/send.h>

#include <gtest/gtest.h>

#include <exception>
#include <new>

namespace takt::async {

// A type for which there is no memory.
struct Huge {};

}  // namespace takt::async

template <>
struct takt::cdr::Codec<takt::async::Huge> {
  static void write(Encoder&, const async::Huge&) {}
  static void read(Decoder&, async::Huge&) { throw std::bad_alloc(); }
};

namespace takt::async {
namespace {

struct Sink {
  std::exception_ptr* failure;
  void succeed(Huge&) const {}
  void fail(const std::exception_ptr& why) const { *failure = why; }
};

TEST(Outcomes, AreNoMemoryWhereThereIsNoneForTheResults) {
  std::exception_ptr failure;
  Sink sink{&failure};
  cdr::Decoder decoder(ByteView(), 0, cdr::Format());
  Reply reply("op", decoder);
  CallOf<Operation<"op", Huge()>, Sink>::type.complete(&sink, reply);
  ASSERT_TRUE(failure);
  EXPECT_THROW(std::rethrow_exception(failure), CORBA::NO_MEMORY);
}

}  // namespace
}  // namespace takt::async
