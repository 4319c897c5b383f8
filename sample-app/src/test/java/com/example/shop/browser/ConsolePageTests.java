package com.example.shop.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.example.redis.RedisLine;
import com.example.shop.Shop;
import io.distributedlock.LockRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/** The console of the starter, as the sample exposes it. */
@InBrowser
@SeenShop
class ConsolePageTests {

    private static final int MANY = 10_000;
    private static final String TEN_MINUTES = "600";
    private static final String WEEKLY = "report:weekly";
    private static final LockRequest REPORT = LockRequest.of("report", "weekly");

    private static final Duration MORE_THAN_A_PERIOD = Duration.ofSeconds(3);

    private static Browser browser;

    @LocalServerPort
    private int port;

    @Autowired
    private RedisLine line;

    @Autowired
    private StringRedisTemplate redis;

    @BeforeAll
    static void startTheBrowser() {
        browser = Browser.start("en-GB");
    }

    @AfterAll
    static void endTheBrowser() {
        browser.close();
    }

    @BeforeEach
    void openTheConsole() {
        Shop.openAt(port);
        openTheConsole(browser);
        browser.see(() -> assertThat(browser.text("#status")).isNotEmpty());
    }

    private void openTheConsole(Browser seen) {
        seen.open("http://127.0.0.1:" + port + "/actuator/lockconsole");
    }

