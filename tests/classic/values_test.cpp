// Strings, sequences, arrays, structs, unions and exceptions of the classic mapping: who owns what. The same
// source runs against omniORB; under ASan, leaks and double frees fail it.
#include <gtest/gtest.h>

#include "checks.h"

namespace {

TEST(Strings, ACharPointerIsTakenOverAndAConstOneCopied) {
  char* const own = CORBA::string_dup("own");
  CORBA::String_var var = own;
  EXPECT_EQ(var.in(), own);
  const char* const other = "other";
  var = other;
  EXPECT_NE(var.in(), other);
  EXPECT_STREQ(var.in(), "other");
}

TEST(Strings, CopiesAreDeepAndRetnGivesUpOwnership) {
  CORBA::String_var one = CORBA::string_dup("text");
  CORBA::String_var two = one;
  one[0u] = 'n';
  EXPECT_STREQ(one.in(), "next");
  EXPECT_STREQ(two.in(), "text");
  two = one;
  two = two;
  EXPECT_STREQ(two.in(), "next");
  char* const taken = two._retn();
  EXPECT_STREQ(taken, "next");
  EXPECT_EQ(two.in(), nullptr);
  CORBA::string_free(taken);
  CORBA::string_free(nullptr);
}

TEST(Strings, OutFreesWhatAVarHolds) {
  CORBA::String_var var = CORBA::string_dup("old");
  EXPECT_EQ(var.out(), nullptr);
  var.out() = CORBA::string_dup("new");
  EXPECT_STREQ(var.in(), "new");
  char* pointer = var.inout();
  EXPECT_STREQ(pointer, "new");
}

TEST(Strings, MembersAreEmptyAtFirstAndDeeplyCopied) {
  Broad::Record one = Broad::Record();  // zeros the members without constructors, which copies read
  EXPECT_STREQ(one.name.in(), "");
  EXPECT_STREQ(one.aliases[1].in(), "");
  one.name = CORBA::string_dup("name");
  Broad::Record two = one;
  one.name = static_cast<const char*>("changed");
  EXPECT_STREQ(two.name.in(), "name");
  two = one;
  EXPECT_STREQ(two.name.in(), "changed");
  CORBA::String_var var = two.name;
  two.name = var;
  one.name = two.name;
  EXPECT_STREQ(one.name.in(), "changed");
  CORBA::string_free(one.name._retn());
}

TEST(Sequences, GrowAndShrinkAndKeepTheirElements) {
  Broad::Longs longs;
  EXPECT_EQ(longs.length(), 0u);
  EXPECT_TRUE(longs.release());
  longs.length(3);
  for (CORBA::ULong i = 0; i < 3; ++i) longs[i] = static_cast<CORBA::Long>(i) + 1;
  longs.length(100);
  EXPECT_EQ(longs[2], 3);
  EXPECT_GE(longs.maximum(), 100u);
  longs.length(1);
  EXPECT_EQ(longs.length(), 1u);
  EXPECT_EQ(longs[0], 1);
  const Broad::Longs copy(longs);
  EXPECT_EQ(copy[0], 1);
}

TEST(Sequences, ABufferIsOwnedOnlyWithTheReleaseFlag) {
  CORBA::Long mine[2] = {1, 2};
  Broad::Longs borrowed(2, 2, mine);
  EXPECT_FALSE(borrowed.release());
  EXPECT_EQ(borrowed.get_buffer(), mine);
  EXPECT_EQ(borrowed.get_buffer(true), nullptr);  // cannot give away what it does not own
  borrowed[1] = 7;
  EXPECT_EQ(mine[1], 7);
  borrowed.length(3);  // beyond the maximum: a copy, which it owns
  EXPECT_TRUE(borrowed.release());
  borrowed[0] = 9;
  EXPECT_EQ(mine[0], 1);
  EXPECT_EQ(borrowed[1], 7);

  CORBA::Long* const given = Broad::Longs::allocbuf(4);
  given[0] = 5;
  Broad::Longs owning(4, 1, given, true);
  EXPECT_EQ(owning[0], 5);
  owning.replace(2, 2, mine);
  EXPECT_EQ(owning[1], 7);
}

TEST(Sequences, AnOrphanedBufferIsTheCallers) {
  Broad::Longs longs;
  longs.length(2);
  longs[1] = 4;
  CORBA::Long* const buffer = longs.get_buffer(true);
  ASSERT_NE(buffer, nullptr);
  EXPECT_EQ(buffer[1], 4);
  EXPECT_EQ(longs.length(), 0u);
  Broad::Longs::freebuf(buffer);
}

TEST(Sequences, StringElementsAreAssignedAsStringVars) {
  Broad::Strings strings;
  strings.length(3);
  EXPECT_STREQ(strings[0], "");
  strings[0] = static_cast<const char*>("copied");
  strings[1] = CORBA::string_dup("taken");
  CORBA::String_var var = CORBA::string_dup("var");
  strings[2] = var;
  EXPECT_STREQ(var.in(), "var");
  strings[2] = strings[0];
  EXPECT_STREQ(strings[2], "copied");
  Broad::Strings copy(strings);
  strings[0] = static_cast<const char*>("changed");
  EXPECT_STREQ(copy[0], "copied");
  strings.length(1);
  strings.length(20);
  EXPECT_STREQ(strings[0], "changed");

  char** const buffer = Broad::Strings::allocbuf(2);
  buffer[0] = CORBA::string_dup("in a buffer");
  Broad::Strings owning(2, 1, buffer, true);
  EXPECT_STREQ(owning[0], "in a buffer");
  char** const orphan = owning.get_buffer(true);
  EXPECT_STREQ(orphan[0], "in a buffer");
  Broad::Strings::freebuf(orphan);
}

TEST(Sequences, BoundedOnesHaveTheirBoundAsMaximum) {
  Broad::FewLongs few;
  EXPECT_EQ(few.maximum(), 3u);
  few.length(3);
  few[2] = 1;
  EXPECT_THROW(few.length(4), CORBA::BAD_PARAM);
  EXPECT_EQ(few.length(), 3u);
}

TEST(Sequences, AnIndexBeyondTheLengthIsRefused) {
  Broad::Longs longs;
  longs.length(1);
  EXPECT_THROW(longs[1] = 2, CORBA::BAD_PARAM);
}

TEST(Sequences, AssignmentOfAShorterOneForgetsTheOtherElements) {
  Broad::Strings strings, shorter;
  strings.length(3);
  strings[1] = static_cast<const char*>("old");
  shorter.length(1);
  strings = shorter;
  strings.length(3);
  EXPECT_STREQ(strings[1], "");
}

TEST(Sequences, ANullBufferHasNoElements) {
  EXPECT_THROW(Broad::Strings(5, 3, static_cast<char**>(nullptr)), CORBA::BAD_PARAM);
  Broad::Longs longs;
  EXPECT_THROW(longs.replace(5, 3, static_cast<CORBA::Long*>(nullptr)), CORBA::BAD_PARAM);
  EXPECT_EQ(Broad::Longs(5, 0, static_cast<CORBA::Long*>(nullptr)).length(), 0u);
}

TEST(Sequences, AVarOwnsOneAndHasItsElements) {
  Broad::Longs_var var = new Broad::Longs(5);
  EXPECT_EQ(var->maximum(), 5u);
  var->length(1);
  var[0u] = 3;
  Broad::Longs_var copy = var;
  copy[0u] = 4;
  EXPECT_EQ(var[0u], 3);
  EXPECT_EQ(var.in().length(), 1u);
  Broad::Longs* const taken = copy._retn();
  EXPECT_EQ((*taken)[0], 4);
  copy = taken;
  copy.out() = new Broad::Longs;
  EXPECT_EQ(copy->length(), 0u);
}

TEST(Arrays, AreAllocatedCopiedAndFreed) {
  Broad::Matrix matrix = {{1, 2, 3}, {4, 5, 6}};
  Broad::Matrix_slice* const copy = Broad::Matrix_dup(matrix);
  EXPECT_EQ(copy[1][2], 6);
  Broad::Grid_slice* const other = Broad::Grid_alloc();
  Broad::Grid_copy(other, copy);
  EXPECT_EQ(other[0][1], 2);
  Broad::Matrix_free(copy);
  Broad::Grid_free(other);
  Broad::Names_var names = Broad::Names_alloc();
  names[0] = CORBA::string_dup("first");
  Broad::Names_var same_names = names;
  names[0] = static_cast<const char*>("changed");
  EXPECT_STREQ(same_names[0].in(), "first");
  Broad::Names_free(same_names._retn());
}

TEST(Structs, VarsOwnThem) {
  Broad::Point_var point = new Broad::Point;
  point->x = 1;
  point->y = 2;
  Broad::Point_var copy = point;
  copy->x = 3;
  EXPECT_EQ(point->x, 1);
  const Broad::Point plain = {7, 8};
  copy = plain;
  EXPECT_EQ(copy.in().x, 7);
  copy.out().x = 9;
  EXPECT_EQ(copy._retn().x, 9);
  Broad::Record_var entry = new Broad::Record(record("one", 1));
  Broad::Record_var other = entry;
  other->name = static_cast<const char*>("two");
  EXPECT_STREQ(entry->name.in(), "one");
  other = new Broad::Record;
  delete other._retn();
}

TEST(Unions, TheDiscriminatorFollowsTheMember) {
  Broad::Choice choice;
  choice.number(3);
  EXPECT_EQ(choice._d(), Broad::red);
  choice.text(static_cast<const char*>("text"));
  EXPECT_EQ(choice._d(), Broad::green);
  Broad::Choice copy(choice);
  choice.text(CORBA::string_dup("taken over"));
  CORBA::String_var var = CORBA::string_dup("copied");
  choice.text(var);
  EXPECT_STREQ(copy.text(), "text");
  EXPECT_STREQ(choice.text(), "copied");
  choice.entry(record("entry", 1));
  choice.entry().name = static_cast<const char*>("changed");
  EXPECT_STREQ(choice.entry().name.in(), "changed");
  copy = choice;
  EXPECT_STREQ(copy.entry().name.in(), "changed");
  Broad::Chosen chosen;
  chosen.letter('x');
  Broad::Longs longs;
  longs.length(2);
  chosen.numbers(longs);
  EXPECT_EQ(chosen._d(), 1);
  chosen._d(2);
  EXPECT_EQ(chosen.numbers().length(), 2u);
  EXPECT_THROW(chosen._d(-3), CORBA::BAD_PARAM);
  Broad::Optional optional;
  optional._default();
  EXPECT_FALSE(optional._d());
}

TEST(Exceptions, HaveTheirMembersAndAreCopied) {
  Broad::Longs numbers;
  numbers.length(1);
  const Broad::Refused refused("why", 3, numbers);
  Broad::Refused copy(refused);
  copy.why = static_cast<const char*>("changed");
  EXPECT_STREQ(refused.why.in(), "why");
  copy = refused;
  EXPECT_EQ(copy.numbers.length(), 1u);
  const CORBA::Exception* const base = &copy;
  ASSERT_NE(Broad::Refused::_downcast(base), nullptr);
  EXPECT_EQ(Broad::Refused::_downcast(base)->code, 3);
  EXPECT_EQ(Broad::Empty::_downcast(base), nullptr);
  EXPECT_EQ(CORBA::SystemException::_downcast(base), nullptr);
  EXPECT_THROW(base->_raise(), Broad::Refused);
}

TEST(Exceptions, HaveMembersThatAreArrays) {
  const CORBA::Long numbers[3] = {1, 2, 3};
  CORBA::String_var two = CORBA::string_dup("two");
  Broad::Cells cells;
  cells.texts[1] = two;
  const Broad::Cells copy(numbers, cells.texts);
  EXPECT_EQ(copy.numbers[2], 3);
  EXPECT_STREQ(copy.texts[1].in(), "two");
}

TEST(Exceptions, SystemOnesHaveAMinorCodeAndCompletion) {
  CORBA::TRANSIENT failure(7, CORBA::COMPLETED_MAYBE);
  failure.minor(8);
  failure.completed(CORBA::COMPLETED_NO);
  EXPECT_EQ(failure.minor(), 8u);
  EXPECT_EQ(failure.completed(), CORBA::COMPLETED_NO);
  EXPECT_STREQ(failure._name(), "TRANSIENT");
  EXPECT_STREQ(failure._rep_id(), "IDL:omg.org/CORBA/TRANSIENT:1.0");
  EXPECT_THROW(failure._raise(), CORBA::TRANSIENT);
  EXPECT_THROW(failure._raise(), CORBA::SystemException);
  CORBA::Exception* const base = &failure;
  EXPECT_NE(CORBA::TRANSIENT::_downcast(base), nullptr);
  EXPECT_EQ(CORBA::COMM_FAILURE::_downcast(base), nullptr);
}

TEST(Constants, HaveTheirValues) {
  EXPECT_EQ(Broad::answer, 42);
  EXPECT_STREQ(Broad::greeting, "hello");
#ifndef CLASSIC_BY_OMNIORB  // which leaves a trigraph there
  EXPECT_STREQ(Broad::riddle, "what?\?!");
#endif
  EXPECT_EQ(Broad::half, 0.5);
  EXPECT_EQ(Broad::favourite, Broad::green);
  EXPECT_EQ(Broad::large, 18446744073709551615u);
  const CORBA::Long& limit = Broad::Basics::limit;
  EXPECT_EQ(limit, 9);
  EXPECT_STREQ(Broad::Basics::title, "basics");
}

}  // namespace
