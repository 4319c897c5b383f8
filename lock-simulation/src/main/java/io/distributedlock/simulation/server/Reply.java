package io.distributedlock.simulation.server;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a command answers. A {@link Long} is an integer, a {@link String} a text of bytes, a {@link List} an array, null
 * is null; the other answers are here.
 */
public final class Reply {

    public static final Status OK = new Status("OK");

    private Reply() {}

    public record Status(String text) {}

    public record Failure(String text) {}

    /** Names and values in turn. */
    record Fields(List<@Nullable Object> parts) {}

    /** What a connection receives without a question. */
    record Push(List<@Nullable Object> parts) {}
}
