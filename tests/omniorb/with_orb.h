// Tests with an ORB that has no options.
#pragma once

#include <gtest/gtest.h>
#include <omniORB4/CORBA.h>

class WithOrb : public testing::Test {
 protected:
  void SetUp() override {
    int count = 1;
    static char name[] = "test";
    char* arguments[] = {name, nullptr};
    orb_ = CORBA::ORB_init(count, arguments);
  }
  void TearDown() override { orb_->destroy(); }

  CORBA::ORB_var orb_;
};
