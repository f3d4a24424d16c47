// Servants of the classic mapping that answer later (takt-idl --mapping classic --amh).
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <initializer_list>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "latesS.h"

namespace {

using Lates::AMH_DeskExceptionHolder;
using Lates::AMH_DeskResponseHandler;
using Lates::AMH_DeskResponseHandler_ptr;
using Lates::AMH_DeskResponseHandler_var;

// Runs functions in one thread, in order.
class Executor {
 public:
  ~Executor() {
    post(nullptr);
    thread_.join();
  }
  void post(std::function<void()> work) {
    const std::lock_guard<std::mutex> lock(mutex_);
    work_.push_back(work);
    changed_.notify_all();
  }

 private:
  void run() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      while (work_.empty()) changed_.wait(lock);
      const std::function<void()> work = work_.front();
      work_.pop_front();
      if (!work) return;
      lock.unlock();
      work();
      lock.lock();
    }
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> work_;
  std::thread thread_{&Executor::run, this};
};

class Desk_i : public virtual POA_Lates::AMH_Desk {
 public:
  void count(AMH_DeskResponseHandler_ptr handler) override { handler->get_count(count_); }
  void count(AMH_DeskResponseHandler_ptr handler, CORBA::Long value) override {
    count_ = value;
    handler->set_count();
  }
  void list(AMH_DeskResponseHandler_ptr handler) override {
    Lates::Names names;
    names.length(1);
    names[0u] = CORBA::string_dup("one");
    handler->get_list(names);
  }
  void greet(AMH_DeskResponseHandler_ptr handler, const char* name) override {
    const std::string text = name;
    if (text == "throw") throw Lates::NoRoom(3);
    if (text == "throw unlisted") throw Lates::Unlisted("thrown");
    if (text == "throw other") throw std::string("none of CORBA's");
    if (text == "drop") return;
    const AMH_DeskResponseHandler_var kept = AMH_DeskResponseHandler::_duplicate(handler);
    executor.post([this, kept, text] { answer(kept.in(), text); });
  }
  void swap(AMH_DeskResponseHandler_ptr handler, Lates::Colour colour, const char* text,
            const Lates::Spot& point) override {
    Lates::Variable whole;
    whole.text = text;
    whole.number = colour;
    Lates::Spot other = point;
    other.a += 1;
    handler->swap(1234567890123, (std::string(text) + "!").c_str(), whole, other);
  }
  void join(AMH_DeskResponseHandler_ptr handler, const Lates::Names& names,
            const Lates::Texts texts) override {
    const Lates::Row row = {1, 2, 3};
    CORBA::Any value;
    value <<= names.length();
    Lates::Names back;
    if (names.length() > 1) back = names;
    handler->join(names, back, row, texts, value);
  }
  void find(AMH_DeskResponseHandler_ptr handler, Lates::Desk_ptr from) override {
    if (CORBA::is_nil(from)) {
      AMH_DeskExceptionHolder holder(new PortableServer::ForwardRequest(elsewhere.in()));
      return handler->find_excep(&holder);
    }
    handler->find(from, CORBA::Object::_nil());
  }
  void rest(AMH_DeskResponseHandler_ptr handler) override { handler->rest(); }
  void note(AMH_DeskResponseHandler_ptr, const char* text) override { noted += text; }

  Lates::Desk_var elsewhere;
  std::string noted;
  std::atomic<int> of_another_operation{0}, again{0};  // refused answers
  Executor executor;

