// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.handle;

import java.util.concurrent.CompletionStage;

/**
 * A handle that closes: of an object of an adapter, of a process, or of a library above verbs, such as a pool. Closing it destroys
 * the object and what it created. Objects must be closed in reverse order of creation, because closing an object that another
 * one uses fails with EBUSY. Closing twice has no effect; other verbs on a closed object are refused with EINVAL.
 *
 * <p>Threads: any, unless a kind of handle says otherwise. Limits: those of its kind.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface Handle extends AutoCloseable {
    /** Returns kind and number, for reports. */
    String describe();

    /** Closes the object; EBUSY, and nothing changes, while an open object uses it. */
    CompletionStage<Void> closeAsync();

    /**
     * Closes and waits. Must not be called from the adapter's own thread; asynchronous code uses {@link #closeAsync}. Throws
     * the VerbsException (EBUSY) with which {@code closeAsync} fails.
     */
    @Override
    void close();
}
