// Sequences of elements that have sequences themselves.
#include <gtest/gtest.h>

#include "broadS.h"
#include "rareS.h"

namespace {

// A tree with `width` children, the first of which has children with the values 1 to `length`.
Broad::Node tree_of(CORBA::ULong width, CORBA::ULong length) {
  Broad::Node tree;
  tree.children.length(width);
  Broad::Node& first = tree.children[0];
  first.children.length(length);
  for (CORBA::ULong i = 0; i < length; ++i) {
    first.children[i].value = static_cast<CORBA::Long>(i + 1);
    first.children[i].children.length(i);
  }
  return tree;
}

void expect_children(const Broad::Node& tree, CORBA::ULong length) {
  ASSERT_EQ(tree.children.length(), length);
  for (CORBA::ULong i = 0; i < length; ++i) {
    EXPECT_EQ(tree.children[i].value, static_cast<CORBA::Long>(i + 1));
    EXPECT_EQ(tree.children[i].children.length(), i);
  }
}

TEST(Sequences, TakePartsOfTheirOwnElements) {
  Broad::Node narrow = tree_of(1, 7), wide = tree_of(9, 3);
  narrow.children = narrow.children[0].children;  // needs a longer buffer
  expect_children(narrow, 7);
  wide.children = wide.children[0].children;  // would fit into the buffer
  expect_children(wide, 3);
  Broad::Node& same = wide;
  wide.children = same.children;
  expect_children(wide, 3);
}

TEST(Sequences, TakePartsOfTheirOwnArrays) {
  Rare::Branch branch;
  branch.below.length(2);
  Rare::Branches& first = branch.below[0][1];
  first.length(1);
  first[0].below.length(1);
  Rare::Branches& inner = first[0].below[0][0];
  inner.length(1);
  inner[0].name = "one with a name that no small buffer holds";
  branch.below = first[0].below;  // would fit into the buffer
  ASSERT_EQ(branch.below.length(), 1u);
  ASSERT_EQ(branch.below[0][0].length(), 1u);
  EXPECT_STREQ(branch.below[0][0][0].name, "one with a name that no small buffer holds");
  EXPECT_EQ(branch.below[0][1].length(), 0u);
}

TEST(Sequences, MoveTheirArraysWhenTheyGrow) {
  Rare::ManyCodes codes;
  codes.length(1);
  codes[0][2] = CORBA::string_dup("kept");
  const char* const kept = codes[0][2];
  codes.length(100);
  const char* const now = codes[0][2];
  EXPECT_EQ(now, kept);
}

}  // namespace
