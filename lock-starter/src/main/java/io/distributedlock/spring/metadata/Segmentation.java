package io.distributedlock.spring.metadata;

import io.distributedlock.SegmentedLock;
import io.distributedlock.spring.key.KeyExpression;
import java.util.List;

/**
 * Into how many segments the lock of a method is cut, and what tells to which one a call belongs.
 *
 * @param by gives the value that is hashed
 */
record Segmentation(int segments, KeyExpression by) {

    /** The keys of the segment that this call belongs to, of the locks with these keys. */
    List<String> keys(List<String> whole, KeyExpression.Call call) {
        int segment = SegmentedLock.segmentOf(by.evaluate(call), segments);
        return whole.stream().map(key -> SegmentedLock.keyOf(key, segment)).toList();
    }
}
