package io.distributedlock.spring.call;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** A call under the outer locks of a method that has several: to proceed means to take the next lock. */
final class NestedCall implements ProxyMethodInvocation {

    private final ProxyMethodInvocation call;
    private final Inside inside;

    /** What is done with the call when the lock is there. */
    @FunctionalInterface
    interface Inside {

        @Nullable
        Object run(ProxyMethodInvocation call) throws Throwable;
    }

    NestedCall(ProxyMethodInvocation call, Inside inside) {
        this.call = call;
        this.inside = inside;
    }

    @Override
    public @Nullable Object proceed() throws Throwable {
        return inside.run(call);
    }

    @Override
    public ProxyMethodInvocation invocableClone() {
        return new NestedCall((ProxyMethodInvocation) call.invocableClone(), inside);
    }

    @Override
    public ProxyMethodInvocation invocableClone(@Nullable Object... arguments) {
        return new NestedCall((ProxyMethodInvocation) call.invocableClone(arguments), inside);
    }

    @Override
    public Object getProxy() {
        return call.getProxy();
    }

    @Override
    public void setArguments(@Nullable Object... arguments) {
        call.setArguments(arguments);
    }

    @Override
    public void setUserAttribute(String key, @Nullable Object value) {
        call.setUserAttribute(key, value);
    }

    @Override
    public @Nullable Object getUserAttribute(String key) {
        return call.getUserAttribute(key);
    }

    @Override
    public Method getMethod() {
        return call.getMethod();
    }

    @Override
    public @Nullable Object[] getArguments() {
        return call.getArguments();
    }

    @Override
    public @Nullable Object getThis() {
        return call.getThis();
    }

    @Override
    public AccessibleObject getStaticPart() {
        return call.getStaticPart();
    }
}
