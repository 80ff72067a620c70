// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/** Log of the first exception of an interceptor or tap; it would throw again for every packet. */
final class FirstFailureLog implements Consumer<Throwable> {
    private final AtomicBoolean logged = new AtomicBoolean();

    @Override
    public void accept(Throwable thrown) {
        if (logged.compareAndSet(false, true)) {
            // Created here: an environment is created before SLF4J is started.
            LoggerFactory.getLogger(FirstFailureLog.class)
                    .warn(
                            "an interceptor or a tap threw; the packet continues, and further exceptions are not logged",
                            thrown);
        }
    }
}
