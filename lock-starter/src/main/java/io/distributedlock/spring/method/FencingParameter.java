package io.distributedlock.spring.method;

import io.distributedlock.LockHandle;
import io.distributedlock.spring.FencingToken;
import io.distributedlock.spring.LockConfigurationException;
import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInvocation;

/**
 * Which parameter of a locked method is given the fencing token.
 *
 * @param index from 0; negative if there is none
 */
public record FencingParameter(int index) {

    public static final FencingParameter NONE = new FencingParameter(-1);

    /** @throws LockConfigurationException if there are several, or the one can't hold a token */
    static FencingParameter of(Method called, LockedMethod annotated) {
        FencingParameter found = NONE;
        for (int i = 0; i < called.getParameterCount(); i++) {
            if (isMarked(called, i) || isMarked(annotated.method(), i)) {
                refuseUnfit(called.getParameterTypes()[i], found, annotated);
                found = new FencingParameter(i);
            }
        }
        return found;
    }

    private static boolean isMarked(Method method, int index) {
        return method.getParameters()[index].isAnnotationPresent(FencingToken.class);
    }

    private static void refuseUnfit(Class<?> type, FencingParameter earlier, LockedMethod method) {
        if (type != long.class && type != Long.class) {
            throw method.misused(
                    "its @FencingToken parameter is of the type " + type.getSimpleName() + ", but a token is a long",
                    "Declare the parameter as long");
        }
        if (earlier != NONE) {
            throw method.misused(
                    "it has more than one @FencingToken parameter, but a lock has one token", "Keep one of them");
        }
    }

    /** Whether a key expression means this parameter by its position, as in {@code #p1}. */
    public boolean isAt(String position) {
        return index >= 0 && (position.equals("p" + index) || position.equals("a" + index));
    }

    public void fill(MethodInvocation call, LockHandle lock) {
        if (index >= 0) {
            call.getArguments()[index] = lock.fencingToken();
        }
    }
}
