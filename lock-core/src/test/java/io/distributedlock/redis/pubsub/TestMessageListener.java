package io.distributedlock.redis.pubsub;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps the messages to one process. */
final class TestMessageListener implements MessageListener {

    final List<String> messages = new CopyOnWriteArrayList<>();

    @Override
    public String address() {
        return "lock:grants:test";
    }

    @Override
    public void moves() {}

    @Override
    public String commonAddress() {
        return "lock:forced";
    }

    @Override
    public void opened(ServerSubscriber open) {}

    @Override
    public void unheard(String reason) {}

    @Override
    public void received(String message) {
        messages.add(message);
    }

    @Override
    public void receivedByAll(String message) {}
}
