package io.distributedlock.spring;

import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call of a locked method that was not made, because another owner held its lock for the whole wait time.
 *
 * @param request the lock, and how it was asked for
 * @param arguments what the method was called with; a list that can't be changed
 * @param reason what the caller would have got without a handler
 */
public record LockRefusal(
        LockRequest request, Method method, List<@Nullable Object> arguments, LockNotAcquiredException reason) {}
