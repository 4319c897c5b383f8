package io.distributedlock.redis;

import io.distributedlock.LockMode;
import io.distributedlock.redis.listing.LockPages;
import io.distributedlock.redis.script.EncodedArguments;
import io.distributedlock.redis.script.LockKeys;
import io.distributedlock.redis.script.LuaScript;
import io.distributedlock.redis.script.RedisReplies;
import io.distributedlock.redis.script.Sha1;
import io.distributedlock.redis.server.AcceptedScripts;
import io.distributedlock.redis.server.RefusedCommands;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.BatchExtension;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.ClientRoster;
import io.distributedlock.spi.LockHints;
import io.distributedlock.spi.LockInspection;
import io.distributedlock.spi.LockListing;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.OnDemandTokens;
import io.distributedlock.spi.PreparedBatchExtension;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import io.distributedlock.spi.StoreLimits;
import io.distributedlock.spi.StoredLock;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Locks in one Redis: a string for each lock, its value the owner, its expiry the lease; and while a claim waits, a
 * mark behind the owner and a sorted set of claims beside the lock. A lock that is shared has its owners in a sorted
 * set beside it, by the end of their leases.
 *
 * <p>Guaranteed while Redis keeps its data: each verb is atomic and idempotent for its owner; a release grants
 * the lock to the claim that waits longest. Not guaranteed: exclusion across the failover to a replica that had not
 * received the lock yet, because replication in Redis is asynchronous; nor the order of arrival after a lease has
 * expired or the queue was lost.
 *
 * <p>Needs Redis 6.2 or newer, or Valkey, and the rights that docs/permissions.md names. Without scripts, a server that
 * can compare and delete keeps exclusive locks: see {@link ScriptUse}.
 */
