package io.distributedlock.redis.listing;

import io.distributedlock.spi.StoreException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How far the keys have been looked through: {@code 176}, or in a Cluster {@code 5461.a1b2c3.176}.
 *
 * @param slot the first slot of the master that is looked through; zero without a Cluster
 * @param node its id, because a cursor of one node means nothing to another; empty at its beginning, and without a
 *     Cluster
 * @param cursor that of the server; 0 at its beginning
 */
record ScanPosition(int slot, String node, String cursor) {

    static final String BEGINNING = "0";

    private static final Pattern TEXT = Pattern.compile("(?:(\\d{1,5})\\.([0-9a-zA-Z]*)\\.)?(\\d{1,20})");

    static ScanPosition parse(@Nullable String text) {
        if (text == null) {
            return atNode(0);
        }
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw StoreException.refused("this is no cursor of a list of locks; begin again without one", null);
        }
        String slot = parts.group(1);
        return slot == null
                ? new ScanPosition(0, "", parts.group(3))
                : new ScanPosition(Integer.parseInt(slot), parts.group(2), parts.group(3));
    }

    /** The beginning of the master that has this slot. */
    static ScanPosition atNode(int slot) {
        return new ScanPosition(slot, "", BEGINNING);
    }

    String text(boolean isCluster) {
        return isCluster ? slot + "." + node + "." + cursor : cursor;
    }
}
