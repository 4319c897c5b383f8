package io.distributedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.internal.lease.HolderOfMany;
import io.distributedlock.testkit.process.ChildJvm;
import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One process holds so many locks that renewing them is work. */
class ManyHeldLocksTest {

    private static final int SOME = 10_000;
    private static final int MANY = 50_000;
    private static final int PERIODS = 3;
    private static final int HEAP_PER_LOCK = 700;
    private static final Duration START_LIMIT = Duration.ofMinutes(3);

    @Tag("long")
    @Test
    void tenThousandLocksAreRenewedWithoutALossAndWithinSevenHundredBytesEach() {
        assertThat(hold(SOME)).isLessThanOrEqualTo(HEAP_PER_LOCK);
    }

    @Test
    @Tag("long")
    void fiftyThousandLocksAreRenewedWithoutALossAndWithinSevenHundredBytesEach() {
        assertThat(hold(MANY)).isLessThanOrEqualTo(HEAP_PER_LOCK);
    }

    /** Returns the bytes of heap for each lock. */
    private static int hold(int locks) {
        try (RedisServer server = RedisServer.start();
                ChildJvm holder = ChildJvm.start(HolderOfMany.class, server.uri(), String.valueOf(locks))) {
            holder.awaitLine("taken"::equals, START_LIMIT);
            long renewals = server.calls("pexpire");
            await().atMost(START_LIMIT).until(() -> server.calls("pexpire") >= renewals + PERIODS * locks);
            holder.send("?");
            String answer = holder.awaitLine(line -> line.startsWith("held"), START_LIMIT);
            System.out.println(locks + " locks with a ttl of 9 s after 3 periods of renewal: " + answer + " each");
            Matcher figures = Pattern.compile("held (\\d+) bytes (\\d+)").matcher(answer);
            assertThat(figures.matches()).as(answer).isTrue();
            assertThat(Integer.parseInt(figures.group(1))).isEqualTo(locks);
            assertThat(server.command("DBSIZE"))
                    .as("the locks, and no fence counter")
                    .isEqualTo((long) locks);
            return Integer.parseInt(figures.group(2));
        }
    }
}
