package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockContext;
import io.distributedlock.LockHandle;
import io.distributedlock.spring.DistributedLock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.NameMatchMethodPointcutAdvisor;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

class AdviceOrderTests {

    private static final String MEMORY = "distributed-lock.store=memory";

    @Test
    void eachTryOfARetriedMethodTakesItsOwnLock() {
        try (ConfigurableApplicationContext shop = ShopApplication.start(new Class<?>[] {Courses.class}, MEMORY)) {
            Kitchen kitchen = shop.getBean(Kitchen.class);
            kitchen.cook("soup");
            assertThat(kitchen.tokens()).hasSize(3).doesNotHaveDuplicates();
        }
    }

    @Test
    void anAsynchronousMethodIsLockedWhereItRuns() throws Exception {
        try (ConfigurableApplicationContext shop = ShopApplication.start(new Class<?>[] {Courses.class}, MEMORY)) {
            CompletableFuture<List<LockHandle>> locks = new CompletableFuture<>();
            shop.getBean(Kitchen.class).deliver("soup", locks);
            assertThat(locks.get(60, TimeUnit.SECONDS)).hasSize(1);
        }
    }

    @Test
    void aFutureCanBeAwaitedWhileTheApplicationStarts() {
        Class<?>[] beans = {Courses.class, EarlyGuest.class};
        try (ConfigurableApplicationContext shop = ShopApplication.start(beans, MEMORY)) {
            assertThat(shop.getBean(EarlyGuest.class).meal()).isEqualTo("tasty soup");
        }
    }

    record EarlyGuest(String meal) {
        @Autowired
        EarlyGuest(Kitchen kitchen) throws Exception {
            this(kitchen.taste("soup").get(60, TimeUnit.SECONDS));
        }
    }

    @Test
    void theOrderIsAProperty() {
        try (ConfigurableApplicationContext shop = ShopApplication.start(new Class<?>[] {Courses.class}, MEMORY)) {
            assertThat(shop.getBean(Kitchen.class).wash("pan")).isEqualTo("locks outside: 0");
        }
        try (ConfigurableApplicationContext shop =
                ShopApplication.start(new Class<?>[] {Courses.class}, MEMORY, "distributed-lock.aspect.order=50")) {
            assertThat(shop.getBean(Kitchen.class).wash("pan")).isEqualTo("locks outside: 1");
        }
    }

    @EnableAsync
    @EnableResilientMethods
    @Import(Kitchen.class)
    static class Courses {

        /** An advice of the application's own in the middle of the order. */
        @Bean
        static Advisor countingLocks() {
            NameMatchMethodPointcutAdvisor advisor = new NameMatchMethodPointcutAdvisor((MethodInterceptor)
                    invocation -> "locks outside: " + LockContext.current().size());
            advisor.addMethodName("wash");
            advisor.setOrder(100);
            return advisor;
        }
    }

    static class Kitchen {
        private final List<Long> tokens = new ArrayList<>();

        public List<Long> tokens() {
            return tokens;
        }

        @Retryable(maxRetries = 2, delay = 1)
        @DistributedLock(name = "kitchen", key = "#dish")
        public void cook(String dish) {
            tokens.add(LockContext.find("kitchen").orElseThrow().fencingToken());
            if (tokens.size() < 3) {
                throw new IllegalStateException("burnt");
            }
        }

        @Async
        @DistributedLock(key = "#dish")
        public void deliver(String dish, CompletableFuture<List<LockHandle>> locks) {
            locks.complete(LockContext.current());
        }

        @DistributedLock(key = "#dish")
        public CompletableFuture<String> taste(String dish) {
            return CompletableFuture.completedFuture("tasty " + dish);
        }

        @DistributedLock(key = "#dish")
        public String wash(String dish) {
            return "clean " + dish;
        }
    }
}
