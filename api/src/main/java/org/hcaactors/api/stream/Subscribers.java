package org.hcaactors.api.stream;

import java.util.concurrent.Flow;
import java.util.function.Consumer;

/** Ready-made subscribers for the simple cases. */
public final class Subscribers {
    private Subscribers() {}

    /** Takes every element, asking for {@value ForEach#WINDOW} ahead; an error ends it silently. */
    public static <T> Flow.Subscriber<T> forEach(Consumer<? super T> action) {
        return new ForEach<>(action, error -> {});
    }

    /** Takes every element, asking for {@value ForEach#WINDOW} ahead, and hands over the error that ends the stream. */
    public static <T> Flow.Subscriber<T> forEach(Consumer<? super T> action, Consumer<Throwable> onError) {
        return new ForEach<>(action, onError);
    }
}
