// Building blocks of skeletons that takt-idl --tasks makes: servants whose methods are coroutines.
#pragma once

#include <exception>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <takt/adapter/late_skeleton.h>
#include <takt/adapter/task.h>

namespace CORBA {

// The class for servants of an interface whose methods are coroutines. Generated for each interface by
// --tasks; base_type is the servant's base.
template <class Interface>
struct task_traits;

}  // namespace CORBA

namespace takt::adapter {

namespace detail {

[[noreturn]] void throw_no_task();

// An argument for a coroutine, which owns it: views are copied.
template <class T>
T&& owned(T& value) {
  return std::move(value);
}
template <class T>
std::vector<T> owned(std::span<const T>& view) {
  return {view.begin(), view.end()};
}

template <class T>
inline constexpr bool is_tuple = false;
template <class... T>
inline constexpr bool is_tuple<std::tuple<T...>> = true;

template <class Op, class T>
void give_end(TaskState& state, server::LateAnswer& answer) {
  if (state.exception()) return give_exception<Op>(answer, state.exception());
  if constexpr (std::is_void_v<T>)
    give_results<Op>(answer);
  else if constexpr (is_tuple<T>)
    std::apply([&](const auto&... values) { give_results<Op>(answer, values...); },
               static_cast<TaskPromise<T>&>(state).value());
  else
    give_results<Op>(answer, static_cast<TaskPromise<T>&>(state).value());
}

}  // namespace detail

// Runs Op on servant S. Run calls the servant's method, and returns its task.
template <class S, class Op, auto Run>
struct TaskUpcall : DecodedUpcall<TaskUpcall<S, Op, Run>, S, Op> {
  template <class Sent>
  static void run(S& servant, server::ServerCall& call, const Sent& sent) {
    try {
      begin(std::apply([&](auto&... one) { return Run(servant, one...); }, sent), servant, call);
    } catch (...) {
      answer_with(call, std::current_exception(), &detail::ListedBy<Op>::answer);
    }
  }

 private:
  template <class T>
  static void begin(Task<T> task, S& servant, server::ServerCall& call) {
    if (!task) detail::throw_no_task();
    task.promise().answer(call, Op::name, servant._lock(), &detail::give_end<Op, T>);
    task.release().resume();
  }
};

// An entry of S's operation table.
template <class S, class Op, auto Run>
constexpr OperationEntry<S> task_entry() {
  using Upcall = TaskUpcall<S, Op, Run>;
  return {Op::name, &Op::id, &Upcall::from_wire, &Upcall::direct};
}

}  // namespace takt::adapter
