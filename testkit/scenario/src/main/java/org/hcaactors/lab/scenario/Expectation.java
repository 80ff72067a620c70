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

/** One thing that a run must have come to. */
public sealed interface Expectation {
    /** A number that is allowed. */
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

    /** As its file names it. */
    String words();

    /** So many send completions of each status, and none of another. */
    record Completions(Map<Status, Span> counts) implements Expectation {
        public Completions {
            counts = Map.copyOf(counts);
        }

        @Override
        public String words() {
            return "completions " + sorted(counts);
        }
    }

    /** So many receive completions of each status, and none of another. */
    record Receives(Map<Status, Span> counts) implements Expectation {
        public Receives {
            counts = Map.copyOf(counts);
        }

        @Override
        public String words() {
            return "receives " + sorted(counts);
        }
    }

    /** So many sends of messages with tags that ended so, and none in another way. */
    record Sends(Map<TaggedOutcome.SendEnd, Span> counts) implements Expectation {
        public Sends {
            counts = Map.copyOf(counts);
        }

        @Override
        public String words() {
            return "sends " + sorted(counts);
        }
    }

    /** So many receives of messages with tags that ended so, and none in another way. */
    record Arrivals(Map<TaggedOutcome.Arrival, Span> counts) implements Expectation {
        public Arrivals {
            counts = Map.copyOf(counts);
        }

        @Override
        public String words() {
            return "arrivals " + sorted(counts);
        }
    }

    /** What the endpoints of an adapter have counted, by one of {@link TaggedOutcome#FIGURES}. */
    record FigureIs(String adapter, String figure, Span count) implements Expectation {
        @Override
        public String words() {
            return "figures " + adapter + "." + figure + " " + count;
        }
    }

    /** So many calls of each of these verbs that a fault refused, and none of another. */
    record Refused(Map<Verb, Span> counts) implements Expectation {
        public Refused {
            counts = Map.copyOf(counts);
        }

        @Override
        public String words() {
            return "refused " + sorted(counts);
        }
    }

    /** So many asynchronous events of each of these kinds. */
    record Events(Map<AsyncEvent.Kind, Span> counts) implements Expectation {
        public Events {
            counts = Map.copyOf(counts);
        }

        @Override
        public String words() {
            return "events " + sorted(counts);
        }
    }

    /** So many pages of each type that buffers were given, where somebody asked for a type. */
    record Pages(Map<PageType, Span> counts) implements Expectation {
        public Pages {
            counts = Map.copyOf(counts);
        }

        @Override
        public String words() {
            return "pages " + sorted(counts);
        }
    }

    /** Request packets that were sent again. */
    record Retransmissions(Span count) implements Expectation {
        @Override
        public String words() {
            return "retransmissions " + count;
        }
    }

    /** Packets that never reached their queue pair. */
    record LostPackets(Span count) implements Expectation {
        @Override
        public String words() {
            return "lost-packets " + count;
        }
    }

    /** A counter of an adapter, by its mlx5 name. */
    record CounterIs(String adapter, String counter, Span count) implements Expectation {
        @Override
        public String words() {
            return "counters " + adapter + "." + counter + " " + count;
        }
    }

    /** The first request or receive with that status goes back to a cause in which these words stand. */
    record Explained(Status status, String root) implements Expectation {
        @Override
        public String words() {
            return "explained " + status + " by \"" + root + "\"";
        }
    }

    /** At the end completions stand in a queue of that adapter, and the first cause has these words. */
    record Unfetched(String adapter, String root) implements Expectation {
        @Override
        public String words() {
            return "unfetched of " + adapter + " by \"" + root + "\"";
        }
    }

    /** All is over by then. */
    record OverBy(Duration time) implements Expectation {
        @Override
        public String words() {
            return "over-by " + time.toNanos() + " ns";
        }
    }

    /** What is a word in its file. */
    enum Simple implements Expectation {
        /** Every message that its sender knows to be delivered was received once, and no invariant broke. */
        EXACTLY_ONCE,
        /** No request is without completion, and no message with a tag on its way. */
        NO_STALL,
        /** What WRITEs and READs that succeeded copied is there; each message with a tag is in one receive for it, as it was sent. */
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
