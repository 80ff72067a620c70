// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/** Logs what an interceptor or a tap throws: once, since it will throw at every packet. */
final class FirstFailureLog implements Consumer<Throwable> {
    private final AtomicBoolean logged = new AtomicBoolean();

    @Override
    public void accept(Throwable thrown) {
        if (logged.compareAndSet(false, true)) {
            // Not before: an environment is made before SLF4J is started.
            LoggerFactory.getLogger(FirstFailureLog.class)
                    .warn("an interceptor or a tap threw; the packet goes on, and more of it is not logged", thrown);
        }
    }
}
