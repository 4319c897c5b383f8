package io.distributedlock.testkit.resp;

/** An error reply of a Redis server; the message is the reply without its leading minus sign. */
public final class RespError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RespError(String reply) {
        super(reply);
    }

    /** The first word of the reply, for example {@code WRONGTYPE} or {@code ERR}. */
    public String code() {
        String reply = String.valueOf(getMessage());
        int space = reply.indexOf(' ');
        return space < 0 ? reply : reply.substring(0, space);
    }
}
