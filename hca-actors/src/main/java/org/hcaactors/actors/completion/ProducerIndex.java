// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.completion;

import java.util.Optional;
import java.util.function.LongConsumer;
import org.hcaactors.actors.stage.CommandSender;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The program's receiver of a queue's producer index, if it has one, and the log of its first exception. */
final class ProducerIndex {
    private static final Logger LOG = LoggerFactory.getLogger(ProducerIndex.class);

    private final @Nullable LongConsumer receiver;
    private final CommandSender<?> queue;
    private boolean threw;

    ProducerIndex(Optional<LongConsumer> receiver, CommandSender<?> queue) {
        this.receiver = receiver.orElse(null);
        this.queue = queue;
    }

    // rule completion-producer-index
    /** Passes the index; catches Throwable: Kotlin code may throw checked exceptions. */
    void pass(long index) {
        if (receiver == null || queue.callers().areKilled()) {
            return;
        }
        try {
            receiver.accept(index);
        } catch (Throwable thrown) {
            report(receiver, thrown);
        }
    }

    private void report(LongConsumer receiver, Throwable thrown) {
        if (!threw) {
            threw = true;
            LOG.warn("the receiver of the producer index of {} threw; later exceptions are not logged", queue, thrown);
            queue.threw(receiver, thrown);
        }
    }
}
