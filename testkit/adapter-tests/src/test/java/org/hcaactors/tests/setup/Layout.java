// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.setup;

import java.util.function.Supplier;
import java.util.stream.Stream;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.MemoryNode;
import org.hcaactors.api.device.Profile;
import org.junit.jupiter.api.Named;

/** Place of the adapters of a test's ends. */
public interface Layout extends AutoCloseable {
    /** The host of each adapter: it has some huge pages. */
    HostMachine HOST = HostMachine.DEFAULT.withNodes(MemoryNode.of(1L << 30).withHugePages(2));

    /** Returns the ends of one test: adapters that no other test has. */
    TwoEnds open(long seed, Profile profile);

    @Override
    default void close() {}

    /** Returns two adapters of a world, and of two nodes; the nodes are started when it is their turn. */
    static Stream<Named<Layout>> apart() {
        return Stream.<Supplier<Named<Layout>>>of(
                        () -> Named.of("two adapters of a world", WorldEnds::apart),
                        () -> Named.of("two nodes of a cluster", new NodeEnds.Nodes()))
                .map(Supplier::get);
    }

    /** Returns one and two adapters of a world. */
    static Stream<Named<Layout>> inWorlds() {
        return Stream.of(
                Named.of("one adapter of a world", WorldEnds::ofOneAdapter),
                Named.of("two adapters of a world", WorldEnds::apart));
    }

    /** Returns one adapter of a world, two of a world, and of two nodes. */
    static Stream<Named<Layout>> all() {
        return Stream.concat(inWorlds().limit(1), apart());
    }
}
