// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.stream;

import java.util.concurrent.Flow;
import java.util.function.Consumer;

/**
 * Ready-made subscribers for simple cases.
 *
 * <p>Threads: any; a subscriber is called by one thread at a time, its publisher's. Limits: {@value ForEach#WINDOW} elements
 * are requested ahead.
 */
public final class Subscribers {
    private static final System.Logger LOG = System.getLogger(Subscribers.class.getPackageName());

    private Subscribers() {}

    /**
     * Calls {@code action} for every element and requests {@value ForEach#WINDOW} ahead. An error that ends the stream is
     * logged as ERROR by the system logger {@code org.hcaactors.api.stream}, which needs no logging library. To handle or
     * ignore the error, use {@link #forEach(Consumer, Consumer)}. An exception of {@code action} cancels the subscription and
     * is such an error.
     */
    public static <T> Flow.Subscriber<T> forEach(Consumer<? super T> action) {
        return new ForEach<>(action, Subscribers::log);
    }

    /**
     * Calls {@code action} for every element, requests {@value ForEach#WINDOW} ahead, and passes the error that ends the stream
     * to {@code onError}: the publisher's error, or an exception of {@code action}, which cancels the subscription.
     */
    public static <T> Flow.Subscriber<T> forEach(Consumer<? super T> action, Consumer<Throwable> onError) {
        return new ForEach<>(action, onError);
    }

    private static void log(Throwable error) {
        LOG.log(
                System.Logger.Level.ERROR,
                "a stream ended with an error, and its subscriber has no error handler",
                error);
    }
}
