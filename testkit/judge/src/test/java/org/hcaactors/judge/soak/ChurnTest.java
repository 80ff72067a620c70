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
 * Whatever is made and closed leaves nothing: no actor, and no object of an adapter's. {@code -Dchurn.cycles=100000} goes round as often
 * and looks at heap and direct memory as well, {@code -Dchurn.kind='session|RC pair'} at these kinds alone.
 */
@Tag("nightly")
class ChurnTest {
    private static final int USUAL = 100;
    private static final int CYCLES = Integer.getInteger("churn.cycles", USUAL);

    private static final int WARM_UP = 50;

    // rule dc-lifetime
    /** What a target knows of peers that left: one entry more for each initiator, up to a size at which those are swept that are old. */
    private static final String TABLE_OF_PEERS = "org.hcaactors.adapter.dc.DcIngress$";

    // rule dc-reclaim
    /** An actor each; whether all of them, or all but one, are taken is a matter of moments. */
    private static final int MAX_RESPONDERS = 16;

    private static final String RESPONDER = "dcr-";

    // rule dc-reclaim
    /** Who goes without a word leaves a responder, until another peer finds none: so there are few. */
    private static final Profile MODEL =
            Profile.CONNECTX_6.with(Profile.CONNECTX_6.dynamicallyConnected().withResponders(MAX_RESPONDERS));

    private static final long MAX_PEERS = 1L << MODEL.dynamicallyConnected().logHashTable();

    /** A table that grows, or a cache that fills. */
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
    void whatGoesRoundLeavesNothing(String kind) throws JMException {
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

    /** What is told to have closed may take a moment until it is gone. */
    private static Map<String, Long> settled(Churn churn, Map<String, Long> before) throws JMException {
        Map<String, Long> now = held(churn);
        for (int i = 0; i < 20 && !before.isEmpty() && !grown(before, now).isEmpty(); i++) {
            Footprint.rest(50);
            now = held(churn);
        }
        return now;
    }

    /** Actors, and objects of each class of the adapter's. */
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

    /** What there is a tenth of the cycles more of; of peers, a table; of responders, as many as there may be; of other actors, any. */
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
