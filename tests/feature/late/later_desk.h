// A servant that answers later, in a thread of its own or when a test says so.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "../orb_pair.h"
#include "lateS.h"

namespace late {

using Handler = CORBA::amh_traits<Late::Desk>::response_handler_ref_type;

// Runs functions in one thread, in order.
class Executor {
 public:
  ~Executor() {
    {
      std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  void post(std::function<void()> work) {
    {
      std::lock_guard lock(mutex_);
      work_.push_back(std::move(work));
    }
    changed_.notify_all();
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return over_ || !work_.empty(); });
      if (work_.empty()) return;
      const auto work = std::move(work_.front());
      work_.pop_front();
      lock.unlock();
      work();
      lock.lock();
    }
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> work_;
  bool over_ = false;
  std::thread thread_{[this] { run(); }};
};

// Handlers that a servant has kept.
class Kept {
 public:
  void put(Handler handler) {
    std::lock_guard lock(mutex_);
    handlers_.push_back(std::move(handler));
    changed_.notify_all();
  }
  // Waits for a handler.
  Handler take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !handlers_.empty(); });
    Handler first = std::move(handlers_.front());
    handlers_.pop_front();
    return first;
  }
  // Nil if there is none.
  Handler try_take() {
    std::lock_guard lock(mutex_);
    if (handlers_.empty()) return {};
    Handler first = std::move(handlers_.front());
    handlers_.pop_front();
    return first;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Handler> handlers_;
};

class LaterDesk : public CORBA::amh_traits<Late::Desk>::base_type {
 public:
  void count(Handler handler) override {
    executor.post([handler, this] { handler->get_count(count_); });
  }
  void count(Handler handler, std::int32_t value) override {
    executor.post([handler, this, value] {
      count_ = value;
      handler->set_count();
    });
  }
  void title(Handler handler) override {
    executor.post([handler] { handler->get_title("the desk"); });
  }
  void greet(Handler handler, const std::string& name) override {
    if (name == "keep") return kept.put(std::move(handler));
    if (name == "drop") return;
    if (name == "throw") throw Late::NoRoom(3);
    if (name == "throw unlisted") throw Late::Unlisted("thrown");
    executor.post([handler, name] { answer_greeting(handler, name); });
  }
  void swap(Handler handler, std::int32_t a, const std::string& b) override {
    executor.post([=] { handler->swap(a + 1, b + "!", Late::Point(a, 2.5)); });
  }
  void echo(Handler handler, const Late::Octets& data) override {
    executor.post([=] { handler->echo(data); });
  }
  void find(Handler handler, const std::string& name) override {
    executor.post([=, this] {
      if (name == "elsewhere" && elsewhere)
        handler->find_excep(std::make_exception_ptr(PortableServer::ForwardRequest(elsewhere)));
      else
        handler->find(self);
    });
  }
  void rest(Handler handler) override { handler->rest(); }
  void note(Handler, const std::string& text) override {
    executor.post([=, this] { notes.push_back(text); });
  }

  CORBA::object_reference<CORBA::Object> self, elsewhere;
  Kept kept;
  std::vector<std::string> notes;  // written by the executor
  Executor executor;

 private:
  static void answer_greeting(const Handler& handler, const std::string& name) {
    if (name == "exception") return handler->greet_excep(std::make_exception_ptr(Late::NoRoom(7)));
    if (name == "unlisted") return handler->greet_excep(std::make_exception_ptr(Late::Unlisted("late")));
    if (name == "system")
      return handler->greet_excep(std::make_exception_ptr(CORBA::NO_PERMISSION(5, CORBA::COMPLETED_NO)));
    if (name == "standard") return handler->greet_excep(std::make_exception_ptr(std::runtime_error("odd")));
    handler->greet("hello, " + name);
  }
  std::int32_t count_ = 0;  // used by the executor
};

}  // namespace late
