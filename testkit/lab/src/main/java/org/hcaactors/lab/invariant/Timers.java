package org.hcaactors.lab.invariant;

import org.hcaactors.api.queue.QpAttribute;

/** What a queue pair's timers are set to, as far as the checkers ask. */
final class Timers {
    private Timers() {}

    /** A lost packet is waited for without end: the local ACK timeout is 0. Those who set it so asked for that. */
    static boolean ackTimeoutIsInfinite(Known known, QpName qp) {
        return known.queuePair(qp)
                .flatMap(facts -> facts.attribute(QpAttribute.Timeout.class))
                .map(timeout -> timeout.code() == 0)
                .orElse(false);
    }
}