 private:
  void answer(AMH_DeskResponseHandler_ptr handler, const std::string& text) {
    if (text == "exception") {
      AMH_DeskExceptionHolder holder(new Lates::NoRoom(7));
      return handler->greet_excep(&holder);
    }
    if (text == "system") {
      AMH_DeskExceptionHolder* const holder =
          new AMH_DeskExceptionHolder(new CORBA::NO_PERMISSION(5, CORBA::COMPLETED_NO));
      handler->greet_excep(holder);
      return holder->_remove_ref();
    }
    if (text == "null") {
      AMH_DeskExceptionHolder holder(nullptr);
      return handler->greet_excep(&holder);
    }
    if (text == "null text") return handler->greet(nullptr);
    if (text == "null holder") try {
        handler->greet_excep(nullptr);
      } catch (const CORBA::BAD_PARAM&) {
        return handler->greet("refused");
      }
    try {
      handler->rest();
    } catch (const CORBA::BAD_OPERATION&) {
      ++of_another_operation;
    }
    handler->greet(("hello, " + text).c_str());
    try {
      handler->greet("twice");
    } catch (const CORBA::BAD_INV_ORDER&) {
      ++again;
    }
  }
  CORBA::Long count_ = 0;
};

class ClassicLate : public testing::Test {
 protected:
  static CORBA::ORB_ptr make(const char* name, std::initializer_list<const char*> more) {
    std::vector<char*> words{const_cast<char*>("test")};
    for (const char* word : more) words.push_back(const_cast<char*>(word));
    words.push_back(nullptr);
    int count = static_cast<int>(words.size()) - 1;
    return CORBA::ORB_init(count, words.data(), name);
  }
  ClassicLate()
      : server(make("late server", {"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBServerConcurrency",
                                    "thread-per-connection"})),
        client(make("late client", {})) {
    CORBA::Object_var root = server->resolve_initial_references("RootPOA");
    poa = PortableServer::POA::_narrow(root);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    here = publish(servant);
    desk = seen_by_client(here.in());
  }
  ~ClassicLate() {
    client->destroy();
    server->destroy();
    servant->_remove_ref();
  }
  Lates::Desk_ptr publish(Desk_i* made) {
    PortableServer::ObjectId_var id = poa->activate_object(made);
    CORBA::Object_var object = poa->id_to_reference(id.in());
    return Lates::Desk::_narrow(object.in());
  }
  Lates::Desk_ptr seen_by_client(CORBA::Object_ptr object) {
    CORBA::String_var text = server->object_to_string(object);
    CORBA::Object_var seen = client->string_to_object(text.in());
    return Lates::Desk::_narrow(seen.in());
  }
  CORBA::ORB_var server, client;
  PortableServer::POA_var poa;
  Desk_i* servant = new Desk_i;
  Lates::Desk_var here, desk;
};

TEST_F(ClassicLate, AnswersCarryResultsOfAllKinds) {
  CORBA::String_var greeting = desk->greet("world");
  EXPECT_STREQ(greeting.in(), "hello, world");
  desk->count(6);
  EXPECT_EQ(desk->count(), 6);
  Lates::Names_var names = desk->list();
  ASSERT_EQ(names->length(), 1u);
  EXPECT_STREQ(names[0u], "one");
  CORBA::String_var text = CORBA::string_dup("t");
  Lates::Variable_var whole;
  Lates::Spot point = {4, 2.5};
  EXPECT_EQ(desk->swap(Lates::green, text.inout(), whole.out(), point), 1234567890123);
  EXPECT_STREQ(text.in(), "t!");
  EXPECT_STREQ(whole->text, "t");
  EXPECT_EQ(whole->number, 1);
  EXPECT_EQ(point.a, 5);
  Lates::Row row;
  Lates::Texts texts;
  texts[0] = CORBA::string_dup("x");
  texts[1] = CORBA::string_dup("y");
  CORBA::Any_var value;
  Lates::Names_var joined = desk->join(names.inout(), row, texts, value.out());
  EXPECT_EQ(joined->length(), 1u);
  EXPECT_EQ(names->length(), 0u);
  EXPECT_EQ(row[2], 3);
  EXPECT_STREQ(texts[1], "y");
  CORBA::ULong length = 0;
  EXPECT_TRUE(value.in() >>= length);
  EXPECT_EQ(length, 1u);
  desk->rest();
  desk->note("noted");
  CORBA::Object_var other;
  Lates::Desk_var found = desk->find(desk.in(), other.out());
  EXPECT_TRUE(found->_is_equivalent(desk.in()));
  EXPECT_TRUE(CORBA::is_nil(other.in()));
  EXPECT_EQ(servant->noted, "noted");
  EXPECT_TRUE(desk->_is_a("IDL:Lates/Counter:1.0"));
}

