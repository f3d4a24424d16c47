// Codecs of the initial reference CodecFactory.
#include <gtest/gtest.h>
#include <takt/corba.h>
#include <takt/interceptors/codec.h>

#include "../make_orb.h"
#include "callsC.h"

namespace feature {
namespace {

using Octets = std::vector<std::uint8_t>;
using Codec = CORBA::object_reference<IOP::Codec>;
using IOP::CodecFactory;

template <class T>
CORBA::Any any_of(T value) {
  CORBA::Any any;
  any <<= std::move(value);
  return any;
}

class Codecs : public testing::Test {
 protected:
  ~Codecs() override { orb->destroy(); }
  Codec codec(std::uint8_t minor = 2) const {
    return factory->create_codec({IOP::ENCODING_CDR_ENCAPS, 1, minor});
  }
  Codec codec_with(std::uint32_t narrow, std::uint32_t wide) const {
    return factory->create_codec_with_codesets({IOP::ENCODING_CDR_ENCAPS, 1, 2, narrow, wide});
  }

  const Orb orb = make_orb({}, "codecs");
  const CORBA::object_reference<CodecFactory> factory =
      IDL::traits<CodecFactory>::narrow(orb->resolve_initial_references("CodecFactory"));
};

constexpr std::uint32_t latin = 0x00010001, utf_8 = 0x05010001, utf_16 = 0x00010109;
constexpr std::uint8_t native = std::endian::native == std::endian::little ? 1 : 0;

TEST_F(Codecs, AnyValueComesBackWithItsType) {
  const CORBA::Any points = any_of(Calls::Points{{1, 2.5, "a"}, {-3, 0, ""}});
  for (std::uint8_t minor = 0; minor < 3; ++minor) {
    for (const CORBA::Any& any : {any_of(std::int32_t{7}), any_of(std::string("text")), points, CORBA::Any(),
                                  any_of(any_of(std::uint8_t{3})), any_of(Calls::Colour::blue)}) {
      const CORBA::Any back = codec(minor)->decode(codec(minor)->encode(any));
      EXPECT_EQ(back, any);
      EXPECT_EQ(codec(minor)->decode_value(codec(minor)->encode_value(any), any.type()), any);
    }
  }
}

TEST_F(Codecs, OctetsAreAnEncapsulationInTheMachinesOrder) {
  const Octets octets = codec()->encode_value(any_of(std::uint32_t{0x01020304}));
  ASSERT_EQ(octets.size(), 8u);
  EXPECT_EQ(octets[0], native);
  EXPECT_EQ(octets[4], native ? 4 : 1);
  EXPECT_EQ(codec()->encode_value(any_of(std::uint8_t{9})), (Octets{native, 9}));
}

TEST_F(Codecs, BothOrdersAreRead) {
  const auto longs = IDL::type_code<std::int32_t>();
  EXPECT_EQ(codec()->decode_value({0, 0, 0, 0, 0, 0, 1, 2}, longs), any_of(std::int32_t{258}));
  EXPECT_EQ(codec()->decode_value({1, 0, 0, 0, 2, 1, 0, 0}, longs), any_of(std::int32_t{258}));
  EXPECT_EQ(codec()->decode({0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 1, 2}), any_of(std::int32_t{258}));
}

TEST_F(Codecs, ReferencesCanBeCalledAfterwards) {
  const auto object = orb->string_to_object("corbaloc::127.0.0.1:1/Key");
  CORBA::object_reference<CORBA::Object> back;
  ASSERT_TRUE(codec()->decode(codec()->encode(any_of(object))) >>= back);
  EXPECT_TRUE(back->_is_equivalent(object));
  EXPECT_TRUE(back->_get_orb() == orb);
}

TEST_F(Codecs, LocalObjectsCannotBeEncoded) {
  CORBA::Any any;
  EXPECT_THROW(any <<= CORBA::object_reference<CORBA::Object>(factory), CORBA::MARSHAL);
}

TEST_F(Codecs, WideCharactersNeedVersion12) {
  for (const CORBA::Any& any : {any_of(std::wstring(L"w")), any_of(L'w'), any_of(any_of(std::wstring()))}) {
    for (const std::uint8_t minor : {0, 1}) {
      EXPECT_THROW(codec(minor)->encode(any), IOP::Codec::InvalidTypeForEncoding);
      EXPECT_THROW(codec(minor)->encode_value(any), IOP::Codec::InvalidTypeForEncoding);
    }
    EXPECT_EQ(codec(2)->decode(codec(2)->encode(any)), any);
  }
}

TEST_F(Codecs, CharactersAreInTheCodeSetThatWasAskedFor) {
  const CORBA::Any umlaut = any_of(std::string("\u00fc"));
  const auto last_octets = [](const Octets& octets) { return Octets(octets.begin() + 8, octets.end()); };
  EXPECT_EQ(last_octets(codec()->encode_value(umlaut)), (Octets{0xfc, 0}));
  EXPECT_EQ(last_octets(codec_with(latin, utf_16)->encode_value(umlaut)), (Octets{0xfc, 0}));
  EXPECT_EQ(last_octets(codec_with(utf_8, 0)->encode_value(umlaut)), (Octets{0xc3, 0xbc, 0}));
  EXPECT_THROW(codec()->encode_value(any_of(std::string("\u20ac"))), CORBA::DATA_CONVERSION);
  const auto unicode = codec_with(utf_8, utf_16);
  EXPECT_EQ(unicode->decode(unicode->encode(umlaut)), umlaut);
}

TEST_F(Codecs, OnlyKnownEncodingsHaveCodecs) {
  EXPECT_THROW(factory->create_codec({1, 1, 2}), CodecFactory::UnknownEncoding);
  EXPECT_THROW(factory->create_codec({IOP::ENCODING_CDR_ENCAPS, 1, 3}), CodecFactory::UnknownEncoding);
  EXPECT_THROW(factory->create_codec({IOP::ENCODING_CDR_ENCAPS, 2, 0}), CodecFactory::UnknownEncoding);
  EXPECT_THROW(factory->create_codec({IOP::ENCODING_CDR_ENCAPS, 0, 2}), CORBA::BAD_PARAM);
  EXPECT_THROW(factory->create_codec_with_codesets({IOP::ENCODING_CDR_ENCAPS, 1, 4, 0, 0}),
               CodecFactory::UnknownEncoding);
}

TEST_F(Codecs, UnknownCodeSetsAreNamed) {
  for (const auto& [narrow, wide] : {std::pair{0x12345678u, utf_16}, {latin, 0x12345678u}}) {
    try {
      codec_with(narrow, wide);
      ADD_FAILURE();
    } catch (const CodecFactory::UnsupportedCodeset& refused) {
      EXPECT_EQ(refused.codeset(), 0x12345678u);
    }
  }
}

TEST_F(Codecs, OctetsThatAreNoEncapsulationDoNotMatchTheFormat) {
  const auto longs = IDL::type_code<std::int32_t>();
  for (const Octets& octets : {Octets{}, Octets{2, 0, 0, 0, 0, 0, 0, 0}, Octets{0xff}}) {
    EXPECT_THROW(codec()->decode(octets), IOP::Codec::FormatMismatch);
    EXPECT_THROW(codec()->decode_value(octets, longs), IOP::Codec::FormatMismatch);
  }
}

TEST_F(Codecs, ValuesOfAnotherTypeAreRefused) {
  const auto booleans = IDL::type_code<bool>();
  EXPECT_THROW(codec()->decode_value({1, 7}, booleans), IOP::Codec::TypeMismatch);
  EXPECT_THROW(codec()->decode_value({1}, booleans), IOP::Codec::TypeMismatch);
  EXPECT_THROW(codec()->decode_value({1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}, IDL::type_code<std::string>()),
               IOP::Codec::TypeMismatch);
  EXPECT_THROW(codec()->decode_value({1, 1}, nullptr), CORBA::BAD_TYPECODE);
}

// Each octet of a good encapsulation takes each value in turn, and each prefix is tried.
TEST_F(Codecs, DamagedOctetsAreDecodedOrRefused) {
  const Octets good = codec()->encode(any_of(Calls::Points{{1, 2.5, "abc"}}));
  const auto try_it = [&](const Octets& octets) {
    try {
      codec()->encode(codec()->decode(octets));
    } catch (const IOP::Codec::FormatMismatch&) {
    } catch (const CORBA::SystemException&) {  // a text that was read in place of another cannot be written
    }
  };
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_THROW(codec()->decode(Octets(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size))),
                 IOP::Codec::FormatMismatch);
  for (std::size_t at = 0; at < good.size(); ++at)
    for (const std::uint8_t value : {0, 1, 2, 0x7f, 0x80, 0xff}) {
      Octets damaged = good;
      damaged[at] = value;
      try_it(damaged);
    }
  Octets longer = good;
  longer.push_back(0);
  EXPECT_EQ(codec()->encode(codec()->decode(longer)), good);
}

TEST_F(Codecs, ExceptionsSayWhatIsWrong) {
  EXPECT_STREQ(IOP::Codec::FormatMismatch().what(),
               "IOP::Codec::FormatMismatch: the octets are not an encapsulation with such content");
  EXPECT_STREQ(IOP::Codec::TypeMismatch().what(),
               "IOP::Codec::TypeMismatch: the octets have no value of that type");
  EXPECT_STREQ(
      IOP::Codec::InvalidTypeForEncoding().what(),
      "IOP::Codec::InvalidTypeForEncoding: wide characters are encoded only by codecs for GIOP 1.2 that "
      "have a code set for them");
  EXPECT_STREQ(CodecFactory::UnknownEncoding().what(),
               "IOP::CodecFactory::UnknownEncoding: codecs are for CDR encapsulations of GIOP 1.0 to 1.2");
  EXPECT_STREQ(CodecFactory::UnsupportedCodeset(1).what(),
               "IOP::CodecFactory::UnsupportedCodeset: there is no conversion for the code set");
}

// References keep the ORB's decoding alive, but cannot be called any more.
TEST(CodecsOfADestroyedOrb, StillWork) {
  const Orb orb = make_orb({}, "codecs");
  const auto codec = IDL::traits<CodecFactory>::narrow(orb->resolve_initial_references("CodecFactory"))
                         ->create_codec({IOP::ENCODING_CDR_ENCAPS, 1, 2});
  const Octets octets = codec->encode(any_of(orb->string_to_object("corbaloc::127.0.0.1:1/Key")));
  orb->destroy();
  CORBA::object_reference<CORBA::Object> back;
  ASSERT_TRUE(codec->decode(octets) >>= back);
  EXPECT_THROW(back->_non_existent(), CORBA::SystemException);
}

}  // namespace
}  // namespace feature
