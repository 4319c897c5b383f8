package io.distributedlock.redis;

import io.lettuce.core.api.push.PushListener;
import io.lettuce.core.api.push.PushMessage;
import java.util.List;
import java.util.function.Consumer;

/** The server's word that somebody else has changed what was read here with tracking; see {@link TrackingHandler}. */
record Invalidations(Consumer<List<String>> changed) implements PushListener {

    private static final String TYPE = "invalidate";

    /** The keys come as a list, or as nothing when the server has been emptied. Called by the event loop. */
    @Override
    public void onPushMessage(PushMessage message) {
        if (message.getType().equals(TYPE)) {
            List<Object> content = message.getContent(PlainText.CODEC::decodeKey);
            Object keys = content.size() > 1 ? content.get(1) : null;
            changed.accept(
                    keys instanceof List<?> some
                            ? some.stream().map(String::valueOf).toList()
                            : List.of());
        }
    }
}
