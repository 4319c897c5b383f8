package io.distributedlock.internal.support;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The messages that one class writes to the platform's log until this is closed. */
public final class CapturedLog extends Handler implements AutoCloseable {

    private final List<String> messages = new CopyOnWriteArrayList<>();
    private final Logger logger;

    private CapturedLog(Logger logger) {
        this.logger = logger;
        logger.addHandler(this);
    }

    public static CapturedLog of(Class<?> source) {
        return new CapturedLog(Logger.getLogger(source.getName()));
    }

    public List<String> messages() {
        return messages;
    }

    @Override
    public void publish(LogRecord written) {
        messages.add(written.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
