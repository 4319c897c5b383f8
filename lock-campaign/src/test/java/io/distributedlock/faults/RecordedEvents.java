package io.distributedlock.faults;

import io.distributedlock.LockEvent;
import io.distributedlock.LockListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Everything that a listener was told, in order. */
final class RecordedEvents implements LockListener {

    private final List<LockEvent> events = new CopyOnWriteArrayList<>();

    @Override
    public void on(LockEvent event) {
        events.add(event);
    }

    <E extends LockEvent> List<E> all(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
