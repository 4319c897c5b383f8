package io.distributedlock.simulation.server;

import org.jspecify.annotations.Nullable;

/** One command of the server. */
@FunctionalInterface
interface Command {

    /**
     * @param session where it comes from; null within a script
     * @param words its name and arguments
     */
    @Nullable
    Object run(@Nullable Session session, String[] words);
}
