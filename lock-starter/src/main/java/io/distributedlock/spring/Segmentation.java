package io.distributedlock.spring;

import io.distributedlock.SegmentedLock;

/**
 * Into how many segments the lock of a method is cut, and what tells to which one a call belongs.
 *
 * @param by gives the value that is hashed
 */
record Segmentation(int segments, KeyExpression by) {

    /** The key of the segment that this call belongs to, of the lock with that key. */
    String key(String whole, KeyExpression.Call call) {
        return SegmentedLock.keyOf(whole, SegmentedLock.segmentOf(by.evaluate(call), segments));
    }
}
