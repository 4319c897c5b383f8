package io.distributedlock.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.sentinel.api.StatefulRedisSentinelConnection;
import io.lettuce.core.sentinel.api.async.RedisSentinelAsyncCommands;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What the Sentinels of a master say about it. */
final class Sentinels {

    private static final int MAX_REPLICAS = 16;

    private final RedisClient client;
    private final RedisURI address;

    /** @param address the Sentinels, and what the nodes that they watch want from a client */
    Sentinels(RedisClient client, RedisURI address) {
        this.client = client;
        this.address = address;
    }

    /** All of them. */
    List<RedisURI> addresses() {
        return address.getSentinels();
    }

    /** Asks all, because one that has vanished together with the master would be waited for; the first answer counts. */
    CompletionStage<Watched> ask() {
        CompletableFuture<Watched> first = new CompletableFuture<>();
        List<CompletableFuture<Void>> all = addresses().stream()
                .map(sentinel -> ask(sentinel).thenAccept(first::complete).toCompletableFuture())
                .toList();
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).whenComplete((done, failure) -> {
            if (failure != null) {
                first.completeExceptionally(failure);
            }
        });
        return first;
    }

    private CompletionStage<Watched> ask(RedisURI sentinel) {
        return client.connectSentinelAsync(PlainText.CODEC, sentinel)
                .thenCompose(connection ->
                        ask(sentinel, connection.async()).whenComplete((answer, failure) -> close(connection)));
    }

    private static void close(StatefulRedisSentinelConnection<String, String> connection) {
        connection.closeAsync();
    }

    private CompletionStage<Watched> ask(RedisURI sentinel, RedisSentinelAsyncCommands<String, String> questions) {
        String name = address.getSentinelMasterId();
        return questions
                .getMasterAddrByName(name)
                .thenCombine(questions.replicas(name), (master, replicas) -> watched(sentinel, master, replicas));
    }

    private Watched watched(RedisURI sentinel, SocketAddress master, List<Map<String, String>> replicas) {
        InetSocketAddress named = (InetSocketAddress) master;
        return new Watched(
                sentinel,
                node(named.getHostString(), named.getPort()),
                replicas.stream().limit(MAX_REPLICAS).map(this::replica).toList());
    }

    private Replica replica(Map<String, String> words) {
        return new Replica(
                node(words.getOrDefault("ip", ""), Integer.parseInt(words.get("port"))),
                ReplicationRole.reported(words));
    }

    private RedisURI node(String host, int port) {
        RedisURI node = new RedisURI();
        node.setHost(host);
        node.setPort(port);
        node.setCredentialsProvider(address.getCredentialsProvider());
        node.setClientName(address.getClientName());
        node.setSsl(address.isSsl());
        node.setStartTls(address.isStartTls());
        node.setVerifyPeer(address.getVerifyMode());
        node.setTimeout(address.getTimeout());
        return node;
    }

    /** A master and its replicas, dead or alive, by the names that this Sentinel uses. */
    record Watched(RedisURI sentinel, RedisURI master, List<Replica> replicas) {}

    record Replica(RedisURI address, ReplicationRole role) {}
}
