// bench_trading_client REFERENCE CONSTRAINT PREFERENCE ROUNDS: asks a trader ROUNDS times for Printers, once
// more before that to warm up. Prints the number of offers, and the median, the 99th percentile and the
// longest time in microseconds.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include <takt/corba.h>

#include "CosTradingC.h"

int main(int argc, char** argv) try {
  using Clock = std::chrono::steady_clock;
  const auto orb = CORBA::ORB_init(argc, argv);
  if (argc != 5)
    throw std::runtime_error("give a reference, a constraint, a preference and a number of rounds");
  const auto lookup = IDL::traits<CosTrading::Lookup>::unchecked_narrow(orb->string_to_object(argv[1]));
  CosTrading::Lookup::SpecifiedProps all;
  all._d(CosTrading::Lookup::HowManyProps::all);
  std::vector<double> times;
  std::size_t found = 0;
  for (int round = -1; round < std::atoi(argv[4]); ++round) {
    CosTrading::OfferSeq offers;
    CORBA::object_reference<CosTrading::OfferIterator> rest;
    CosTrading::PolicyNameSeq limits;
    const auto begin = Clock::now();
    lookup->query("Printer", argv[2], argv[3], {}, all, 10, offers, rest, limits);
    const std::chrono::duration<double, std::micro> time = Clock::now() - begin;
    if (round >= 0) times.push_back(time.count());
    found = offers.size() + (rest ? rest->max_left() : 0);
    if (rest) rest->destroy();
  }
  std::ranges::sort(times);
  std::cout << found << ' ' << times[times.size() / 2] << ' ' << times[times.size() * 99 / 100] << ' '
            << times.back() << '\n';
  orb->destroy();
} catch (const std::exception& failure) {
  std::cerr << "bench_trading_client: " << failure.what() << '\n';
  return 1;
}
