package org.hcaactors.fabric.link;

import org.hcaactors.fabric.packet.Packet;

/** What an interceptor wants done with a packet; {@code rule} names the reason in the trace. */
public sealed interface Verdict {
    Verdict PASS = new Pass();

    record Pass() implements Verdict {}

    record Drop(String rule) implements Verdict {}

    /** Delivered so much later; cut at the packet lifetime. */
    record Delay(String rule, long nanos) implements Verdict {}

    /** Delivered, and once more so much later. */
    record Duplicate(String rule, long afterNanos) implements Verdict {}

    /** Another packet travels in its place, to where the replacement is addressed. */
    record Replace(String rule, Packet replacement) implements Verdict {}
}
