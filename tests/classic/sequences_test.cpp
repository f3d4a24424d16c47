// Sequences of elements that have sequences themselves.
#include <gtest/gtest.h>

#include "broadS.h"

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

}  // namespace
