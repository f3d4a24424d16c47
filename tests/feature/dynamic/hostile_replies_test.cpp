// Replies that are cut short or hostile, to requests in each state.
#include <atomic>
#include <functional>
#include <mutex>
#include <random>
#include <vector>

#include <takt/cdr/encoder.h>

#include "../../eventually.h"
#include "hostile_server.h"
#include "requests.h"

namespace feature {
namespace {

using Octets = std::vector<std::uint8_t>;
using Strings = std::vector<std::string>;
using takt::test::eventually;
enum Status : std::uint32_t { no_exception, user_exception, system_exception, location_forward };

template <class Write>
Octets body(Write write) {
  takt::GatherBuffer buffer;
  takt::cdr::Encoder out(buffer);
  out.set_borrowing(false);
  write(out);
  return {buffer.owned(), buffer.owned() + buffer.owned_size()};
}

const Octets strings = body([](auto& out) {
  out.put_count(2);
  out.put_string("first");
  out.put_string("second");
});

struct HostileReplies : testing::Test {
  ~HostileReplies() override { client->destroy(); }

  // A request for a sequence of strings, which gets this reply.
  RequestRef request(Status status, Octets given) {
    {
      const std::lock_guard lock(mutex);
      reply_status = status;
      reply_body = std::move(given);
    }
    const auto made = client->string_to_object(server.url())->_request("anything");
    made->set_return_type(IDL::type_code<Strings>());
    made->exceptions().push_back(Calls::_tc_Refused);
    return made;
  }
  void expect_usable() {
    const auto good = request(no_exception, strings);
    good->invoke();
    Strings result;
    EXPECT_TRUE(good->return_value() >>= result);
    EXPECT_EQ(result, (Strings{"first", "second"}));
  }

  // Calls `run` with a request for each prefix of the body.
  void with_prefixes(Status status, const Octets& whole, const std::function<void(RequestRef)>& run) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      SCOPED_TRACE(size);
      run(request(status, Octets(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))));
    }
    expect_usable();
  }

  // A reply of GIOP 1.2 to the request, whose id is in octets 12 to 15.
  Octets reply_to(const Octets& asked) {
    const std::lock_guard lock(mutex);
    Octets message = body([&](auto& out) {
      for (const std::uint8_t octet : {0x47, 0x49, 0x4f, 0x50, 1, 2, 1, 1}) out.put(octet);
      out.put(static_cast<std::uint32_t>(12 + reply_body.size()));
    });
    message.insert(message.end(), asked.begin() + 12, asked.begin() + 16);
    const Octets rest = body([&](auto& out) {
      out.put(static_cast<std::uint32_t>(reply_status));
      out.put(std::uint32_t{0});
    });
    message.insert(message.end(), rest.begin(), rest.end());
    message.insert(message.end(), reply_body.begin(), reply_body.end());
    message.resize(message.size() - std::min(kept_back, message.size()));
    return message;
  }

  std::mutex mutex;
  Status reply_status = no_exception;
  Octets reply_body;
  std::size_t kept_back = 0;  // octets of the message that are never sent
  HostileServer server{[this](int fd, int) {
    for (;;) {
      const Octets asked = receive_some(fd);
      if (asked.size() < 16 || asked[7] != 0) return;
      send_octets(fd, reply_to(asked));
      if (kept_back != 0) return;
    }
  }};
  // One connection for the threads of deferred requests too, because the server has one at a time.
  Orb client = make_orb({"-ORBClientConnections", "multiplexed", "-ORBRoundTripTimeout", "20s"}, "client");
};

TEST_F(HostileReplies, ResultsThatAreCutShortAreMarshal) {
  with_prefixes(no_exception, strings, [](RequestRef cut) { EXPECT_THROW(cut->invoke(), CORBA::MARSHAL); });
}

