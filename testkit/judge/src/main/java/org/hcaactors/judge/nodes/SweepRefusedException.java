// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

/** A node cannot take part in a sweep, or the sweep cannot go on; the message says why in one line. */
public final class SweepRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Kinds of refusals. */
    public enum Reason {
        /** The address cannot be used by this process. */
        ADDRESS,
        /** The class path of this process does not have the classes of this build. */
        BUILD_UNKNOWN,
        /** No sweep answers at the address to join. */
        NO_SWEEP,
        /** The sweep refuses this node. */
        NOT_ADMITTED,
        /** The node that hands out the seeds ended before the sweep. */
        SWEEP_GONE,
        /** The consumer of the progress, or the stop condition, threw the exception that is the cause. */
        CALLBACK,
        /** A seed threw what is no failure of a seed, such as OutOfMemoryError. */
        SEED_NOT_RUN
    }

    private final Reason reason;

    SweepRefusedException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    private SweepRefusedException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    static SweepRefusedException ofCallback(Throwable thrown) {
        return new SweepRefusedException(Reason.CALLBACK, "a callback of the sweep threw " + thrown, thrown);
    }

    static SweepRefusedException ofUnknownBuild() {
        return new SweepRefusedException(
                Reason.BUILD_UNKNOWN,
                "the class path " + System.getProperty("java.class.path")
                        + " has no class of org.hcaactors, so this node"
                        + " cannot tell its build; a sweep over nodes requires these classes on the class path");
    }

    static SweepRefusedException ofCoordinator() {
        return new SweepRefusedException(Reason.SWEEP_GONE, "the node that hands out the seeds has ended");
    }

    public Reason reason() {
        return reason;
    }
}
