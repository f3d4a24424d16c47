#include <gtest/gtest.h>

#include <takt/cdr/error.h>
#include <takt/cdr/exception.h>
#include <takt/cdr/typecode.h>

namespace takt::cdr::test {
namespace {

TEST(SystemException, is_raised_by_its_repository_id) {
  try {
    raise_system_exception("IDL:omg.org/CORBA/TRANSIENT:1.0", CORBA::omg_minor(2), CORBA::COMPLETED_NO,
                           "no profile");
  } catch (const CORBA::TRANSIENT& caught) {
    EXPECT_EQ(caught.minor(), 0x4f4d0002u);
    EXPECT_STREQ(caught.what(), "CORBA::TRANSIENT (OMG minor 2, COMPLETED_NO): no profile");
  }
}

TEST(SystemException, unknown_ones_are_UNKNOWN_2) {
  for (const char* id : {"IDL:acme.com/ODD:1.0", "IDL:omg.org/CORBA/ODD:1.0", "", "IDL:omg.org/CORBA/:1.0"})
    try {
      raise_system_exception(id, 7, CORBA::COMPLETED_MAYBE);
    } catch (const CORBA::UNKNOWN& caught) {
      EXPECT_EQ(caught.minor(), CORBA::omg_minor(2));
      EXPECT_EQ(caught.completed(), CORBA::COMPLETED_MAYBE);
    }
}

TEST(SystemException, an_unknown_one_is_shown_short_and_without_control_characters) {
  const std::string id = "IDL:omg.org/CORBA/ODD\x1b]0;title\a\nforged:1.0" + std::string(100'000, 'x');
  try {
    raise_system_exception(id, 7, CORBA::COMPLETED_MAYBE);
  } catch (const CORBA::UNKNOWN& caught) {
    const std::string text = caught.what();
    EXPECT_NE(text.find("ODD\\x1b]0;title\\x07\\x0aforged"), text.npos) << text;
    EXPECT_LT(text.size(), 400u);
  }
}

TEST(SystemException, each_error_has_a_text_and_an_exception) {
  for (int i = 0; i <= static_cast<int>(Error::source_failed); ++i) {
    const auto error = static_cast<Error>(i);
    EXPECT_STRNE(to_text(error), "an unknown error");
    EXPECT_THROW(raise_system_exception(exception_for(error).repository_id, 0, CORBA::COMPLETED_NO),
                 CORBA::SystemException);
  }
  EXPECT_EQ(exception_for(Error::no_factory).minor, CORBA::omg_minor(1));
}

TEST(SystemException, of_octets_that_cannot_be_decoded_names_the_place) {
  try {
    throw_decoding_error(Error::bad_chunks, 68, CORBA::COMPLETED_YES, "the reply of get", "; look again");
  } catch (const CORBA::MARSHAL& caught) {
    EXPECT_STREQ(caught.what(),
                 "CORBA::MARSHAL (minor 0x0, COMPLETED_YES): the reply of get: the chunks and tags of a "
                 "valuetype do not fit together, at octet 68; look again");
  }
  EXPECT_THROW(throw_decoding_error(Error::no_factory, 0, CORBA::COMPLETED_NO, "it"), CORBA::MARSHAL);
}

template <class Exception>
void raised_as_itself(const char* id, const char* name) {
  const Exception exception;
  EXPECT_STREQ(exception._rep_id(), id);
  EXPECT_STREQ(exception._name(), name);
  const CORBA::UserException& base = exception;
  EXPECT_THROW(base._raise(), Exception);
}

TEST(UserException, of_type_codes_are_raised_as_themselves) {
  raised_as_itself<CORBA::TypeCode::BadKind>("IDL:omg.org/CORBA/TypeCode/BadKind:1.0", "BadKind");
  raised_as_itself<CORBA::TypeCode::Bounds>("IDL:omg.org/CORBA/TypeCode/Bounds:1.0", "Bounds");
}

}  // namespace
}  // namespace takt::cdr::test
