package com.example.shop.demo;

import java.io.IOException;
import java.time.Duration;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Component;

/** What a second shop does that another shop has started: it writes the report, and ends with the other one. */
@Component
@ConditionalOnBooleanProperty("shop.second")
class SecondShopWork implements ApplicationRunner {

    private static final Duration LONG = Duration.ofMinutes(10);

    private final ReportService reports;

    SecondShopWork(ReportService reports) {
        this.reports = reports;
    }

    @Override
    public void run(ApplicationArguments arguments) {
        Thread starter = new Thread(SecondShopWork::awaitEndOfStarter, "end-of-first-shop");
        starter.setDaemon(true);
        starter.start();
        reports.runNext(LONG);
    }

    /** The input is a pipe whose other end closes with the process that holds it, however that ends. */
    private static void awaitEndOfStarter() {
        try {
            while (System.in.read() >= 0) {
                // No one writes; the end is what counts.
            }
        } catch (IOException closed) {
            // The same.
        }
        Runtime.getRuntime().halt(0);
    }
}
