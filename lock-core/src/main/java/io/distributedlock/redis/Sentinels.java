package io.distributedlock.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.sentinel.api.StatefulRedisSentinelConnection;
import io.lettuce.core.sentinel.api.async.RedisSentinelAsyncCommands;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
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

    /** The answer of the first Sentinel that can be reached. */
    CompletionStage<Watched> ask() {
        return client.connectSentinelAsync(PlainText.CODEC, address)
                .thenCompose(
                        connection -> ask(connection.async()).whenComplete((answer, failure) -> close(connection)));
    }

    private static void close(StatefulRedisSentinelConnection<String, String> connection) {
        connection.closeAsync();
    }

    private CompletionStage<Watched> ask(RedisSentinelAsyncCommands<String, String> sentinel) {
        String name = address.getSentinelMasterId();
        return sentinel.getMasterAddrByName(name).thenCombine(sentinel.replicas(name), this::watched);
    }

    private Watched watched(SocketAddress master, List<Map<String, String>> replicas) {
        InetSocketAddress named = (InetSocketAddress) master;
        return new Watched(
                node(named.getHostString(), named.getPort()),
                replicas.stream().limit(MAX_REPLICAS).map(this::replica).toList());
    }

    private Replica replica(Map<String, String> words) {
        return new Replica(
                node(words.getOrDefault("ip", ""), Integer.parseInt(words.get("port"))), Standing.reported(words));
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

    /** A master and its replicas, dead or alive, by the names that the Sentinels use. */
    record Watched(RedisURI master, List<Replica> replicas) {}

    record Replica(RedisURI address, Standing standing) {}
}
