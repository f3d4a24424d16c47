// Limits of single references, set while other threads call by them.
#include <gtest/gtest.h>

#include <malloc.h>
#include <atomic>
#include <cstddef>
#include <thread>

#include <takt/classic/timeouts.h>

#include "orb.h"

namespace {

class Listener_i : public virtual POA_Broad::Listener {
 public:
  CORBA::Long told(CORBA::Long value) { return value + 1; }
};

class ReferenceTimeouts : public testing::Test {
 protected:
  void SetUp() override {
    int argc = 0;
    orb_ = CORBA::ORB_init(argc, nullptr);
    CORBA::Object_var object = orb_->resolve_initial_references("RootPOA");
    root_ = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = root_->the_POAManager();
    manager->activate();
    PortableServer::Servant_var<Listener_i> servant = new Listener_i;
    listener_ = servant->_this();
  }
  void TearDown() override { orb_->destroy(); }

  CORBA::ORB_var orb_;
  PortableServer::POA_var root_;
  Broad::Listener_var listener_;
};

TEST_F(ReferenceTimeouts, AreSetWhileAnotherThreadCalls) {
  std::atomic<bool> calls{true}, has_called{false};
  std::thread caller([&] {
    for (CORBA::Long i = 0; calls; ++i) {
      EXPECT_EQ(listener_->told(i), i + 1);
      EXPECT_FALSE(listener_->_non_existent());
      has_called = true;
    }
  });
  for (int i = 0; i < 2000 || !has_called; ++i)
    takt::classic::set_call_timeout(listener_, i % 2 == 0 ? 100'000 : 200'000);
  calls = false;
  caller.join();
}

std::size_t heap_bytes() {
  const struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

TEST_F(ReferenceTimeouts, TakeBoundedMemory) {
  const auto set_from = [this](CORBA::ULong least) {
    for (CORBA::ULong limit = least; limit < least + 1000; ++limit)
      takt::classic::set_call_timeout(listener_, limit);
  };
  set_from(100'000);
  const std::size_t before = heap_bytes();
  set_from(101'000);
  EXPECT_LT(heap_bytes(), before + 20'000);
  EXPECT_EQ(listener_->told(1), 2);
}

}  // namespace
