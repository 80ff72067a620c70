// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.List;
import java.util.function.LongSupplier;
import org.hcaactors.adapter.stage.VerbGuard;
import org.hcaactors.network.RdmaNetwork;
import org.hcaactors.views.flow.TestkitEvent;

/** The world as faults need it. Used on the world's thread. */
public interface FaultTarget {
    RdmaNetwork network();

    /**
     * Returns the names of an adapter's objects that have actors: {@code qp-17}, {@code cq-3}; empty if there is no such
     * adapter.
     */
    List<String> elements(String adapter);

    /** Returns the virtual time in nanoseconds. */
    long now();

    /** Runs the action after that much virtual time. */
    void after(long nanos, Runnable action);

    /** Runs the action whenever no work is left at an instant and time may advance. */
    void beforeTimePasses(Runnable action);

    /** Returns the number of objects that the network has created so far; unchanged means no new targets. */
    long made();

    /** Records a firing in the trace; see {@link TestkitEvent}. */
    void tell(String port, String element, String what);

    /**
     * Withholds receives from the given number of messages of a queue pair, even if some are posted.
     *
     * @param struck called for the first such message
     */
    void withholdReceives(String adapter, int queuePair, int messages, Runnable struck);

    /** Sets the guard that is called before every verb of a program. */
    @SuppressWarnings("exports") // The type is internal to the adapter.
    void guardVerbs(VerbGuard rule);

    /**
     * Pauses the programs on an adapter's host until the result is run.
     *
     * @param held called when a program is held
     */
    Runnable pausePrograms(String host, Runnable held);

    /**
     * Delays each step of the programs on an adapter's host by the given number of nanoseconds, until the result is run.
     *
     * @param slowed called for each delayed step
     */
    Runnable slowPrograms(String host, LongSupplier nanos, Runnable slowed);

    /** Sends the actor a message that it does not handle, so that it throws. */
    void crash(CrashTarget victim);

    /** Applies a rule to every message between actors until the result is run. */
    Runnable interceptMessages(MessageRule rule);

    /** A rule for messages between actors. */
    @FunctionalInterface
    interface MessageRule {
        /** Treatment of a message. */
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
