package io.distributedlock.redis.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.api.async.RedisPubSubAsyncCommands;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What stands between may keep subscriptions at a replica, and run scripts at its master, which then takes each waiter
 * for gone.
 */
class SubscriptionTest {

    private static final Set<String> TO_REPLICA = Set.of("subscribe", "pubsubNumsub");

    private final RedisServer master = RedisServer.start();
    private final RedisServer replica = RedisServer.start("--replicaof", "127.0.0.1", String.valueOf(master.port()));
    private final RedisClient toMaster = RedisClient.create(master.uri());
    private final RedisClient toReplica = RedisClient.create(replica.uri());
    private final StatefulRedisPubSubConnection<String, String> there = toMaster.connectPubSub(StringCodec.UTF8);
    private final StatefulRedisPubSubConnection<String, String> beside = toReplica.connectPubSub(StringCodec.UTF8);
    private final List<CompletionStage<?>> sent = new CopyOnWriteArrayList<>();
    private final TestMessageListener messageListener = new TestMessageListener();

    @AfterEach
    void stop() {
        toMaster.shutdown();
        toReplica.shutdown();
        replica.close();
        master.close();
    }

    @Test
    void itIsOpenWhereScriptsReachIt() {
        Subscription subscription = Subscription.begin(there, messageListener);
        await().until(subscription::isOpen);
    }

    @Test
    void itIsNotOpenWhereAnotherServerThanThatOfTheScriptsHasIt() {
        await().until(() ->
                String.valueOf(replica.command("INFO", "replication")).contains("master_link_status:up"));
        Subscription subscription = Subscription.begin(divided(), messageListener);
        await().until(() -> !sent.isEmpty() && sent.get(0).toCompletableFuture().isDone());
        master.command("PUBLISH", messageListener.address(), "last");
        await().until(() -> messageListener.messages.contains("last"));
        assertThat(subscription.isOpen()).isFalse();
    }

    @SuppressWarnings("unchecked")
    private StatefulRedisPubSubConnection<String, String> divided() {
        RedisPubSubAsyncCommands<String, String> commands =
                proxy(RedisPubSubAsyncCommands.class, (method, arguments) -> {
                    if (TO_REPLICA.contains(method.getName())) {
                        return method.invoke(beside.async(), arguments);
                    }
                    CompletionStage<?> answer = (CompletionStage<?>) method.invoke(there.async(), arguments);
                    sent.add(answer);
                    return answer;
                });
        return proxy(
                StatefulRedisPubSubConnection.class,
                (method, arguments) -> method.getName().equals("async") ? commands : method.invoke(beside, arguments));
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> call.on(method, arguments)));
    }

    private interface Call {
        Object on(Method method, Object[] arguments) throws IllegalAccessException, InvocationTargetException;
    }
}
