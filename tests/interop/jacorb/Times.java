import Interop.*;
import java.util.concurrent.CountDownLatch;
import org.jacorb.util.Time;
import org.omg.CORBA.Any;
import org.omg.CORBA.CompletionStatus;
import org.omg.CORBA.ORB;
import org.omg.CORBA.Policy;
import org.omg.CORBA.SetOverrideType;
import org.omg.CORBA.TIMEOUT;
import org.omg.Messaging.REPLY_END_TIME_POLICY_TYPE;
import org.omg.Messaging.REQUEST_END_TIME_POLICY_TYPE;
import org.omg.Messaging.REQUEST_START_TIME_POLICY_TYPE;
import org.omg.PortableServer.POA;
import org.omg.TimeBase.UtcTHelper;

// The standard's times in requests, with a server that has one thread.
final class Times {
  // Occupies the server's thread for a number of milliseconds.
  static final class SlowCaller extends CallerPOA {
    final CountDownLatch began = new CountDownLatch(1);
    public int called(int milliseconds) {
      began.countDown();
      try {
        Thread.sleep(milliseconds);
      } catch (InterruptedException early) {
        throw new IllegalStateException(early);
      }
      return milliseconds;
    }
  }

  static Calls at(Calls calls, ORB orb, int type, int milliseconds) throws Exception {
    Any moment = orb.create_any();
    UtcTHelper.insert(moment, Time.corbaFuture(10000L * milliseconds));
    Policy[] policies = {orb.create_policy(type, moment)};
    return CallsHelper.narrow(calls._set_policy_override(policies, SetOverrideType.ADD_OVERRIDE));
  }

  static void check(Calls calls, ORB orb, POA poa) {
    calls.title("before");
    Client.check("times.request_end", () -> {
      SlowCaller slow = new SlowCaller();
      Caller own = CallerHelper.narrow(poa.servant_to_reference(slow));
      Thread busy = new Thread(() -> calls.call_back(own, 600));
      busy.start();
      slow.began.await();
      Calls late = at(calls, orb, REQUEST_END_TIME_POLICY_TYPE.value, 200);
      TIMEOUT timeout = Client.expect(TIMEOUT.class, () -> late.title("late"));
      Client.require(timeout.completed == CompletionStatus.COMPLETED_NO, "it began");
      busy.join();
      Client.require(calls.title().equals("before"), "the upcall ran");
    });
    Client.check("times.request_start", () -> {
      Calls later = at(calls, orb, REQUEST_START_TIME_POLICY_TYPE.value, 300);
      long begin = System.nanoTime();
      later.title("started");
      Client.require(System.nanoTime() - begin >= 250_000_000, "it did not wait");
      Client.require(calls.title().equals("started"), "another title");
    });
    Client.check("times.in_time", () -> {
      at(calls, orb, REQUEST_END_TIME_POLICY_TYPE.value, 10_000).title("request");
      at(calls, orb, REPLY_END_TIME_POLICY_TYPE.value, 10_000).title("reply");
      Client.require(calls.title().equals("reply"), "another title");
    });
  }
}
