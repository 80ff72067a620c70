// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.handle;

import java.util.concurrent.CompletionStage;

/**
 * Something that an adapter made for a process, and that is to be closed: in the reverse order of creation, since what is
 * still used refuses with EBUSY. Closing again does nothing; any other verb on something closed is refused with EINVAL.
 *
 * <p>Threads: any, unless a kind of handle says otherwise. Limits: what its kind says.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface Handle extends AutoCloseable {
    /** Kind and number, for reports. */
    String describe();

    /** Fails with EBUSY, and leaves everything as it is, while something open uses this. */
    CompletionStage<Void> closeAsync();

    /**
     * Closes and waits. Not to be called from the adapter's own thread; asynchronous code uses {@link #closeAsync}. Throws
     * VerbsException (EBUSY) as {@code closeAsync} fails.
     */
    @Override
    void close();
}
