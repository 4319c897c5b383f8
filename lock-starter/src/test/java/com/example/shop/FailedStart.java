package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import java.util.Arrays;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractStringAssert;
import org.springframework.boot.test.system.CapturedOutput;

/** A start that fails, and what is printed then. */
final class FailedStart {

    static final String MEMORY = "distributed-lock.store=memory";

    private FailedStart() {}

    /** @param properties locks are in memory unless these name a store */
    static AbstractStringAssert<?> report(CapturedOutput output, Class<?> source, String... properties) {
        boolean chosen = Arrays.stream(properties).anyMatch(property -> property.startsWith("distributed-lock.store"));
        String[] all = Stream.concat(chosen ? Stream.empty() : Stream.of(MEMORY), Arrays.stream(properties))
                .toArray(String[]::new);
        assertThatException()
                .isThrownBy(() ->
                        ShopApplication.start(new Class<?>[] {source}, all).close());
        assertThat(output).contains("APPLICATION FAILED TO START");
        return assertThat(output.toString()).contains("Action:");
    }
}
