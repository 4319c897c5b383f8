package io.distributedlock.spring.method;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import net.bytebuddy.ByteBuddy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LateResultsTests {

    @Test
    void streamsAndCallablesAreLateAndValuesAreNot() {
        assertThat(List.of(IntStream.class, Callable.class)).allMatch(LateResults::include);
        assertThat(List.of(String.class, void.class, List.class)).noneMatch(LateResults::include);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "context.request.async.DeferredResult",
                "context.request.async.WebAsyncTask",
                "servlet.mvc.method.annotation.ResponseBodyEmitter",
                "servlet.mvc.method.annotation.StreamingResponseBody"
            })
    void asynchronousWebResultsAndTheirSubclassesAreLate(String name) {
        ClassLoader loader = ClassLoader.getPlatformClassLoader();
        Class<?> type = new ByteBuddy()
                .subclass(Object.class)
                .name("org.springframework.web." + name)
                .make()
                .load(loader)
                .getLoaded();
        Class<?> special = new ByteBuddy()
                .subclass(type)
                .name("com.example.Special")
                .make()
                .load(type.getClassLoader())
                .getLoaded();
        assertThat(LateResults.include(type)).isTrue();
        assertThat(LateResults.include(special)).isTrue();
    }
}
