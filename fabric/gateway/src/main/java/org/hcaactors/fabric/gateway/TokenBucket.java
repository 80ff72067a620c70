// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

/**
 * A limit of amounts in time: a bucket of tokens that fills at a constant rate. It is kept as the time at which the bucket will be
 * full again (generic cell rate algorithm, ITU-T I.371). Not thread-safe.
 */
final class TokenBucket {
    private static final double NANOS_PER_SECOND = 1e9;

    private final double nanosEach;
    private final long nanosToFill;
    private long fullAt = Long.MIN_VALUE;

    private TokenBucket(double nanosEach, long capacity) {
        this.nanosEach = nanosEach;
        nanosToFill = (long) Math.ceil(capacity * nanosEach);
    }

    /**
     * Creates a full bucket.
     *
     * @param perSecond tokens that come in a second, more than 0
     * @param capacity of the bucket, at least 1
     */
    static TokenBucket of(double perSecond, long capacity) {
        return new TokenBucket(NANOS_PER_SECOND / perSecond, capacity);
    }

    /** Creates a bucket that is always full. */
    static TokenBucket unlimited() {
        return new TokenBucket(0, 0);
    }

    /** Takes the tokens if they are there; from a full bucket, even more than its capacity. */
    boolean tryTake(int tokens, long now) {
        long from = Math.max(fullAt, now);
        boolean taken = from == now || from - now + nanos(tokens) <= nanosToFill;
        if (taken) {
            fullAt = from + nanos(tokens);
        }
        return taken;
    }

    /** Returns when {@link #tryTake} will succeed, if no tokens are taken before; {@code now} if it would now. */
    long availableAt(int tokens, long now) {
        return fullAt <= now ? now : Math.max(now, fullAt - Math.max(0, nanosToFill - nanos(tokens)));
    }

    /** Rounded down, so that a full bucket gives its capacity in any parts. */
    private long nanos(int tokens) {
        return (long) (tokens * nanosEach);
    }
}
