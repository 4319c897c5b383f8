package com.example.shop.live;

import com.example.redis.RedisLine;
import com.example.shop.demo.FlashSale;
import com.example.shop.demo.Incident;
import com.example.shop.demo.ReportService;
import com.example.shop.demo.SecondShop;
import io.distributedlock.LockClient;
import io.distributedlock.LockException;
import io.distributedlock.LockId;
import io.distributedlock.LockMonitor;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Sends the state of the shop to every open page, four times a second. Without a page it does nothing. */
@Component
class LiveFeed implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(LiveFeed.class);
    private static final long PERIOD_MILLIS = 250;
    private static final int MAX_PAGES = 20;
    private static final int MAX_LOCKS = 12;

    private final List<SseEmitter> pages = new CopyOnWriteArrayList<>();
    private final LockMonitor locks;
    private final FlashSale sale;
    private final Incident incident;
    private final SecondShop second;
    private final boolean hasLine;
    private final long ttlMillis;
    private @Nullable ScheduledExecutorService clock;

    LiveFeed(
            LockClient client,
            FlashSale sale,
            Incident incident,
            SecondShop second,
            ObjectProvider<RedisLine> line,
            @Value("${distributed-lock.ttl:30s}") Duration ttl) {
        this.locks = client.monitor();
        this.sale = sale;
        this.incident = incident;
        this.second = second;
        this.hasLine = line.getIfAvailable() != null;
        this.ttlMillis = ttl.toMillis();
    }

    /** A page has been opened. */
    SseEmitter open() {
        if (pages.size() >= MAX_PAGES) {
            throw new ResponseStatusException(
                    HttpStatus.SERVICE_UNAVAILABLE, MAX_PAGES + " pages are open already. Close one.");
        }
        SseEmitter page = new SseEmitter(0L);
        page.onCompletion(() -> pages.remove(page));
        page.onError(gone -> pages.remove(page));
        pages.add(page);
        return page;
    }

    private void send() {
        if (pages.isEmpty()) {
            return;
        }
        try {
            send(state());
        } catch (RuntimeException notNow) {
            log.debug("The state of the shop can't be shown now", notNow);
        }
    }

    private void send(LiveState state) {
        for (SseEmitter page : pages) {
            try {
                page.send(state);
            } catch (IOException | IllegalStateException closed) {
                pages.remove(page);
            }
        }
    }

    private LiveState state() {
        List<LiveState.Held> held = locks.held(MAX_LOCKS).stream()
                .map(lock -> new LiveState.Held(
                        lock.name(),
                        LockId.parse(lock.id()).key(),
                        lock.thread(),
                        lock.age().toMillis(),
                        lock.remaining().toMillis()))
                .toList();
        boolean away = false;
        LiveState.Report report = null;
        try {
            report = incident.isHappening() ? null : report();
        } catch (LockException noAnswer) {
            away = true;
        }
        return new LiveState(
                ProcessHandle.current().pid(),
                hasLine,
                away,
                ttlMillis,
                sale.latest().orElse(null),
                held,
                locks.statistics().totalWaiting(),
                report,
                second.status().orElse(null),
                incident.course().orElse(null));
    }

    private LiveState.@Nullable Report report() {
        return locks.find(ReportService.LOCK)
                .map(lock -> new LiveState.Report(
                        lock.remaining() == null ? 0 : lock.remaining().toMillis(), lock.heldHere()))
                .orElse(null);
    }

    @Override
    public void start() {
        clock = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "live-feed");
            thread.setDaemon(true);
            return thread;
        });
        clock.scheduleWithFixedDelay(this::send, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Before the web server, which waits for open answers. */
    @Override
    public void stop() {
        if (clock != null) {
            clock.shutdownNow();
            clock = null;
        }
        pages.forEach(SseEmitter::complete);
    }

    @Override
    public boolean isRunning() {
        return clock != null;
    }
}
