// <omnithread.h>, also compiled against omniORB's where it is installed: both pass.
#include <string>

#include <gtest/gtest.h>
#include <omnithread.h>
#include <pthread.h>
#include <sched.h>

namespace {

omni_mutex changes;
omni_condition changed(&changes);
int number = 0;

void add_one(void*) {
  omni_mutex_lock lock(changes);
  ++number;
  changed.signal();
}
void wait_for(int wanted) {
  omni_mutex_lock lock(changes);
  while (number != wanted) changed.wait();
}

void* its_argument(void* argument) { return argument; }

TEST(OmniThread, gives_what_its_function_returned) {
  int argument = 0;
  void* result = nullptr;
  omni_thread::create(its_argument, &argument)->join(&result);
  EXPECT_EQ(result, &argument);
  omni_thread::create(its_argument, &argument)->join(nullptr);
}

TEST(OmniThread, runs_detached_if_its_function_returns_nothing) {
  number = 0;
  omni_thread::create(add_one);
  wait_for(1);
}

class Overriding : public omni_thread {
 public:
  explicit Overriding(bool* gone) : gone_(gone) {}
  void begin() { start_undetached(); }
  void begin_detached() { start(); }

 private:
  ~Overriding() override { *gone_ = true; }
  void* run_undetached(void*) override {
    EXPECT_EQ(omni_thread::self(), this);
    EXPECT_EQ(state(), STATE_RUNNING);
    return this;
  }
  bool* gone_;
};

TEST(OmniThread, is_deleted_by_join) {
  bool gone = false;
  Overriding* const thread = new Overriding(&gone);
  EXPECT_EQ(thread->state(), omni_thread::STATE_NEW);
  EXPECT_THROW(thread->join(nullptr), omni_thread_invalid);  // not started
  thread->begin();
  EXPECT_THROW(thread->begin(), omni_thread_invalid);  // started before
  void* result = nullptr;
  thread->join(&result);
  EXPECT_EQ(result, thread);
  EXPECT_TRUE(gone);
}

struct OnStack {
  ~OnStack() { add_one(nullptr); }
};
void* exits(void* argument) {
  OnStack object;
  omni_thread::exit(argument);
  return nullptr;  // omniORB does not say that it never gets here
}
void exits_detached(void*) {
  OnStack object;
  omni_thread::exit();
}

TEST(OmniThread, may_end_early) {
  number = 0;
  void* result = nullptr;
  omni_thread::create(exits, &number)->join(&result);
  EXPECT_EQ(result, &number);
  omni_thread::create(exits_detached);
  wait_for(2);  // objects on the stack are destroyed
}

class Value : public omni_thread::value_t {
 public:
  ~Value() override { add_one(nullptr); }
};
void* sets_values(void*) {
  omni_thread* const self = omni_thread::self();
  const omni_thread::key_t key = omni_thread::allocate_key(), other = omni_thread::allocate_key();
  EXPECT_NE(key, other);
  EXPECT_EQ(self->get_value(key), nullptr);
  self->set_value(key, new Value);
  Value* const second = new Value;
  EXPECT_EQ(self->set_value(key, second), second);  // the first is deleted
  EXPECT_EQ(number, 1);
  EXPECT_EQ(self->get_value(key), second);
  self->set_value(other, new Value);
  EXPECT_EQ(self->remove_value(key), second);
  EXPECT_EQ(self->get_value(key), nullptr);
  delete second;
  return nullptr;
}

TEST(OmniThread, has_values_that_are_deleted_with_it) {
  number = 0;
  omni_thread::create(sets_values)->join(nullptr);
  EXPECT_EQ(number, 3);
}

void* foreign(void* ensured) {
  {
    omni_thread::ensure_self self;
    EXPECT_EQ(omni_thread::self(), self.self());
  }
  if (ensured) return nullptr;
  omni_thread* const dummy = omni_thread::create_dummy();
  EXPECT_EQ(omni_thread::self(), dummy);
  EXPECT_THROW(omni_thread::create_dummy(), omni_thread_invalid);
  omni_thread::release_dummy();
  EXPECT_THROW(omni_thread::release_dummy(), omni_thread_invalid);
  return nullptr;
}

TEST(OmniThread, stands_for_threads_of_others) {
  ASSERT_NE(omni_thread::self(), nullptr);  // main's
  EXPECT_EQ(omni_thread::self()->id(), 0);
  for (void* ensured : {static_cast<void*>(nullptr), static_cast<void*>(&number)}) {
    pthread_t thread;
    ASSERT_EQ(pthread_create(&thread, nullptr, foreign, ensured), 0);
    pthread_join(thread, nullptr);
  }
}

TEST(OmniCondition, wait_ends_at_its_time) {
  unsigned long seconds, nanoseconds, before_seconds, before_nanoseconds;
  omni_thread::get_time(&before_seconds, &before_nanoseconds);
  omni_thread::get_time(&seconds, &nanoseconds, 0, 1020000000ul);
  const bool carried = seconds > before_seconds;
  EXPECT_TRUE(carried);
  EXPECT_LT(nanoseconds, 1000000000ul);
  omni_thread::get_time(&seconds, &nanoseconds, 0, 20000000);
  omni_mutex_lock lock(changes);
  EXPECT_EQ(changed.timedwait(seconds, nanoseconds), 0);
}

TEST(OmniCondition, wakes_all) {
  number = 0;
  omni_thread* threads[3];
  for (omni_thread*& thread : threads)
    thread = omni_thread::create(+[](void*) -> void* {
      omni_mutex_lock lock(changes);
      while (number == 0) changed.wait();
      return nullptr;
    });
  {
    omni_mutex_lock lock(changes);
    number = 1;
    changed.broadcast();
  }
  for (omni_thread* thread : threads) thread->join(nullptr);
}

TEST(OmniMutex, is_tried) {
  omni_mutex one;
  EXPECT_NE(one.trylock(), 0);
  omni_thread::create(
      +[](void* held) -> void* {
        EXPECT_EQ(static_cast<omni_mutex*>(held)->trylock(), 0);
        return nullptr;
      },
      &one)
      ->join(nullptr);
  one.release();
  {
    omni_mutex_trylock lock(one);
    EXPECT_TRUE(lock);
    EXPECT_EQ(one.trylock(), 0);
  }
  one.acquire();
  one.unlock();
}

TEST(OmniSemaphore, counts) {
  omni_semaphore semaphore(1);
  {
    omni_semaphore_lock lock(semaphore);
    EXPECT_EQ(semaphore.trywait(), 0);
  }
  semaphore.post();
  semaphore.post();
  EXPECT_NE(semaphore.trywait(), 0);
  semaphore.wait();
  semaphore.wait();
  EXPECT_EQ(semaphore.trywait(), 0);
}

TEST(OmniTime, is_added_and_compared) {
  omni_time_t time(1, 900000000ul);
  time += omni_time_t(0, 200000000ul);
  EXPECT_EQ(time.s, 2u);
  EXPECT_EQ(time.ns, 100000000ul);
  time -= omni_time_t(1, 200000000ul);
  EXPECT_EQ(time.s, 0u);
  EXPECT_EQ(time.ns, 900000000ul);
  EXPECT_TRUE(omni_time_t(1, 0) > time && time < omni_time_t(1, 0) && !(time >= omni_time_t(1, 0)));
}

#ifndef OMNITHREAD_BY_OMNIORB
TEST(OmniThread, has_the_priority_of_its_class_in_a_real_time_policy) {
  sched_param before, real_time;
  int policy;
  ASSERT_EQ(pthread_getschedparam(pthread_self(), &policy, &before), 0);
  real_time.sched_priority = 5;
  if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &real_time) != 0)
    GTEST_SKIP() << "not allowed to use SCHED_FIFO";
  void* result = nullptr;
  omni_thread::create(
      +[](void*) -> void* {
        int of_thread;
        static sched_param mine;
        pthread_getschedparam(pthread_self(), &of_thread, &mine);
        EXPECT_EQ(of_thread, SCHED_FIFO);
        return &mine;
      },
      nullptr, omni_thread::PRIORITY_HIGH)
      ->join(&result);
  EXPECT_EQ(static_cast<sched_param*>(result)->sched_priority, sched_get_priority_max(SCHED_FIFO));
  pthread_setschedparam(pthread_self(), policy, &before);
}

TEST(OmniThread, does_not_join_itself) {
  omni_thread::create(+[](void*) -> void* {
    EXPECT_THROW(omni_thread::self()->join(nullptr), omni_thread_invalid);
    return nullptr;
  })->join(nullptr);
}
#endif

}  // namespace
