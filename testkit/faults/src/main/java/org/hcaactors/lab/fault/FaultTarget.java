// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.List;
import java.util.function.LongSupplier;
import org.hcaactors.adapter.stage.VerbGuard;
import org.hcaactors.network.RdmaNetwork;
import org.hcaactors.views.flow.TestkitEvent;

/** Where faults strike: a world, as they need it. Belongs to the world's thread. */
public interface FaultTarget {
    RdmaNetwork network();

    /** The objects of an adapter that have actors, by these names: {@code qp-17}, {@code cq-3}; none where the adapter is gone. */
    List<String> elements(String adapter);

    /** Virtual nanoseconds. */
    long now();

    /** Runs that when that much virtual time has passed. */
    void after(long nanos, Runnable action);

    /** Runs whenever nothing more is to be done at an instant, and time may pass. */
    void beforeTimePasses(Runnable action);

    /** How many objects the network has made so far: while it stays, nobody has come. */
    long made();

    /** Puts a firing into the trace; see {@link TestkitEvent}. */
    void tell(String port, String element, String what);

    /**
     * So many of the queue pair's messages find no receive, whatever is posted.
     *
     * @param struck called when the first of them comes
     */
    void withholdReceives(String adapter, int queuePair, int messages, Runnable struck);

    /** Asks that before every verb of a program from now on. */
    @SuppressWarnings("exports") // The adapter's side of it.
    void guardVerbs(VerbGuard rule);

    /**
     * No program on the host of that adapter takes a step, until the result is run.
     *
     * @param held called when one would have
     */
    Runnable pausePrograms(String host, Runnable held);

    /**
     * Programs on the host of that adapter take so many nanoseconds more before each step, until the result is run.
     *
     * @param slowed called when one does
     */
    Runnable slowPrograms(String host, LongSupplier nanos, Runnable slowed);

    /** The actor gets a message that it can't understand, and throws. */
    void crash(CrashTarget victim);

    /** Judges every message between actors from now on, until the result is run. */
    Runnable watchMail(MailRule rule);

    /** A rule for messages between actors. */
    @FunctionalInterface
    interface MailRule {
        /** What is done with a message. */
        enum Handling {
            PASS,
            LOSE,
            /** Kept, and delivered in order when the rule ends. */
            HOLD
        }

        /** @param receiver path below the network: {@code a/cq-3} */
        Handling judge(String receiver, Object message);
    }
}
