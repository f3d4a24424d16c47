// The outcome of a call to a client of an event channel.
#pragma once

#include <cstdint>
#include <utility>

#include <takt/corba.h>

#include "CosEventCommC.h"

namespace takt::events {

enum class Answer : std::uint8_t {
  done,
  gone,         // it says that it is disconnected, or that it does not exist
  not_reached,  // it has not begun the operation, which can be repeated
  again,        // the same, but it can be reached: the operation is to be repeated alone
  lost,         // it may have carried out the operation
  exception,    // it raised another exception
};

// Runs the call. Throws nothing.
template <class Call>
Answer answer_of(Call&& call) noexcept {
  try {
    std::forward<Call>(call)();
    return Answer::done;
  } catch (const CosEventComm::Disconnected&) {
    return Answer::gone;
  } catch (const CORBA::OBJECT_NOT_EXIST&) {
    return Answer::gone;
  } catch (const CORBA::INV_OBJREF&) {
    return Answer::gone;
  } catch (const CORBA::TRANSIENT& failure) {
    return failure.completed() == CORBA::COMPLETED_NO ? Answer::not_reached : Answer::lost;
  } catch (const CORBA::COMM_FAILURE& failure) {
    return failure.completed() == CORBA::COMPLETED_NO ? Answer::not_reached : Answer::lost;
  } catch (const CORBA::TIMEOUT& failure) {
    return failure.completed() == CORBA::COMPLETED_NO ? Answer::not_reached : Answer::lost;
  } catch (...) {
    return Answer::exception;
  }
}

}  // namespace takt::events