    @AfterEach
    void theBrowserHasNothingToComplainOf() {
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void whoHoldsALockAndWhoWaitsForItIsShown() {
        try (OtherProcess shop = process("shop", 4711);
                OtherProcess first = process("billing", 812);
                OtherProcess second = process("billing", 813);
                OtherProcess third = process("audit", 95)) {
            shop.hold(REPORT);
            int waiting = 0;
            for (OtherProcess next : List.of(first, second, third)) {
                next.waitFor(REPORT);
                String waiters = ++waiting + " waiting";
                browser.see(() -> assertThat(inRow("summary").getText()).isEqualTo(waiters));
            }
            inRow("summary").sendKeys(Keys.ENTER);
            browser.see(() -> assertThat(textsInRow("li"))
                    .hasSize(3)
                    .satisfiesExactly(
                            one -> assertThat(one).startsWith("billing on web-1 (pid 812), "),
                            two -> assertThat(two).startsWith("billing on web-1 (pid 813), "),
                            three -> assertThat(three).startsWith("audit on web-1 (pid 95), ")));
            assertThat(browser.row(WEEKLY).getText()).contains("shop on web-1 (pid 4711)");
            assertThat(inRow("td:nth-of-type(2)").getText()).as("age").matches("\\d+ m?s");
            assertThat(inRow("td:nth-of-type(3)").getText()).as("lease left").matches("\\d+ s");
            shop.release();
            browser.see(() -> assertThat(browser.texts("#locks th")).doesNotContain(WEEKLY));
        }
    }

    @Test
    @Tag("long")
    void locksWhoseHoldersWaitForEachOtherAreMarked() {
        LockRequest monthly = LockRequest.of("report", "monthly");
        try (OtherProcess shop = process("shop", 4711);
                OtherProcess billing = process("billing", 812);
                OtherProcess audit = process("audit", 95)) {
            shop.hold(REPORT);
            billing.hold(monthly);
            billing.waitFor(REPORT);
            audit.waitFor(monthly);
            browser.see(() -> assertThat(browser.row("report:monthly").getText())
                    .contains("its holder waits for report:weekly")
                    .doesNotContain("each other"));
            shop.waitFor(monthly);
            browser.see(() -> assertThat(browser.text("#circles"))
                    .isEqualTo("⚠ 2 locks are held by processes that may wait for each other"));
            assertThat(browser.row(WEEKLY).getText())
                    .contains("⚠ its holder waits for report:monthly: may wait for each other");
        }
        browser.see(() -> assertThat(browser.text("#circles")).isEmpty());
    }

    @Test
    void whatWentWrongWithLocksOfANameIsShownOnRequest() {
        LockRequest wanted = LockRequest.of("inventory of {shop}", "of-user-42");
        try (OtherProcess shop = process("shop", 4711);
                OtherProcess billing = process("billing", 812)) {
            shop.hold(wanted);
            browser.see(
                    () -> assertThat(browser.texts("#locks th")).contains("inventory%20of%20%7Bshop%7D:of-user-42"));
            browser.press("inventory%20of%20%7Bshop%7D:of-user-42");
            browser.see(() -> assertThat(browser.text("#history-title")).isEqualTo("History of inventory of {shop}"));
            browser.see(() ->
                    assertThat(browser.text("#history-list")).isEqualTo("Nothing was written down in the last week."));
            billing.waitInVainFor(wanted);
            browser.see(() -> assertThat(browser.texts("#history-list li"))
                    .singleElement()
                    .asString()
                    .matches("refused, after \\d+ m?s, billing on web-1 \\(pid 812\\), .+")
                    .doesNotContain("user-42"));
            browser.press("Close");
            assertThat(browser.text("#history")).isEmpty();
        }
    }

    @Test
    void noNameShowsTheHistoryOfAnother() {
        try (OtherProcess shop = process("shop", 4711);
                OtherProcess billing = process("billing", 812)) {
            shop.hold(LockRequest.of("refused", "1"));
            shop.hold(LockRequest.of("quiet", "1"));
            browser.see(() -> assertThat(browser.texts("#locks th")).contains("refused:1", "quiet:1"));
            browser.press("refused:1");
            billing.waitInVainFor(LockRequest.of("refused", "1"));
            browser.see(() -> assertThat(browser.text("#history-list")).startsWith("refused, after "));
            line.loseReplies();
            browser.press("quiet:1");
            browser.see(() -> assertThat(browser.text("#history-title")).isEqualTo("History of quiet"));
            assertThat(browser.text("#history-list")).isEmpty();
        } finally {
            line.restore();
        }
    }

    @Test
    @Tag("long")
    void thePageRenewsItselfUnlessItIsPaused() {
        try (OtherProcess other = process("billing", 812)) {
            other.hold(LockRequest.of("invoice", "1"));
            browser.see(() -> assertThat(browser.texts("#locks th")).contains("invoice:1"));
            browser.press("Pause");
            other.hold(LockRequest.of("invoice", "2"));
            await().during(MORE_THAN_A_PERIOD)
                    .atMost(MORE_THAN_A_PERIOD.multipliedBy(10))
                    .until(() -> browser.texts("#locks th"), List.of("invoice:1")::equals);
            browser.press("Pause");
            browser.see(() -> assertThat(browser.texts("#locks th")).contains("invoice:1", "invoice:2"));
            other.release();
            browser.see(() -> assertThat(browser.texts("#locks th")).isEmpty());
        }
    }

    @Test
    @Tag("long")
    void oneOfTenThousandLocksIsFound() {
        try {
            each("set", "A".repeat(32), "ex", TEN_MINUTES);
            browser.see(() -> assertThat(browser.text("#status")).endsWith(" locks, more on the next page"));
            assertThat(browser.count("#locks tr")).isBetween(1, 500);
            browser.press("Pause");
            String first = browser.text("#locks th");
            browser.press("Next page");
            browser.see(() -> assertThat(browser.text("#locks th")).isNotEmpty().isNotEqualTo(first));
            browser.press("First page");
            browser.see(() -> assertThat(browser.text("#locks th")).isEqualTo(first));

            browser.find("#filter").sendKeys("SEAT:7777");
            browser.see(() -> assertThat(browser.text("#status"))
                    .matches("1 of " + MANY + " locks; because so many are read, renewed every [5-9] s"));
            assertThat(browser.texts("#locks th")).containsExactly("seat:7777");
        } finally {
            each("unlink");
        }
    }

    /** One command, because ten thousand may take longer than one is waited for. */
    private void each(String command, String... values) {
        String line = "for seat = 0, %d do redis.call('%s', 'lock:shop:{seat:' .. seat .. '}', unpack(ARGV)) end";
        redis.execute(RedisScript.of(line.formatted(MANY - 1, command)), List.of(), (Object[]) values);
    }

    @Test
    void theKeyboardReachesEverything() {
        try (OtherProcess shop = process("shop", 4711);
                OtherProcess other = process("billing", 812)) {
            shop.hold(REPORT);
            other.waitFor(REPORT);
            browser.see(() -> assertThat(inRow("summary").getText()).isEqualTo("1 waiting"));
            assertThat(browser.tab()).isEqualTo("searchbox Filter");
            browser.type("weekly");
            browser.see(() -> assertThat(browser.text("#status")).startsWith("1 of "));
            assertThat(browser.tab()).isEqualTo("button Pause");
            browser.type(Keys.SPACE);
            assertThat(browser.find("#pause").getAttribute("aria-pressed")).isEqualTo("true");
            assertThat(browser.tab()).isEqualTo("button " + WEEKLY);
            assertThat(browser.tab()).contains("1 waiting");
            browser.type(Keys.SPACE);
            browser.see(() -> assertThat(textsInRow("li")).hasSize(1));
        }
    }

    @Test
    void whatIsOpenAndFocusedStaysWhileThePageRenewsItself() {
        try (OtherProcess shop = process("shop", 4711);
                OtherProcess other = process("billing", 812)) {
            shop.hold(REPORT);
            other.waitFor(REPORT);
            browser.see(() -> assertThat(inRow("summary").getText()).isEqualTo("1 waiting"));
            inRow("summary").sendKeys(Keys.ENTER);
            shop.hold(LockRequest.of("report", "monthly"));
            browser.see(() -> assertThat(browser.texts("#locks th")).contains("report:monthly"));
            assertThat(browser.focused()).contains("1 waiting");
            browser.see(() -> assertThat(textsInRow("li")).hasSize(1));
        }
    }

    @Test
    void aScreenReaderSaysWhatEachPartIs() {
        try (OtherProcess shop = process("shop", 4711)) {
            shop.hold(REPORT);
            browser.see(() -> assertThat(browser.texts("#locks th")).contains(WEEKLY));
            assertThat(Browser.spoken(browser.find("main"))).startsWith("main");
            assertThat(browser.find("#tools").getAriaRole()).isEqualTo("search");
            assertThat(Browser.spoken(browser.find("table"))).isEqualTo("table All locks");
            assertThat(browser.find("#status").getAriaRole()).isEqualTo("status");
            assertThat(Browser.spoken(browser.find("thead th"))).isEqualTo("columnheader Lock");
            WebElement row = browser.row(WEEKLY);
            assertThat(row.getAriaRole()).isEqualTo("row");
            assertThat(Browser.spoken(inRow("th"))).isEqualTo("rowheader " + WEEKLY);
            assertThat(inRow("td").getAriaRole()).isEqualTo("cell");
            assertThat(Browser.spoken(inRow("progress"))).matches("progressbar age: \\d+ % of age and lease left");
        }
    }

    @Test
    void aBrowserInChineseShowsThePageInChinese() {
        try (Browser chinese = Browser.start("zh-CN")) {
            openTheConsole(chinese);
            chinese.see(() -> assertThat(chinese.text("#status")).endsWith("个锁"));
            assertThat(chinese.text("h1")).isEqualTo("分布式锁");
            assertThat(chinese.text("#incidents-title")).isEqualTo("本应用的丢失与拒绝");
            assertThat(chinese.find("html").getAttribute("lang")).isEqualTo("zh");
            assertThat(chinese.complaints()).isEmpty();
        }
    }

    @Test
    @Tag("long")
    void aRedisThatDoesNotAnswerIsNamed() {
        line.loseReplies();
        try {
            browser.see(() -> assertThat(browser.text("#problem")).startsWith("All locks can't be listed: "));
        } finally {
            line.restore();
        }
        browser.see(() -> assertThat(browser.text("#problem")).isEmpty());
    }

    @Test
    void everythingFitsOnAPhone() {
        browser.isWide(400, 800);
        try (OtherProcess shop = process("shop", 4711);
                OtherProcess other = process("billing", 812)) {
            LockRequest longKey = LockRequest.of("report", "a-key-without-a-place-to-break-".repeat(4));
            shop.hold(longKey);
            other.waitFor(longKey);
            browser.see(() -> assertThat(browser.text("#locks")).contains("1 waiting"));
            assertThat(browser.isNoWiderThanItsWindow()).isTrue();
            assertThat(browser.text("#locks td")).contains("shop on web-1 (pid 4711)");
        } finally {
            browser.isWide(1280, 900);
        }
    }

    private OtherProcess process(String application, long pid) {
        return new OtherProcess(line.serverPort(), application, "web-1", pid);
    }

    private static WebElement inRow(String selector) {
        return browser.row(WEEKLY).findElement(By.cssSelector(selector));
    }

    private static List<String> textsInRow(String selector) {
        return browser.row(WEEKLY).findElements(By.cssSelector(selector)).stream()
                .map(WebElement::getText)
                .toList();
    }
}
