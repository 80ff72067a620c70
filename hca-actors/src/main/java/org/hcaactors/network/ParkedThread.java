// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.hcaactors.api.error.AwaitTimeoutException;

/**
 * Awaiter that parks the caller's thread; a time of more than 292 years counts as unlimited. Must not be called on the
 * adapter's own thread.
 */
final class ParkedThread implements Environment.Awaiter {
    static final Environment.Awaiter AWAITER = new ParkedThread();

    @Override
    public <T> T await(CompletionStage<T> stage, Duration atMost, Supplier<String> reason) {
        try {
            return stage.toCompletableFuture().get(TimeUnit.NANOSECONDS.convert(atMost), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            throw unchecked(failed.getCause() == null ? failed : failed.getCause());
        } catch (TimeoutException late) {
            throw timedOut(atMost, reason.get());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting", interrupted);
        }
    }

    static AwaitTimeoutException timedOut(Duration atMost, String reason) {
        return new AwaitTimeoutException(
                "the wait timed out after " + TimeUnit.MILLISECONDS.convert(atMost) + " ms; " + reason, atMost);
    }

    private static RuntimeException unchecked(Throwable cause) {
        return switch (cause) {
            case RuntimeException unchecked -> unchecked;
            case Error error -> throw error;
            default -> new IllegalStateException(cause);
        };
    }
}
