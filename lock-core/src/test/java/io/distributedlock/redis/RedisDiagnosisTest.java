package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.distributedlock.redis.script.LuaScript;
import io.distributedlock.redis.server.RequiredPermission;
import io.distributedlock.redis.server.RequiredPermission.Use;
import io.distributedlock.spi.StoreException;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
class RedisDiagnosisTest {

    private static final Pattern CALL = Pattern.compile("redis\\.p?call\\('(\\w+)'");

    private final RedisServer server = RedisServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void nothingIsWrongWithAServerAsItComes() {
        assertThat(findings(server.uri())).isEmpty();
        assertThat(server.command("DBSIZE")).isEqualTo(0L);
    }

    static Stream<String> rules() {
        return rules(Use.LOCKS);
    }

    static Stream<String> rulesOfTheQueue() {
        return rules(Use.QUEUE);
    }

    private static Stream<String> rules(Use use) {
        return all().filter(right -> right.use() == use).map(RequiredPermission::rule);
    }

    private static Stream<RequiredPermission> all() {
        return RequiredPermission.all("lock:probe", "lock:probe").stream();
    }

    private static List<String> allRulesBut(Predicate<String> lacking) {
        return all().map(RequiredPermission::rule).filter(lacking.negate()).toList();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void aMissingRightIsNamed(String rule) {
        user("~lock:* &lock:*", allRulesBut(rule::equals));
        assertThat(findings(uriOfUser()))
                .containsExactly(
                        "The Redis user of the locks lacks rights that locks need. Grant them: ACL SETUSER <user> "
                                + rule);
    }

    @ParameterizedTest
    @MethodSource("rulesOfTheQueue")
    void aMissingRightOfTheQueueIsNamed(String rule) {
        user("~lock:* &lock:*", allRulesBut(rule::equals));
        assertThat(findings(uriOfUser()))
                .containsExactly(
                        "The Redis user of the locks lacks rights for the queue, so waiters poll. Grant them: ACL SETUSER"
                                + " <user> " + rule);
    }

    @Test
    void allMissingRightsAreNamedAtOnce() {
        user("~lock:* &lock:*", allRulesBut(right -> right.matches("\\+(get|del)")));
        assertThat(findings(uriOfUser())).singleElement().asString().endsWith("ACL SETUSER <user> +get +del");
    }

    @Test
    void keysAndChannelsOfWhichTheUserMustKeepOffAreNamedOnce() {
        user("~other:* &lock:*", allRulesBut(right -> false));
        assertThat(findings(uriOfUser()))
                .allSatisfy(finding -> assertThat(finding).endsWith("ACL SETUSER <user> ~lock:*"));
        user("~lock:* &other:*", allRulesBut(right -> right.equals("+subscribe")));
        assertThat(findings(uriOfUser())).singleElement().asString().contains("&lock:*");
    }

    @Test
    void theDocumentedRightsAreEnoughAndNoMoreIsAskedFor() {
        user("~lock:* &lock:*", allRulesBut(right -> false));
        assertThat(findings(uriOfUser())).isEmpty();
        assertThat(all().map(RequiredPermission::rule)).doesNotHaveDuplicates();
    }

    @Test
    void whoseWaitersLookByThemselvesNeedsNoRightsForTheQueue() {
        user("~lock:*", allRulesBut(right -> right.matches("\\+(zpopmin|publish|subscribe)")));
        assertThat(findings(uriOfUser(), false)).isEmpty();
        user("~lock:*", allRulesBut(right -> right.matches("\\+(zadd|publish)")));
        assertThat(findings(uriOfUser(), false))
                .containsExactly(
                        "The Redis user of the locks lacks rights for shared locks, so these are refused. Grant"
                                + " them: ACL SETUSER <user> +zadd");
    }

    @Test
    void everyCommandOfAScriptIsAmongTheRights() throws Exception {
        assertThat(commandsOfScripts())
                .contains("+set", "+getex")
                .allSatisfy(
                        command -> assertThat(all().map(right -> right.rule().split("\\|")[0]))
                                .contains(command));
    }

    /** Looking a lock up is for operators; a node of a quorum names the right that it lacks at each try. */
    private static final Set<String> OF_SOME_USERS = Set.of("find.lua", "quarantine.lua");

    private static Set<String> commandsOfScripts() throws IOException, URISyntaxException {
        Path folder =
                Path.of(LuaScript.class.getResource("acquire.lua").toURI()).getParent();
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".lua")
                            && !OF_SOME_USERS.contains(file.getFileName().toString()))
                    .flatMap(RedisDiagnosisTest::calls)
                    .collect(Collectors.toSet());
        }
    }

    private static Stream<String> calls(Path script) {
        try {
            return CALL.matcher(Files.readString(script)).results().map(RedisDiagnosisTest::rule).toList().stream();
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }

    private static String rule(MatchResult call) {
        return "+" + call.group(1).toLowerCase(Locale.ROOT);
    }

    @Test
    void aServerThatMayEvictLocksIsReported() {
        server.command("CONFIG", "SET", "maxmemory", "100mb");
        server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        assertThat(findings(server.uri())).singleElement().asString().contains("maxmemory-policy allkeys-lru");
    }

    @Test
    void aReplicaIsReported() {
        try (RedisServer replica = RedisServer.start("--replicaof", "127.0.0.1", String.valueOf(server.port()))) {
            await().until(() ->
                    String.valueOf(replica.command("INFO", "replication")).contains("master_link_status:up"));
            assertThat(findings(replica.uri())).singleElement().asString().contains("is a replica");
        }
    }

    @Test
    void aServerThatIsAwayIsNoFindingButAFailure() {
        server.kill();
        assertThat(catchThrowable(() -> findings(server.uri())))
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(StoreException.class);
    }

    private void user(String patterns, List<String> rules) {
        List<String> words =
                new ArrayList<>(List.of("ACL", "SETUSER", "locks", "reset", "resetchannels", "on", ">secret"));
        words.addAll(List.of(patterns.split(" ")));
        words.addAll(rules);
        server.command(words.toArray(String[]::new));
    }

    private String uriOfUser() {
        return server.uri().replace("redis://", "redis://locks:secret@");
    }

    private static List<String> findings(String uri) {
        return findings(uri, true);
    }

    private static List<String> findings(String uri, boolean notifications) {
        try (RedisLockConnection connections =
                new RedisLockConnection(RedisClientSource.of(RedisURI.create(uri)), Duration.ofSeconds(5))) {
            return new RedisDiagnosis(connections, "lock", notifications)
                    .findings()
                    .toCompletableFuture()
                    .join();
        }
    }
}
