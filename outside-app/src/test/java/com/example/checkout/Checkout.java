package com.example.checkout;

import io.distributedlock.LockContext;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.spring.DistributedLock;
import java.time.Duration;
import java.util.function.Supplier;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Service;

/** What the tests are about. */
@Service
class Checkout {

    @DistributedLock(name = "order", key = "#user", waitTime = "0")
    public String order(String user) {
        return "ordered for " + user;
    }

    @DistributedLock(name = "report", key = "#day")
    public String report(String day, Runnable firstHalf) {
        firstHalf.run();
        LockContext.find("report").orElseThrow().requireHeld(Duration.ofMillis(1));
        return "report of " + day;
    }

    static String orLater(Supplier<String> call) {
        try {
            return call.get();
        } catch (LockUnavailableException noCallerAnswers) {
            return "later";
        }
    }

    @SpringBootApplication(proxyBeanMethods = false)
    static class Application {}
}
