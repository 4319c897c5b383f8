package io.distributedlock.spring.autoconfigure;

import java.util.Map;

/** For each property that is described to editors a value that is not its default; for maps and lists, properties below it. */
final class PropertySamples {

    static final Map<String, String> ALL = Map.ofEntries(
            Map.entry("distributed-lock.enabled", "false"),
            Map.entry("distributed-lock.store", "memory"),
            Map.entry("distributed-lock.key-prefix", "shop:lock"),
            Map.entry("distributed-lock.wait-time", "7s"),
            Map.entry("distributed-lock.ttl", "2m"),
            Map.entry("distributed-lock.max-hold", "1h"),
            Map.entry("distributed-lock.stop-margin", "3s"),
            Map.entry("distributed-lock.long-hold-warning", "10m"),
            Map.entry("distributed-lock.release-mode", "pipelined"),
            Map.entry("distributed-lock.identity", "application"),
            Map.entry("distributed-lock.waiting.barging", "false"),
            Map.entry("distributed-lock.waiting.max-per-lock", "7"),
            Map.entry("distributed-lock.waiting.max-total", "60000"),
            Map.entry("distributed-lock.policies.database.ttl", "2s"),
            Map.entry("distributed-lock.policies.database.renew", "false"),
            Map.entry("distributed-lock.policies.database.wait-time", "3s"),
            Map.entry("distributed-lock.policies.database.max-hold", "1m"),
            Map.entry("distributed-lock.policies.database.locks", "orders,Invoice*"),
            Map.entry("distributed-lock.policies.report.adaptive.min", "200ms"),
            Map.entry("distributed-lock.policies.report.adaptive.max", "20s"),
            Map.entry("distributed-lock.policies.report.adaptive.percentile", "0.9"),
            Map.entry("distributed-lock.policies.report.adaptive.factor", "2"),
            Map.entry("distributed-lock.redis.command-timeout", "250ms"),
            Map.entry("distributed-lock.redis.replicas", "2"),
            Map.entry("distributed-lock.redis.replica-timeout", "50ms"),
            Map.entry("distributed-lock.redis.notifications", "false"),
            Map.entry("distributed-lock.redis.scripts", "never"),
            Map.entry("distributed-lock.redis.self-test", "false"),
            Map.entry("distributed-lock.redis.fail-fast", "true"),
            Map.entry("distributed-lock.redis.url", "rediss://locks:6379"),
            Map.entry("distributed-lock.redis.ssl-bundle", "locks"),
            Map.entry("distributed-lock.web.problem-details", "false"),
            Map.entry("distributed-lock.web.holder", "full"),
            Map.entry("distributed-lock.aspect.enabled", "false"),
            Map.entry("distributed-lock.aspect.order", "17"),
            Map.entry("distributed-lock.aspect.interrupt-on-loss", "true"),
            Map.entry("distributed-lock.aspect.cancel-work", "true"),
            Map.entry("distributed-lock.aspect.strict", "false"),
            Map.entry("distributed-lock.transaction.commit-guard", "false"),
            Map.entry("distributed-lock.transaction.commit-margin", "20ms"),
            Map.entry("distributed-lock.transaction.nested-lock", "fail"),
            Map.entry("distributed-lock.shutdown.drain-time", "1s"),
            Map.entry("distributed-lock.quorum.urls[0]", "redis://one:6379"),
            Map.entry("distributed-lock.quorum.node-timeout", "50ms"),
            Map.entry("distributed-lock.quorum.restart-quarantine", "0s"),
            Map.entry("distributed-lock.quorum.ssl-bundle", "nodes"),
            Map.entry("distributed-lock.metrics.max-names", "7"),
            Map.entry("distributed-lock.metrics.key-in-observations", "true"),
            Map.entry("distributed-lock.endpoint.max-entries", "7"),
            Map.entry("distributed-lock.endpoint.forced-release", "true"));

    private PropertySamples() {}
}
