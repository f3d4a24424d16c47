// Response times of threads that a transaction's clock releases at fixed distances.
#pragma once

#include <span>

#include "schedulability/analysis/holistic.h"

namespace takt::scheduling {

// Replaces the responses in `result`, which hold for every phasing of the threads, by shorter ones that hold
// for the declared offsets. Sets `shares` for the replaced responses that exceed their deadlines.
//
// The method is that of Palencia and González Harbour 1998, after Tindell 1994: a busy period begins when, in
// each transaction, the release of some thread at the end of its jitter is at that instant. All these firsts
// are examined in all combinations, which is exact. Beyond 64 combinations of other transactions, each of
// them delays by the most that any of its threads as the first would cause in the window. Threads with
// bursts keep their responses. So do threads that wait for other processors, and those that they wait for;
// these delay others as if each job came anywhere within its response. A result that is not found within
// `usual_steps` leaves the response as it was.
//
// So do threads with reservations. A reservation is in `shares` with its number, beyond those of the threads.
void use_offsets(std::span<const Thread> threads, std::span<const Reservation> reservations,
                 HolisticResult& result);

}  // namespace takt::scheduling
