// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.hcaactors.fabric.packet.PortAddress;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * 100 nodes with 100 adapters each in one event loop of virtual time. With {@code -Dguide.write=true} the table of the page is written;
 * without, it must be as it would be written.
 */
@Tag("nightly")
class HundredNodesTest {
    private static final Path PAGE = Path.of("../../docs/reference/cluster-plan.md");
    private static final String FROM = "<!-- written by HundredNodesTest -->\n";
    private static final String TO = "<!-- end -->\n";
    private static final int NODES = 100;
    private static final int ADAPTERS = 100;
    private static final int DIES = 5;
    private static final long UID = 0x5DEECE66DL;

    private final EventLoop loop = new EventLoop(1);
    private final List<ModelledReplica> nodes = new ArrayList<>();
    /** Nanoseconds from the request of an entry, or from the last row, until a node knew it. */
    private final List<Long> times = new ArrayList<>();

    private long lastRow;

    private final List<String> rows = new ArrayList<>();

    private ModelledReplica node(int number, int adapters) {
        ModelledReplica node = new ModelledReplica(
                UID * (number + 1),
                loop,
                nodes,
                (by, entry) -> times.add(loop.now() - Math.max(lastRow, entry.since())));
        for (int i = 0; i < adapters; i++) {
            publish(node, number, i);
        }
        return node;
    }

    private static void publish(ModelledReplica node, int number, int adapter) {
        node.publish(
                new PortAddress(0xFD68_6361_0000_0000L + UID * (number + 1), adapter + 1),
                "node-" + number + "-adapter-" + adapter,
                "pekko://hca@10.0.0." + number + ":7355/system/hca-uplink#" + UID * (number + 1));
    }

    /** Adds a row with the times since the last one, until all entries were known everywhere. */
    private void row(String what, long expected) {
        assertThat(times).as(what).hasSize((int) expected);
        Collections.sort(times);
        rows.add(String.format(
                Locale.ROOT,
                "| %s | %.1f s | %.1f s | %.1f s |",
                what,
                seconds(times.size() / 2),
                seconds(times.size() * 99 / 100),
                seconds(times.size() - 1)));
        times.clear();
        lastRow = loop.now();
    }

    private double seconds(int index) {
        return times.get(index) / 1e9;
    }

    @Test
    void thePageHasTheTimesAndLossesOfOneHundredNodes() throws IOException {
        IntStream.range(0, NODES).forEach(number -> node(number, ADAPTERS));
        loop.runFor(Duration.ofSeconds(60));
        row("100 nodes with 100 adapters each start at once", (long) NODES * NODES * ADAPTERS);
        ModelledReplica first = nodes.getFirst();
        assertThat(first.directory().adapters()).hasSize(NODES * ADAPTERS);
        String memory =
                String.format(Locale.ROOT, "%,d entries, %.1f MB of text", first.entries(), first.characters() / 1e6);

        publish(first, 0, ADAPTERS);
        loop.runFor(Duration.ofSeconds(30));
        row("one adapter more", NODES);

        ModelledReplica late = node(NODES, 0);
        loop.runFor(Duration.ofSeconds(30));
        row("a node joins: it knows the addresses of the others", NODES * ADAPTERS + 1);
        IntStream.range(0, ADAPTERS).forEach(i -> publish(late, NODES, i));
        loop.runFor(Duration.ofSeconds(30));
        row("its 100 adapters are known", (long) (NODES + 1) * ADAPTERS);

        ModelledReplica dead = nodes.get(DIES);
        dead.die();
        assertThat(nodes)
                .allSatisfy(node -> assertThat(node.directory().uplinks()).doesNotContainKey(dead.uid()));
        loop.runFor(Duration.ofSeconds(60));
        assertThat(nodes).allSatisfy(node -> assertThat(node.entries()).isEqualTo(NODES * ADAPTERS + 1));
        row("the leader removes the 100 entries of a node that has left", (long) NODES * ADAPTERS);

        List<Integer> rates = new ArrayList<>(Collections.nCopies(NODES - 2, 1));
        rates.add(20);
        StalledNode.Result stall =
                new StalledNode(new EventLoop(2), rates).run(Duration.ofSeconds(8), Duration.ofSeconds(5));
        assertThat(stall.delivered() + stall.full() + stall.late()).isEqualTo(stall.given());
        check(memory, stall);
    }

    private void check(String memory, StalledNode.Result stall) throws IOException {
        List<String> table =
                new ArrayList<>(List.of("| time until known | median | 99 % | last |", "|---|---|---|---|"));
        table.addAll(rows);
        table.addAll(List.of("", "| limit | reached |", "|---|---|"));
        table.add("| the directory of a node | " + memory + " |");
        table.add(String.format(
                Locale.ROOT,
                "| packets that waited at one node, of %,d | %,d |",
                NodeLink.MAX_WAITING,
                stall.mostWaiting()));
        table.add(String.format(
                Locale.ROOT,
                "| packets under way to the stalled node, of 99 × %,d | %,d |",
                NodeLink.WINDOW,
                stall.mostUnderWay()));
        table.add(String.format(Locale.ROOT, "| packets given to the 99 uplinks | %,d |", stall.given()));
        table.add(String.format(Locale.ROOT, "| delivered | %,d |", stall.delivered()));
        table.add(String.format(Locale.ROOT, "| lost, too many waited | %,d |", stall.full()));
        table.add(String.format(Locale.ROOT, "| lost, waited for more than 1 s | %,d |", stall.late()));
        String page = Files.readString(PAGE);
        String expected = page.substring(0, page.indexOf(FROM) + FROM.length()) + String.join("\n", table) + "\n"
                + page.substring(page.indexOf(TO));
        if (Boolean.getBoolean("guide.write")) {
            Files.writeString(PAGE, expected);
        }
        assertThat(PAGE).as("made anew by -Dguide.write=true").hasContent(expected);
    }
}
