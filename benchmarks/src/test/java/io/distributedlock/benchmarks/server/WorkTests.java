package io.distributedlock.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.benchmarks.server.Monitor.Seen;
import java.time.Duration;
import java.util.HashMap;
import org.junit.jupiter.api.Test;

class WorkTests {

    private static final String CPU = "# CPU\r\nused_cpu_sys:%s\r\nused_cpu_user:%s\r\nused_cpu_sys_children:9.0\r\n";

    @Test
    void theWorkBetweenTwoMomentsIsTheirDifference() {
        Work before = Work.parse(CPU.formatted("1.000001", "2.5"), line("set", 10, 20) + line("get", 5, 5));
        Work after = Work.parse(
                CPU.formatted("1.500001", "3.0"), line("set", 13, 29) + line("get", 5, 5) + line("evalsha", 2, 8));

        Work done = after.since(before);

        assertThat(done.cpu()).isEqualTo(Duration.ofSeconds(1));
        assertThat(done.count()).isEqualTo(5);
        assertThat(done.scripts()).isEqualTo(2);
        assertThat(done.commands()).containsOnlyKeys("set", "evalsha");
        assertThat(done.commands().get("set")).isEqualTo(new Work.Calls(3, micros(9)));
    }

    @Test
    void lookingAtTheServerIsNoWork() {
        Work work = Work.parse(
                "", line("info", 1, 50) + line("client|setinfo", 2, 3) + line("ping", 1, 1) + line("set", 1, 2));

        assertThat(work.count()).isEqualTo(1);
    }

    @Test
    void theTimeOfAScriptAlreadyContainsItsCommands() {
        Seen seen = new Seen(new HashMap<>(), new HashMap<>());
        seen.add("1700000000.000001 [0 127.0.0.1:4711] \"EVALSHA\" \"abc\" \"1\" \"key\"");
        seen.add("1700000000.000002 [0 lua] \"GET\" \"key\"");
        seen.add("1700000000.000003 [0 lua] \"DEL\" \"key\"");
        seen.add("1700000000.000004 [0 127.0.0.1:4711] \"del\" \"latch\"");
        seen.add("1700000000.000005 [0 127.0.0.1:4712] \"PING\"");
        Work work = Work.parse("", line("evalsha", 10, 100) + line("get", 10, 20) + line("del", 20, 40));

        assertThat(seen.total()).isEqualTo(2);
        assertThat(work.busy(seen)).isEqualTo(micros(100 + 20));
    }

    private static Duration micros(long micros) {
        return Duration.ofNanos(micros * 1_000);
    }

    private static String line(String name, long calls, long micros) {
        return "cmdstat_" + name + ":calls=" + calls + ",usec=" + micros
                + ",usec_per_call=1.00,rejected_calls=0,failed_calls=0\r\n";
    }
}
