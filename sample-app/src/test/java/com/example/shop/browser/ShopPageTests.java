package com.example.shop.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.redis.RedisLine;
import com.example.shop.Shop;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The page of the sample: each experiment, as its visitor makes it and sees it. */
@InBrowser
@SeenShop
class ShopPageTests {

    private static Browser browser;

    @LocalServerPort
    private int port;

    @Autowired
    private RedisLine line;

    @BeforeAll
    static void startTheBrowser() {
        browser = Browser.start("en-GB");
    }

    @AfterAll
    static void endTheBrowser() {
        browser.close();
    }

    @BeforeEach
    void openThePage() {
        Shop.openAt(port);
        browser.open("http://127.0.0.1:" + port + "/");
        browser.see(() -> assertThat(browser.text("#line")).isEqualTo("Live."));
    }

    @AfterEach
    void theBrowserHasNothingToComplainOf() {
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    @Tag("long")
    void aSaleSellsTooManyPiecesUnlessThereIsALock() {
        browser.press("No lock");
        browser.see(() -> assertThat(lastOf("#sales li"))
                .startsWith("No lock: ")
                .contains(" sold of 100, ")
                .doesNotContain(", 0 too many"));
        browser.press("One lock");
        browser.see(() -> assertThat(browser.text("#sale-locks")).matches("1 lock is held, \\d+ calls wait"));
        browser.see(() -> assertThat(lastOf("#sales li"))
                .startsWith("One lock: 100 sold of 100, 0 too many, 400 buyers got nothing"));
        browser.press("Ten locks");
        browser.see(() -> assertThat(browser.text("#sale-locks")).matches("\\d+ locks are held, .*wait.?"));
        browser.see(() -> assertThat(lastOf("#sales li"))
                .startsWith("Ten locks: 100 sold of 100, 0 too many, 400 buyers got nothing"));
    }

    @Test
    void ofTwoUsersWhoDoubleClickEachGetsOneOrder() {
        browser.press("Double-click");
        browser.see(() -> assertThat(browser.texts("#clicks li")).hasSize(4));
        for (String user : List.of("User 42: ", "User 43: ")) {
            List<String> answers = browser.texts("#clicks li").stream()
                    .filter(answer -> answer.startsWith(user))
                    .toList();
            assertThat(answers).hasSize(2).anyMatch(answer -> answer.matches(user + "order \\d+ is taken"));
            assertThat(answers).anyMatch(answer -> answer.startsWith(user + "409 "));
        }
    }

    @Test
    void theLeaseOfAReportGrowsAgainBeforeItEnds() {
        browser.press("Wait for the next report");
        browser.see(() -> assertThat(secondsLeft()).isBetween(0.1, 4.9));
        browser.see(() -> assertThat(secondsLeft()).isGreaterThan(5.0));
        browser.see(() -> assertThat(browser.text("#held")).contains("report daily"));
        browser.see(() -> assertThat(lastOf("#reports li")).isEqualTo("A report of 5 s is finished"));
        browser.see(() -> assertThat(browser.text("#report")).isEqualTo("No shop writes a report"));
    }

    private double secondsLeft() {
        String text = browser.text("#report");
        String left = text.replaceAll("This shop writes a report; its lease ends in ([\\d.]+) s", "$1");
        return left.equals(text) ? 0 : Double.parseDouble(left);
    }

    @Test
    @Tag("long")
    void theLockOfAShopThatIsKilledGoesToThisOne() {
        browser.see(() -> assertThat(browser.text("#second")).isEqualTo("No second shop runs"));
        assertThat(browser.canPress("Kill it")).isFalse();
        browser.press("Start a second shop");
        browser.see(() -> assertThat(browser.text("#second")).contains("writes the report; its lease ends in "));
        browser.press("Kill it");
        browser.see(() -> assertThat(browser.text("#second")).contains("is dead; its lease ends in "));
        browser.see(() -> assertThat(lastOf("#deaths li")).startsWith("This shop got the lock "));
        browser.see(() -> assertThat(browser.canPress("Start a second shop")).isTrue());
    }

    @Test
    void aLockWhoseReplyIsLostIsRemovedAndItsUserOrdersAgain() {
        browser.press("Lose replies for 3 s");
        browser.see(() -> assertThat(browser.text("#key")).isEqualTo("The lock of the user is in Redis"));
        browser.see(() -> assertThat(lastOf("#steps li")).contains("The same user orders again: order "));
        assertThat(browser.text("#key")).isEqualTo("The lock of the user is not in Redis");
        assertThat(browser.texts("#steps li"))
                .anyMatch(step -> step.contains("Redis has written the lock "))
                .anyMatch(step -> step.contains("The lock is gone from Redis"));
    }

    @Test
    void aRedisThatDoesNotAnswerIsNamed() {
        String alert = "Redis does not answer: no shop can take a lock until it does.";
        line.loseReplies();
        try {
            browser.see(() -> assertThat(browser.text("#away")).isEqualTo(alert));
            browser.press("One lock");
            browser.see(() -> assertThat(lastOf("#sales li")).startsWith("One lock: 503 "));
        } finally {
            line.restore();
        }
        browser.see(() -> assertThat(browser.text("#away")).isEmpty());
    }

    @Test
    void theKeyboardReachesEveryExperiment() {
        List<String> stops = List.of(
                "link All locks of all shops",
                "button No lock",
                "button One lock",
                "button Ten locks",
                "button Double-click",
                "button Report of 60 s",
                "button Wait for the next report",
                "button Start a second shop",
                "button Lose replies for 3 s");
        browser.see(() -> assertThat(browser.canPress("Start a second shop")).isTrue());
        for (String stop : stops) {
            assertThat(browser.tab()).isEqualTo(stop);
        }
        browser.find("#click").sendKeys(Keys.ENTER);
        browser.see(() -> assertThat(browser.texts("#clicks li")).hasSize(4));
    }

    @Test
    void everythingFitsOnAPhone() {
        browser.isWide(400, 800);
        try {
            browser.press("Double-click");
            browser.see(() -> assertThat(browser.texts("#clicks li")).hasSize(4));
            assertThat(browser.isNoWiderThanItsWindow()).isTrue();
        } finally {
            browser.isWide(1280, 900);
        }
    }

    private static String lastOf(String selector) {
        List<String> all = browser.texts(selector);
        return all.isEmpty() ? "" : all.get(all.size() - 1);
    }
}
