// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.stream;

import java.util.concurrent.Flow;
import java.util.function.Consumer;

/**
 * Ready-made subscribers for the simple cases.
 *
 * <p>Threads: any; a subscriber is called by one thread at a time, its publisher's. Limits: {@value ForEach#WINDOW}
 * elements are asked for ahead.
 */
public final class Subscribers {
    private static final System.Logger LOG = System.getLogger(Subscribers.class.getPackageName());

    private Subscribers() {}

    /**
     * Takes every element, asking for {@value ForEach#WINDOW} ahead. An error that ends the stream is logged, as an ERROR of
     * the system logger {@code org.hcaactors.api.stream}, which prints without any logging library: to act on it, or to ignore it, use
     * {@link #forEach(Consumer, Consumer)}. What {@code action} throws is such an error: the subscription is cancelled.
     */
    public static <T> Flow.Subscriber<T> forEach(Consumer<? super T> action) {
        return new ForEach<>(action, Subscribers::log);
    }

    /**
     * Takes every element, asking for {@value ForEach#WINDOW} ahead, and hands over the error that ends the stream: the publisher's, or
     * what {@code action} throws, after which the subscription is cancelled and no element comes any more.
     */
    public static <T> Flow.Subscriber<T> forEach(Consumer<? super T> action, Consumer<Throwable> onError) {
        return new ForEach<>(action, onError);
    }

    private static void log(Throwable error) {
        LOG.log(
                System.Logger.Level.ERROR,
                "an error ended a stream, and its subscriber has no handler for errors",
                error);
    }
}