TEST_F(HostileReplies, DeferredRequestsGiveTheirFailureOnce) {
  with_prefixes(no_exception, strings, [](RequestRef cut) {
    cut->send_deferred();
    EXPECT_THROW(cut->get_response(), CORBA::MARSHAL);
    EXPECT_EQ(order_minor_of([&] { cut->get_response(); }), 12);
  });
  const auto cut = request(no_exception, {1});
  cut->send_deferred();
  EXPECT_TRUE(eventually([&] { return cut->poll_response(); }));
  EXPECT_THROW(cut->get_response(), CORBA::MARSHAL);
}

TEST_F(HostileReplies, ARequestIsMadeAgainAfterOne) {
  const auto kept = request(no_exception, {2, 0, 0, 0, 200});
  for (int i = 0; i < 3; ++i) {
    EXPECT_THROW(kept->invoke(), CORBA::MARSHAL);
    EXPECT_EQ(order_minor_of([&] { kept->invoke(); }), 10);
    kept->_reset();
  }
  {
    const std::lock_guard lock(mutex);
    reply_body = strings;
  }
  kept->invoke();
  Strings result;
  EXPECT_TRUE(kept->return_value() >>= result);
  EXPECT_EQ(result.size(), 2u);
}

TEST_F(HostileReplies, ExceptionsThatAreCutShortAreSystemExceptions) {
  const Octets refused = body([](auto& out) {
    out.put_raw_string("IDL:Calls/Refused:1.0");
    out.put_string("why");
    out.put(std::int32_t{7});
  });
  with_prefixes(user_exception, refused,
                [](RequestRef cut) { EXPECT_THROW(cut->invoke(), CORBA::SystemException); });
  const Octets transient = body([](auto& out) {
    out.put_raw_string("IDL:omg.org/CORBA/TRANSIENT:1.0");
    out.put(std::uint32_t{1});
    out.put(std::uint32_t{1});
  });
  with_prefixes(system_exception, transient,
                [](RequestRef cut) { EXPECT_THROW(cut->invoke(), CORBA::SystemException); });
}

TEST_F(HostileReplies, ForwardsThatAreCutShortAreSystemExceptions) {
  const Octets elsewhere = body([](auto& out) {
    out.put_string("IDL:Calls/Echo:1.0");
    out.put(std::uint32_t{1});
    out.put(std::uint32_t{0});
    out.put(std::uint32_t{8});
    out.put(std::uint64_t{0});
  });
  with_prefixes(location_forward, elsewhere,
                [](RequestRef cut) { EXPECT_THROW(cut->invoke(), CORBA::SystemException); });
}

TEST_F(HostileReplies, MessagesThatEndBeforeTheirSizeAreCommFailure) {
  for (const std::size_t missing : {std::size_t{1}, std::size_t{9}, strings.size(), strings.size() + 8}) {
    kept_back = missing;
    EXPECT_THROW(request(no_exception, strings)->invoke(), CORBA::COMM_FAILURE) << missing;
    const auto deferred = request(no_exception, strings);
    deferred->send_deferred();
    EXPECT_THROW(deferred->get_response(), CORBA::COMM_FAILURE) << missing;
    kept_back = 0;
    expect_usable();
  }
}

TEST_F(HostileReplies, ChangedOctetsAreAValueOrASystemException) {
  std::mt19937 random(1);
  int values = 0;
  for (int round = 0; round < 300; ++round) {
    Octets hostile = strings;
    for (auto changes = 1 + random() % 3; changes > 0; --changes)
      hostile[random() % hostile.size()] = static_cast<std::uint8_t>(random());
    const auto made = request(static_cast<Status>(random() % 3), hostile);
    try {
      made->invoke();
      ++values;
      Strings result;
      EXPECT_TRUE(made->return_value() >>= result);
    } catch (const CORBA::SystemException&) {
    }
  }
  EXPECT_NE(values, 0);
  expect_usable();
}

}  // namespace
}  // namespace feature
