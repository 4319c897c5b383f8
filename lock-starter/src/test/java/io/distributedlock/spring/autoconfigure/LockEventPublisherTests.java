package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockEvent;
import io.distributedlock.LockRequest;
import io.distributedlock.LossReason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;

class LockEventPublisherTests {

    static class Observer {
        final List<LockEvent> all = new CopyOnWriteArrayList<>();
        final List<LockEvent.Lost> losses = new CopyOnWriteArrayList<>();

        @EventListener
        public void on(LockEvent event) {
            all.add(event);
        }

        @EventListener
        public void on(LockEvent.Lost lost) {
            losses.add(lost);
        }
    }

    @Test
    void whatHappensToLocksArrivesAsEventsOfTheApplication() {
        Contexts.withMemory().withBean(Observer.class).run(context -> {
            Observer observer = context.getBean(Observer.class);
            context.getBean(LockClient.class).acquire("42").close();
            await().until(() -> observer.all.size() == 2);
            assertThat(observer.all.get(0)).isInstanceOf(LockEvent.Acquired.class);
            assertThat(observer.all.get(1)).isInstanceOf(LockEvent.Released.class);
        });
    }

    @Test
    void aLossArrivesOnceWithItsReason() {
        Contexts.withMemory().withBean(Observer.class).run(context -> {
            Observer observer = context.getBean(Observer.class);
            context.getBean(LockClient.class)
                    .acquire(LockRequest.of("order", "42").withTtl(Duration.ofSeconds(1)));
            await().until(() -> !observer.losses.isEmpty());
            assertThat(observer.losses).singleElement().satisfies(lost -> {
                assertThat(lost.name()).isEqualTo("order");
                assertThat(lost.key()).isEqualTo("42");
                assertThat(lost.reason()).isEqualTo(LossReason.DEADLINE);
            });
        });
    }

    @Test
    void aClosedContextIsToldNothing() {
        Contexts.withMemory().withBean(Observer.class).run(context -> {
            Observer observer = context.getBean(Observer.class);
            LockEventPublisher publisher = context.getBean(LockEventPublisher.class);
            LockEvent event = new LockEvent.Released("order", "42", Duration.ZERO, true);
            publisher.on(event);
            assertThat(observer.all).containsExactly(event);
            ((ConfigurableApplicationContext) context.getSourceApplicationContext()).close();
            publisher.on(event);
            assertThat(observer.all).hasSize(1);
        });
    }
}
