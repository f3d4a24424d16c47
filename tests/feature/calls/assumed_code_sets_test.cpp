// Text where peers negotiate no code sets.
#include <gtest/gtest.h>

#include "../hostile/raw_peer.h"
#include "orbs.h"

namespace feature {
namespace {

const std::string beyond_latin = "Za\u017c\u00f3\u0142\u0107";

Options assuming(const std::string& narrow, const std::string& wide = "none") {
  return {"-ORBAssumedCharCodeSet", narrow, "-ORBAssumedWcharCodeSet", wide,
          "-ORBMessaging",          "giop", "-ORBCompression",         "off"};
}

std::string joined(const EchoRef& echo, const std::string& a) {
  std::string b = "b", c;
  return echo->join(a, b, c);
}

TEST(AssumedCodeSets, OfGiop10MayBeUtf8) {
  const std::string ascii = "ascii";
  for (const char* const set : {"UTF-8", "ISO-8859-1"}) {
    ServerAndClient orbs(with({"-ORBGIOPVersion", "1.0"}, assuming(set)), assuming(set));
    const std::string expected = joined(orbs.echo, ascii);
    if (set == std::string("UTF-8")) {
      const std::string got = joined(orbs.echo, beyond_latin);
      EXPECT_EQ(got, std::string(expected).replace(expected.find(ascii), ascii.size(), beyond_latin));
    } else {
      EXPECT_THROW(joined(orbs.echo, beyond_latin), CORBA::DATA_CONVERSION);
    }
  }
}

TEST(AssumedCodeSets, OfACorbalocMayHaveWideCharacters) {
  const auto summed = [](const std::string& wide) {
    ServerAndClient orbs(assuming("ISO-8859-1", wide), assuming("ISO-8859-1", wide));
    const auto object = orbs.client->string_to_object(Place(orbs.ior).corbaloc());
    const auto echo = takt::reference::make_stub<Calls::Echo>(object->_ref());
    std::wstring text;
    echo->sum({}, text, L"\u20ac");
    return text;
  };
  for (const char* const set : {"UTF-16", "UTF-16-of-message"})
    EXPECT_NE(summed(set).find(L'\u20ac'), std::wstring::npos) << set;
  EXPECT_THROW(summed("none"), CORBA::INV_OBJREF);
}

}  // namespace
}  // namespace feature