TEST_F(ClassicLate, InoutSequencesLeaveMemoryThatTheyWereLentToTheLender) {
  char first[] = "first", second[] = "second";
  char* lent[] = {first, second};
  Lates::Names names(2, 2, lent, false);
  Lates::Row row;
  Lates::Texts texts;
  texts[0] = CORBA::string_dup("x");
  texts[1] = CORBA::string_dup("y");
  CORBA::Any_var value;
  Lates::Names_var joined = desk->join(names, row, texts, value.out());
  ASSERT_EQ(names.length(), 2u);
  EXPECT_STREQ(names[1], "second");
  EXPECT_TRUE(names.release());
  EXPECT_TRUE(lent[0] == first && lent[1] == second);
  EXPECT_STREQ(first, "first");
}

TEST_F(ClassicLate, HandlersAnswerOnce) {
  CORBA::String_var first = desk->greet("once"), second = desk->greet("again");
  EXPECT_GE(servant->of_another_operation, 1);
  EXPECT_GE(servant->again, 1);
}

TEST_F(ClassicLate, AnswersCarryExceptions) {
  const std::pair<const char*, int> cases[] = {{"exception", 7}, {"throw", 3}};
  for (const auto& one : cases) try {
      CORBA::String_var none = desk->greet(one.first);
      ADD_FAILURE() << one.first;
    } catch (const Lates::NoRoom& exception) {
      EXPECT_EQ(exception.rooms, one.second);
    }
  EXPECT_THROW(desk->greet("throw unlisted"), CORBA::UNKNOWN);
  EXPECT_THROW(desk->greet("throw other"), CORBA::UNKNOWN);
  EXPECT_THROW(desk->greet("null"), CORBA::UNKNOWN);
  EXPECT_THROW(desk->greet("drop"), CORBA::NO_RESPONSE);
  try {
    desk->greet("system");
    ADD_FAILURE();
  } catch (const CORBA::NO_PERMISSION& exception) {
    EXPECT_EQ(exception.minor(), 5u);
    EXPECT_EQ(exception.completed(), CORBA::COMPLETED_NO);
  }
}

TEST_F(ClassicLate, NullPointersAreRefused) {
  CORBA::String_var told = desk->greet("null holder");
  EXPECT_STREQ(told.in(), "refused") << "no holder is no answer";
  EXPECT_THROW(desk->greet("null text"), CORBA::BAD_PARAM) << "not a reply that ends early";
}

TEST_F(ClassicLate, AnswersForwardTheCaller) {
  Desk_i* const other = new Desk_i;
  Lates::Desk_var there = publish(other);
  servant->elsewhere = Lates::Desk::_duplicate(there.in());
  Desk_i* const last = new Desk_i;
  Lates::Desk_var further = publish(last);
  last->_remove_ref();
  other->elsewhere = Lates::Desk::_duplicate(further.in());
  CORBA::Object_var none;
  // The forwards end at a servant that forwards to nil.
  EXPECT_THROW(desk->find(Lates::Desk::_nil(), none.out()), CORBA::OBJ_ADAPTER);
  EXPECT_STREQ(CORBA::String_var(desk->greet("here again")).in(), "hello, here again");
  other->_remove_ref();
}

TEST_F(ClassicLate, CallersInTheServersProcessWait) {
  CORBA::String_var greeting = here->greet("collocated");
  EXPECT_STREQ(greeting.in(), "hello, collocated");
  EXPECT_THROW(here->greet("drop"), CORBA::NO_RESPONSE);
}

}  // namespace
