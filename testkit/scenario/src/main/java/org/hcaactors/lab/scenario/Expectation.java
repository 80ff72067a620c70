// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.memory.PageType;

/** An expected outcome of a run. */
public sealed interface Expectation {
    /** Range of allowed numbers. */
    record Span(long min, long max) {
        static Span exactly(long number) {
            return new Span(number, number);
        }

        boolean allows(long number) {
            return number >= min && number <= max;
        }

        @Override
        public String toString() {
            return min == max ? Long.toString(min) : min + " to " + (max == Long.MAX_VALUE ? "any" : max);
        }
    }

    /** Returns the expectation as it is written in a scenario file. */
    String words();

    /** Number of send completions with each status; no other status may occur. */
    record Completions(Map<Status, Span> counts) implements Expectation {
        public Completions {
            counts = Map.copyOf(counts);
        }

        @Override
        public String words() {
            return "completions " + sorted(counts);
        }
    }

    /** Number of receive completions with each status; no other status may occur. */
    record Receives(Map<Status, Span> counts) implements Expectation {
        public Receives {
            counts = Map.copyOf(counts);
        }

        @Override
        public String words() {
            return "receives " + sorted(counts);
        }
    }

    /** Number of tagged sends with each outcome; no other outcome may occur. */
    record Sends(Map<TaggedOutcome.SendEnd, Span> counts) implements Expectation {
        public Sends {
            counts = Map.copyOf(counts);
        }

        @Override
        public String words() {
            return "sends " + sorted(counts);
        }
    }

    /** Number of tagged receives with each outcome; no other outcome may occur. */
    record Arrivals(Map<TaggedOutcome.Arrival, Span> counts) implements Expectation {
        public Arrivals {
            counts = Map.copyOf(counts);
        }

        @Override
        public String words() {
            return "arrivals " + sorted(counts);
        }
    }

    /** One of the {@link TaggedOutcome#FIGURES} that the endpoints of an adapter count. */
    record FigureIs(String adapter, String figure, Span count) implements Expectation {
        @Override
        public String words() {
            return "figures " + adapter + "." + figure + " " + count;
        }
    }

    /** Number of calls of each verb that a fault refused; no other verb may be refused. */
    record Refused(Map<Verb, Span> counts) implements Expectation {
        public Refused {
            counts = Map.copyOf(counts);
        }

        @Override
        public String words() {
            return "refused " + sorted(counts);
        }
    }

    /** Number of asynchronous events of each kind. */
    record Events(Map<AsyncEvent.Kind, Span> counts) implements Expectation {
        public Events {
            counts = Map.copyOf(counts);
        }

        @Override
        public String words() {
            return "events " + sorted(counts);
        }
    }

    /** Number of pages of each type that were allocated for buffers that requested a page type. */
    record Pages(Map<PageType, Span> counts) implements Expectation {
        public Pages {
            counts = Map.copyOf(counts);
        }

        @Override
        public String words() {
            return "pages " + sorted(counts);
        }
    }

    /** Number of retransmitted request packets. */
    record Retransmissions(Span count) implements Expectation {
        @Override
        public String words() {
            return "retransmissions " + count;
        }
    }

    /** Number of packets that never reached their queue pair. */
    record LostPackets(Span count) implements Expectation {
        @Override
        public String words() {
            return "lost-packets " + count;
        }
    }

    /** Outcome of a connection by communication management. */
    record ConnectionIs(String name, ConnectionOutcome outcome) implements Expectation {
        @Override
        public String words() {
            return "connections " + name + " " + outcome;
        }
    }

    /** Value of an adapter's counter, by its mlx5 name. */
    record CounterIs(String adapter, String counter, Span count) implements Expectation {
        @Override
        public String words() {
            return "counters " + adapter + "." + counter + " " + count;
        }
    }

    /** The root cause of the first request or receive with that status contains this text. */
    record Explained(Status status, String root) implements Expectation {
        @Override
        public String words() {
            return "explained " + status + " by \"" + root + "\"";
        }
    }

    /** The root cause of the outcome of a connection by communication management contains this text. */
    record ExplainedConnection(String name, String root) implements Expectation {
        @Override
        public String words() {
            return "explained " + name + " by \"" + root + "\"";
        }
    }

    /**
     * At the end, a completion queue of that adapter holds completions that were not polled, and the root cause contains this
     * text.
     */
    record Unfetched(String adapter, String root) implements Expectation {
        @Override
        public String words() {
            return "unfetched of " + adapter + " by \"" + root + "\"";
        }
    }

    /** The last event happens by that time. */
    record OverBy(Duration time) implements Expectation {
        @Override
        public String words() {
            return "over-by " + time.toNanos() + " ns";
        }
    }

    /** Expectations that are a single word in the file. */
    enum Simple implements Expectation {
        /** Every message that was acknowledged to its sender was received once, and no invariant was violated. */
        EXACTLY_ONCE,
        /** Every request has a completion, every tagged message has arrived, and no end waits for a connection. */
        NO_STALL,
        /** The data of successful WRITEs and READs were copied; each tagged message is unchanged in one matching receive. */
        SAME_BYTES;

        @Override
        public String words() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }
    }

    private static String sorted(Map<? extends Enum<?>, Span> counts) {
        Map<String, Span> named = new TreeMap<>();
        counts.forEach((name, count) -> named.put(name.name(), count));
        return named.entrySet().stream()
                .map(each -> each.getKey() + " " + each.getValue())
                .collect(Collectors.joining(", "));
    }
}
