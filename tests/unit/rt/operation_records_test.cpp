// Records of the operations that schedules have had.
#include "rt/operations/operation_records.h"

#include <gtest/gtest.h>

namespace takt::rt {
namespace {

TEST(OperationRecords, KeepNoResponsesUnlessAsked) {
  OperationRecords records(false);
  EXPECT_EQ(records.of("a")->responses(), nullptr);
}

TEST(OperationRecords, KeepResponsesOfTheFirst) {
  OperationRecords records(true);
  for (std::size_t i = 0; i < OperationRecords::most_with_responses; ++i)
    ASSERT_NE(records.of("a" + std::to_string(i))->responses(), nullptr) << i;
  EXPECT_EQ(records.of("b")->responses(), nullptr) << "clients can add operations without end";
  EXPECT_NE(records.of("a7")->responses(), nullptr) << "it is the record of before";
  EXPECT_EQ(records.all().size(), OperationRecords::most_with_responses + 1);
}

}  // namespace
}  // namespace takt::rt
