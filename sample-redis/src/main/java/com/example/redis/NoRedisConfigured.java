package com.example.redis;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if nothing below {@code spring.data.redis} says where a Redis is; settings such as time-outs don't count. */
class NoRedisConfigured implements Condition {

    private static final Set<String> ADDRESSES = Set.of("url", "host", "port", "sentinel", "cluster", "masterreplica");

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Map<String, Object> settings = Binder.get(context.getEnvironment())
                .bind("spring.data.redis", Bindable.mapOf(String.class, Object.class))
                .orElseGet(Map::of);
        return Collections.disjoint(settings.keySet(), ADDRESSES);
    }
}
