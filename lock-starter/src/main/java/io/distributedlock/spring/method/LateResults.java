package io.distributedlock.spring.method;

import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.BaseStream;
import org.springframework.util.ClassUtils;

/** Finds results whose work happens after the method has returned, and whose end cannot be observed. */
final class LateResults {

    private static final String WEB = "org.springframework.web.";
    private static final Set<String> OF_SPRING_WEB = Set.of(
            WEB + "context.request.async.DeferredResult",
            WEB + "context.request.async.WebAsyncTask",
            WEB + "servlet.mvc.method.annotation.StreamingResponseBody",
            WEB + "servlet.mvc.method.annotation.ResponseBodyEmitter");

    private LateResults() {}

    static boolean include(Class<?> type) {
        if (BaseStream.class.isAssignableFrom(type) || Callable.class.isAssignableFrom(type)) {
            return true;
        }
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            if (OF_SPRING_WEB.contains(each.getName())) {
                return true;
            }
        }
        return ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                .anyMatch(each -> OF_SPRING_WEB.contains(each.getName()));
    }
}
