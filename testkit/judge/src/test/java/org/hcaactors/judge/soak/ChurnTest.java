// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.hcaactors.api.device.Profile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that created and closed objects leave nothing: no actor, and no object of an adapter. {@code -Dchurn.cycles=100000}
 * runs that many cycles and also checks heap and direct memory, {@code -Dchurn.kind='session|RC pair'} runs these kinds only.
 */
@Tag("nightly")
class ChurnTest {
    private static final int USUAL = 100;
    private static final int CYCLES = Integer.getInteger("churn.cycles", USUAL);

    private static final int WARM_UP = 50;

    // rule dc-lifetime
    /** A target's knowledge of former peers: one entry per initiator, up to a size at which old ones are removed. */
    private static final String TABLE_OF_PEERS = "org.hcaactors.adapter.dc.DcIngress$";

    // rule dc-reclaim
    /** One actor each; whether all of them, or all but one, are in use depends on timing. */
    private static final int MAX_RESPONDERS = 16;

    private static final String RESPONDER = "dcr-";

    // rule dc-reclaim
    /** An initiator that ends without disconnecting leaves a responder, until another peer finds none: so there are few. */
    private static final Profile MODEL =
            Profile.CONNECTX_6.with(Profile.CONNECTX_6.dynamicallyConnected().withResponders(MAX_RESPONDERS));

    private static final long MAX_PEERS = 1L << MODEL.dynamicallyConnected().logHashTable();

    /** For a table that grows, or a cache that fills. */
    private static final long FEW_BYTES_A_CYCLE = 16;

    private static final long BYTES_OF_NOTHING = 2 << 20;

    static Stream<String> kinds() {
        String only = System.getProperty("churn.kind", "");
        try (HostedNetwork host = new HostedNetwork(1, MODEL)) {
            return new Churn(host).kinds().keySet().stream().filter(kind -> only.isEmpty() || kind.matches(only));
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void repeatedCreationAndDestructionLeaksNothing(String kind) throws JMException {
        try (HostedNetwork host = new HostedNetwork(1, MODEL)) {
            Churn churn = new Churn(host);
            Runnable cycle = Objects.requireNonNull(churn.kinds().get(kind));
            turn(cycle, Math.min(WARM_UP, CYCLES));
            Map<String, Long> before = settled(churn, Map.of());
            Footprint held = Footprint.collected();
            long begin = System.nanoTime();
            turn(cycle, CYCLES);
            long micros = (System.nanoTime() - begin) / 1000;
            Map<String, Long> after = settled(churn, before);
            assertThat(grown(before, after)).as(kind).isEmpty();
            if (CYCLES > USUAL) {
                Footprint now = Footprint.collected();
                System.out.printf(
                        Locale.ROOT,
                        "churn: %s, %d cycles, %d us each; before %s, after %s; %d actors%n",
                        kind,
                        CYCLES,
                        micros / CYCLES,
                        held,
                        now,
                        churn.actors().size());
                assertThat(now.heapBytes() - held.heapBytes())
                        .as(kind)
                        .isLessThan(BYTES_OF_NOTHING + FEW_BYTES_A_CYCLE * CYCLES);
                assertThat(now.directBytes()).as(kind).isLessThanOrEqualTo(held.directBytes() + BYTES_OF_NOTHING);
            }
        }
    }

    private static void turn(Runnable cycle, int times) {
        for (int i = 0; i < times; i++) {
            cycle.run();
        }
    }

    /** Returns the counts once they settle: a closed object may exist for a moment longer. */
    private static Map<String, Long> settled(Churn churn, Map<String, Long> before) throws JMException {
        Map<String, Long> now = held(churn);
        for (int i = 0; i < 20 && !before.isEmpty() && !grown(before, now).isEmpty(); i++) {
            Footprint.rest(50);
            now = held(churn);
        }
        return now;
    }

    /** Returns the number of actors, and of objects of each class of the adapter. */
    private static Map<String, Long> held(Churn churn) throws JMException {
        String histogram = (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        Map<String, Long> counts = histogram
                .lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(columns -> columns.length > 3 && columns[3].startsWith("org.hcaactors."))
                .collect(Collectors.toMap(columns -> columns[3], columns -> Long.parseLong(columns[1]), Long::sum));
        Map<Boolean, Long> actors = churn.actors().stream()
                .collect(Collectors.partitioningBy(name -> name.startsWith(RESPONDER), Collectors.counting()));
        counts.put("responders", actors.get(true));
        counts.put("actors", actors.get(false));
        return counts;
    }

    /**
     * Returns what increased by more than allowed: by default a tenth of the cycles; for peers, a table; for responders, their
     * maximum; for other actors, none.
     */
    private static Map<String, Long> grown(Map<String, Long> before, Map<String, Long> after) {
        Map<String, Long> grown = new TreeMap<>();
        after.forEach((name, count) -> {
            long more = count - before.getOrDefault(name, 0L);
            if (more > maxMore(name)) {
                grown.put(name, more);
            }
        });
        return grown;
    }

    private static long maxMore(String name) {
        if (name.startsWith(TABLE_OF_PEERS)) {
            return MAX_PEERS;
        }
        return switch (name) {
            case "actors" -> 0;
            case "responders" -> MAX_RESPONDERS;
            default -> Math.max(8, CYCLES / 10);
        };
    }
}
