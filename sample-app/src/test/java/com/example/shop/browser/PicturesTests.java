package com.example.shop.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.redis.RedisLine;
import com.example.shop.Answer;
import com.example.shop.Shop;
import io.distributedlock.LockRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Takes the pictures of the documentation, on demand: the property names their folder. */
@InBrowser
@EnabledIfSystemProperty(named = "pictures", matches = ".+")
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT, properties = "shop.order-work=8s")
class PicturesTests {

    private static final LockRequest ORDER = LockRequest.of("OrderService.place", "42");

    @LocalServerPort
    private int port;

    @Autowired
    private RedisLine line;

    @Test
    void thePagesAreShownWhileMuchHappens() {
        Shop shop = Shop.openAt(port);
        List<Integer> visitors = List.of(7, 12, 36);
        try (Browser browser = Browser.start("en-GB")) {
            browser.open("http://127.0.0.1:" + port + "/");
            letThingsHappen(browser);
            List<CompletableFuture<Answer>> orders =
                    visitors.stream().map(user -> shop.orderMeanwhile(user, 7)).toList();
            browser.see(() -> assertThat(browser.count("#held tr")).isEqualTo(visitors.size()));
            for (String scheme : List.of("light", "dark")) {
                browser.looksLike(scheme);
                photograph(browser, "sample-" + scheme, 1280, 900);
                photograph(browser, "sample-" + scheme, 400, 900);
            }
            orders.forEach(CompletableFuture::join);
            photographTheConsole(browser);
        }
    }

    private void letThingsHappen(Browser browser) {
        browser.press("Lose replies for 3 s");
        browser.see(() -> assertThat(browser.text("#steps")).contains("The same user orders again"));
        browser.press("Start a second shop");
        for (String sale : List.of("No lock", "One lock", "Ten locks")) {
            int before = browser.count("#sales li");
            browser.press(sale);
            browser.see(() -> assertThat(browser.count("#sales li")).isGreaterThan(before));
        }
        browser.press("Double-click");
        browser.see(() -> assertThat(browser.count("#clicks li")).isEqualTo(4));
        browser.see(() -> assertThat(browser.text("#second")).contains("writes the report"));
        browser.press("Wait for the next report");
        browser.see(() -> assertThat(browser.text("#waiting")).startsWith("1 call waits"));
    }

    private void photographTheConsole(Browser browser) {
        try (Browser chinese = Browser.start("zh-CN");
                OtherProcess web = new OtherProcess(line.serverPort(), "shop", "web-1", 4711);
                OtherProcess other = new OtherProcess(line.serverPort(), "shop", "web-2", 812);
                OtherProcess billing = new OtherProcess(line.serverPort(), "billing", "batch-1", 95);
                OtherProcess audit = new OtherProcess(line.serverPort(), "audit", "batch-2", 361)) {
            web.hold(ORDER);
            int waiting = 0;
            browser.press("Kill it");
            browser.open("http://127.0.0.1:" + port + "/actuator/lockconsole");
            for (OtherProcess next : List.of(other, billing, audit)) {
                next.waitFor(ORDER);
                String waiters = ++waiting + " waiting";
                browser.see(
                        () -> assertThat(browser.row("OrderService.place:42").getText())
                                .contains(waiters));
            }
            billing.hold(LockRequest.of("invoice", "2026-11"));
            other.hold(LockRequest.of("catalogue").shared());
            web.hold(LockRequest.of("catalogue").shared());
            browser.see(() -> assertThat(browser.text("#locks")).contains("no sign of life", "shared (2)"));
            browser.find("summary").click();
            for (String scheme : List.of("light", "dark")) {
                browser.looksLike(scheme);
                photograph(browser, "console-" + scheme, 1280, 760);
                photograph(browser, "console-" + scheme, 400, 900);
            }
            chinese.open("http://127.0.0.1:" + port + "/actuator/lockconsole");
            chinese.see(() -> assertThat(chinese.count("#locks tr")).isEqualTo(4));
            chinese.find("summary").click();
            photograph(chinese, "console-zh", 1280, 760);
        }
    }

    private static void photograph(Browser browser, String name, int width, int height) {
        browser.isWide(width, height);
        browser.photograph(Path.of(System.getProperty("pictures"), name + "-" + width + ".png"));
    }
}
