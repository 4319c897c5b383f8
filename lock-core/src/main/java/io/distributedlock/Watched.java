package io.distributedlock;

/** One of many in a {@link Tenures}: it knows its place there, which nobody else may change. */
abstract class Watched {

    static final int NOWHERE = -1;

    private int place = NOWHERE;

    int place() {
        return place;
    }

    void moveTo(int newPlace) {
        place = newPlace;
    }
}
