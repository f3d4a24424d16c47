// IDL: tests/docs/contexts/office.idl --amh --tasks
#pragma once

#include "plain.h"

#include <coroutine>
#include <functional>

#include "officeS.h"

void in_another_thread(std::function<void()> work);

struct Resumed {
  bool await_ready() const;
  void await_suspend(std::coroutine_handle<> waiting) const;
  void await_resume() const;
};
