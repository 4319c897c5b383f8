package io.distributedlock.campaign.workload;

import io.distributedlock.SegmentedLock;
import io.distributedlock.testkit.history.MutualExclusionWord;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The keys for which all processes compete, and what they guard: a detector of overlaps and a fenced resource, both in
 * files.
 *
 * @param contended how many keys, the first ones, all threads use; each of the others belongs to one thread
 */
public record SharedState(int contended, int keys, MutualExclusionWord word, FencedResource resource) {

    /** The key of the lock whose segments are the contended keys. */
    public static final String HOT = "hot";

    public static SharedState open(Path folder, int contended, int keys) {
        return new SharedState(
                contended,
                keys,
                MutualExclusionWord.open(folder.resolve("words"), keys),
                FencedResource.open(folder.resolve("tokens"), keys));
    }

    public String key(int position) {
        return position < contended ? SegmentedLock.keyOf(HOT, position) : "own-" + position;
    }

    /** The Redis key of each key. */
    public Map<String, String> redisKeys() {
        return IntStream.range(0, keys)
                .mapToObj(this::key)
                .collect(Collectors.toMap(Function.identity(), SharedState::redisKey));
    }

    public static String redisKey(String key) {
        return "lock:{default:" + key + "}";
    }
}
