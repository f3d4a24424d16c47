// Clients that declare periods, as an operation admits them.
#include "rt/operations/client_rates.h"

#include <gtest/gtest.h>

namespace takt::rt {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

// An operation with a period of 100 ms.
struct ClientRatesOfOne : testing::Test {
  // By how much the call of a client comes early.
  nanoseconds call(std::uint64_t client, nanoseconds period) {
    return rates.early_by(client, {.client_period = period, .operation_period = of_operation, .ahead = 0ns},
                          now, [] { return 0ns; });
  }
  static constexpr nanoseconds of_operation = 100ms;
  ClientRates rates;
  std::chrono::steady_clock::time_point now{24h};
};

TEST_F(ClientRatesOfOne, AClientThatWasForgottenIsAdmittedOnlyIfItStillFits) {
  EXPECT_EQ(call(1, 100ms), 0ns);
  EXPECT_EQ(call(2, 100ms), of_operation) << "it does not fit beside the first";
  now += 2s;
  EXPECT_EQ(call(2, 100ms), 0ns) << "the first is forgotten";
  now += 200ms;
  EXPECT_EQ(call(1, 100ms), of_operation) << "and does not fit beside the second";
  EXPECT_EQ(call(2, 100ms), 0ns);
}

TEST_F(ClientRatesOfOne, ClientsThatDeclareNextToNoRateKeepNobodyOut) {
  constexpr auto century = 24h * 365 * 100;
  for (std::uint64_t client = 1; client <= 200; ++client)
    EXPECT_EQ(call(client, century), client <= 64 ? 0ns : of_operation);
  now += 24h * 365;  // and they are never heard of again
  for (std::uint64_t client = 1001; client <= 1009; ++client) EXPECT_EQ(call(client, 1s), 0ns) << client;
  EXPECT_EQ(call(1010, 500ms), of_operation) << "ten calls a second are all that the operation takes";
  EXPECT_EQ(call(1001, 1s), 1s) << "those who came are held to their rates";
}

TEST_F(ClientRatesOfOne, AClientGivesWayOnlyToOneWithAShorterPeriod) {
  for (std::uint64_t client = 1; client <= 64; ++client) EXPECT_EQ(call(client, 1h), 0ns);
  EXPECT_EQ(call(65, 1h), of_operation);
  EXPECT_EQ(call(65, 50ms), of_operation) << "its rate does not fit, so nobody gives way";
  EXPECT_EQ(call(65, 30min), 0ns);
  int held = 0;
  for (std::uint64_t client = 1; client <= 64; ++client) held += call(client, 1h) == 1h;
  EXPECT_EQ(held, 63);
}

}  // namespace
}  // namespace takt::rt