public final class RedisLockStore
        implements LockStore, BatchExtension, OnDemandTokens, LockInspection, LockListing, LockHints {

    private static final LuaScript KEEP = LuaScript.named("release_after");
    private static final LuaScript FIND = LuaScript.named("find");
    private static final LuaScript DRAW_TOKEN = LuaScript.named("draw_token");

    private final List<Consumer<Predicate<String>>> forceReleaseHooks = new CopyOnWriteArrayList<>();
    private final RedisLockConnection redis;
    /** The channel on which the SHA-1 of each owner is published whose claim is released by force. */
    private final String forceReleases;

    private final LockKeys keys;
    private final RosterCommands roster;
    private final ExtendCommands extensions;
    private final ReleaseCommands releases;
    private final AcquireCommands attempts;
    private final ScriptlessLockStore scriptless;
    private final ScriptUse scriptUse;
    private final AcceptedScripts accepted = new AcceptedScripts();
    private final RefusedCommands refused;
    private final ServerProbe probe;
    private final @Nullable Duration quarantine;

    /** {@link #RedisLockStore(RedisLockConnection, String, boolean)} with notifications. */
    public RedisLockStore(RedisLockConnection connections, String keyPrefix) {
        this(connections, keyPrefix, true);
    }

    /**
     * @param connections not opened yet, and of this store alone
     * @param keyPrefix what every key and channel of ours begins with, followed by a colon
     * @param notifications whether claims may be queued, and notified of their grant on a channel; else they poll
     */
    public RedisLockStore(RedisLockConnection connections, String keyPrefix, boolean notifications) {
        this(connections, keyPrefix, notifications, ScriptUse.AUTO);
    }

    /** @param scriptUse whether scripts are called; the locks are the same */
    public RedisLockStore(
            RedisLockConnection connections, String keyPrefix, boolean notifications, ScriptUse scriptUse) {
        this(connections, keyPrefix, notifications, scriptUse, null);
    }

    private RedisLockStore(
            RedisLockConnection connections,
            String keyPrefix,
            boolean notifications,
            ScriptUse scriptUse,
            @Nullable Duration quarantine) {
        if (keyPrefix.isEmpty() || keyPrefix.chars().anyMatch(c -> c <= ' ' || c == '{' || c == '}')) {
            throw new IllegalArgumentException("The key prefix must not be empty or contain blanks, control characters"
                    + " or braces, but is '" + keyPrefix + "'");
        }
        this.redis = connections;
        this.refused = new RefusedCommands(connections.nanoTime());
        this.scriptUse = scriptUse;
        this.quarantine = quarantine;
        this.keys = new LockKeys(keyPrefix + ":", connections::isSharded);
        QueuedClaims grants = new QueuedClaims(
                keyPrefix + ":",
                this::release,
                released -> forceReleaseHooks.forEach(hook -> hook.accept(released)),
                accepted.queueing()::warn,
                connections.nanoTime());
        this.forceReleases = grants.commonAddress();
        this.roster = new RosterCommands(connections, keys);
        connections.onReachable(accepted::forget);
        this.extensions = new ExtendCommands(connections, keys, accepted, refused);
        this.releases = new ReleaseCommands(connections, keys, grants, accepted, refused);
        this.attempts = new AcquireCommands(connections, keys, grants, accepted, quarantine);
        this.scriptless = new ScriptlessLockStore(connections, keys, refused);
        this.probe = new ServerProbe(
                redis, accepted, attempts, extensions, releases, refused, () -> isScriptless() ? scriptless : null);
        connections.onReachable(quarantine == null ? probe::begin : probe::nameServer);
        if (scriptUse == ScriptUse.NEVER) {
            return;
        }
        connections.load(attempts.scripts());
        connections.load(ReleaseCommands.scripts());
        connections.load(ExtendCommands.scripts());
        connections.load(List.of(KEEP, DRAW_TOKEN));
        if (notifications) {
            connections.deliverTo(grants);
        }
    }

    /**
     * The one place that chooses between scripts and plain commands. A call whose script the server refused to run has
     * done nothing, and is made without.
     */
    private <T> CompletionStage<T> chosen(Supplier<CompletionStage<T>> scripted, Supplier<CompletionStage<T>> plain) {
        return isScriptless()
                ? plainly(plain, redis.scriptRefusal())
                : scripted.get()
                        .exceptionallyCompose(failure -> quarantine == null && RedisReplies.isWithoutScripts(failure)
                                ? plainly(plain, RedisReplies.failure(failure))
                                : CompletableFuture.failedFuture(failure));
    }

    /** A node of a quorum that may forget its locks can't do without. */
    private boolean isScriptless() {
        return quarantine == null && (scriptUse == ScriptUse.NEVER || redis.scriptRefusal() != null);
    }

    /** @param refusal why there are no scripts, if the server is the reason */
    private static <T> CompletionStage<T> plainly(
            Supplier<CompletionStage<T>> plain, @Nullable StoreException refusal) {
        return plain.get().exceptionally(failure -> {
            StoreException known = RedisReplies.failure(failure);
            if (refusal == null || !known.isDenied()) {
                throw known;
            }
            String both = refusal.getMessage() + "; " + known.getMessage();
            throw refusal.isDenied()
                    ? StoreException.denied(both, refusal.getCause())
                    : StoreException.refused(both, refusal.getCause());
        });
    }

    /**
     * A node of a quorum whose server may lose data when it is restarted: after each start of the server, and after a
     * loss of its data, it grants nothing for so long that all locks that it may have forgotten are over. That is so,
     * too, when it is used for the first time. It grants the lock to no claim in a queue. The user needs the right
     * {@code +info} besides.
     *
     * @param notifications as in {@link #RedisLockStore(RedisLockConnection, String, boolean)}
     * @param longestLease no client of the quorum asks for a longer lease
     */
    public static RedisLockStore votingNode(
            RedisLockConnection connections, String keyPrefix, boolean notifications, Duration longestLease) {
        return new RedisLockStore(connections, keyPrefix, notifications, ScriptUse.AUTO, longestLease);
    }

    /** For one Redis, with a connection of its own, the key prefix {@code lock} and a command timeout of 1 s. */
    public static RedisLockStore of(RedisURI uri) {
        return new RedisLockStore(new RedisLockConnection(RedisClientSource.of(uri), Duration.ofSeconds(1)), "lock");
    }

    @Override
    public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
        requireAllowed(ttl);
        return chosen(
                () -> bySlotIfSharded(() -> attempts.acquire(claim, ttl, patience)),
                () -> scriptless.acquire(claim, ttl, patience));
    }

    @Override
    public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Claim waiter, Duration patience) {
        requireAllowed(ttl);
        return chosen(
                () -> bySlotIfSharded(() -> attempts.acquire(claim, ttl, waiter, patience)),
                () -> scriptless.acquire(claim, ttl, patience));
    }

    /** A server that turns out to be sharded has done nothing, and is asked again with keys of one slot. */
    private <T> CompletionStage<T> bySlotIfSharded(Supplier<CompletionStage<T>> call) {
        boolean known = redis.isSharded();
        CompletionStage<T> answer = call.get();
        return known
                ? answer
                : answer.exceptionallyCompose(failure ->
                        RedisReplies.isCrossSlot(failure) ? call.get() : CompletableFuture.failedFuture(failure));
    }

    /** A restarted node may have forgotten a lock with a longer lease than its quarantine. */
    private void requireAllowed(Duration ttl) {
        if (quarantine != null && ttl.compareTo(quarantine) > 0) {
            throw StoreException.refused(
                    ("a lease of %d ms is longer than the restart quarantine of this node of a quorum, %d ms. Use"
                                    + " a shorter ttl, or raise distributed-lock.quorum.restart-quarantine")
                            .formatted(ttl.toMillis(), quarantine.toMillis()),
                    null);
        }
    }

    @Override
    public StoreLimits limits() {
        return new StoreLimits(
                quarantine == null && scriptUse == ScriptUse.AUTO
                        ? StoreLimits.NONE.modes()
                        : Set.of(LockMode.EXCLUSIVE),
                Optional.ofNullable(quarantine),
                Optional.of(redis.commandTimeout()));
    }

    @Override
    public CompletionStage<?> withdraw(Claim waiter) {
        attempts.released(waiter);
        return releases.withdraw(waiter);
    }

    @Override
    public CompletionStage<Release> discard(Claim claim) {
        attempts.released(claim);
        return chosen(() -> releases.discard(claim), () -> released(claim));
    }

    /** While a slot moves, its counter may be at another node than the lock; then there is no token. */
    @Override
    public CompletionStage<Long> drawToken(Claim claim) {
        return chosen(() -> bySlotIfSharded(() -> drawByScript(claim)), () -> scriptless.drawToken(claim));
    }

    private CompletionStage<Long> drawByScript(Claim claim) {
        String lock = keys.lock(claim.id());
        return redis.run(DRAW_TOKEN, ScriptOutputType.INTEGER, List.of(lock, keys.fence(lock)), claim.owner())
                .thenApply(RedisReplies::token);
    }

    @Override
    public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
        requireAllowed(ttl);
        return chosen(
                () -> extensions.extend(claim, token, ttl).thenApply(left -> scriptless.safely(claim.owner(), left)),
                () -> scriptless.extend(claim, token, ttl));
    }

    /** In a Cluster most leases need a script of their own, so that keeping them all would cost more than it saves. */
    @Override
    public PreparedBatchExtension prepareExtension(List<Claim> claims, long token, Duration ttl) {
        requireAllowed(ttl);
        PreparedBatchExtension each = PreparedBatchExtension.oneByOne(this, claims, token, ttl);
        if (redis.isSharded()) {
            return each;
        }
        PreparedBatchExtension together = extensions.prepare(claims, token, ttl);
        return answers -> (isScriptless() || scriptless.isInDoubt() ? each : together).extend(answers);
    }

    @Override
    public CompletionStage<Release> release(Claim claim) {
        attempts.released(claim);
        return chosen(() -> releases.release(claim), () -> released(claim)).whenComplete((release, failure) -> {
            if (failure != null && RedisReplies.failure(failure).effect() == Effect.REFUSED) {
                attempts.checkAgain();
            }
        });
    }

    /** The claim may have been queued by a script before. */
    private CompletionStage<Release> released(Claim claim) {
        return scriptless.release(claim).thenApply(release -> releases.ended(claim, release));
    }

    @Override
    public CompletionStage<Boolean> releaseAfter(Claim claim, Duration time) {
        return chosen(() -> keepByScript(claim, time), () -> scriptless.releaseAfter(claim, time));
    }

    private CompletionStage<Boolean> keepByScript(Claim claim, Duration time) {
        List<String> lock = List.of(keys.lock(claim.id()));
        return redis.run(KEEP, ScriptOutputType.INTEGER, lock, claim.owner(), EncodedArguments.millis(time))
                .thenApply(RedisReplies::flag)
                .exceptionally(RedisReplies::flagOfFailure);
    }

    @Override
    public CompletionStage<Optional<StoredLock>> find(String id) {
        return chosen(
                () -> redis.run(FIND, ScriptOutputType.MULTI, keys.toFind(keys.lock(id)))
                        .thenApply(RedisReplies::found),
                () -> scriptless.find(id));
    }

    @Override
    public CompletionStage<Page> list(@Nullable String cursor, int limit) {
        return redis.plain(commands -> new LockPages(keys).page(commands, cursor, limit));
    }

    @Override
    public Optional<String> storeKey(String id) {
        return Optional.of(keys.lock(id));
    }

    @Override
    public Map<String, String> description() {
        return isScriptless()
                ? AcceptedScripts.description(probe.server(), "none", "compare and delete", false)
                : accepted.description(probe.server(), releases.description(), attempts.queues());
    }

    @Override
    public Optional<String> problem() {
        return refused.problem();
    }

    /**
     * The holder's client is notified after the answer, because it releases the claim, too; where no message arrives,
     * the holder notices at its next renewal.
     */
    @Override
    public CompletionStage<Release> forceRelease(Claim claim) {
        return chosen(() -> releases.release(claim), () -> released(claim))
                .whenComplete((release, failure) -> announceForced(claim, release == null || release.held()));
    }

    @Override
    public CompletionStage<Boolean> replace(Claim claim, String owner, Duration lease) {
        return chosen(() -> releases.replace(claim, owner, lease), () -> scriptless.replace(claim, owner, lease))
                .whenComplete((replaced, failure) -> announceForced(claim, !Boolean.FALSE.equals(replaced)));
    }

    private void announceForced(Claim claim, boolean taken) {
        if (taken) {
            redis.announce(forceReleases, Sha1.sha1(claim.owner()));
        }
    }

    @Override
    public void onForceReleased(Consumer<Predicate<String>> hook) {
        forceReleaseHooks.add(hook);
    }

    @Override
    public Optional<ClientRoster> roster() {
        return Optional.of(roster);
    }

    /** A store of the same locks, without a queue. */
    RedisLockStore beside(RedisLockConnection others) {
        return new RedisLockStore(others, keys.keyPrefix(), false, scriptUse);
    }

    Replicas replicas(int enough, Duration limit) {
        return new Replicas(redis, keys, enough, limit);
    }

    @Override
    public CompletionStage<?> ready() {
        return scriptUse == ScriptUse.NEVER ? scriptless.ready() : redis.ready();
    }

    @Override
    public void onReachable(Runnable hook) {
        redis.onReachable(hook);
    }

    @Override
    public void close() {
        redis.close();
    }
}
