// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance;

import java.util.function.Supplier;
import java.util.stream.Stream;
import org.hcaactors.api.memory.Access;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.Named;

/** Place of both ends of a reliable connection. */
interface RcPlace extends AutoCloseable {
    /** Connects new queue pairs with these rights of the peer. */
    Connected connect(Access... rights);

    @Override
    default void close() throws InterruptedException {}

    /**
     * A connection.
     *
     * @param network of the active end
     * @param end what ends with the connection
     */
    record Connected(RdmaNetwork network, RcEnd near, FarMemory far, Runnable end) implements AutoCloseable {
        @Override
        public void close() {
            end.run();
        }
    }

    /** Returns a world, and two nodes of a cluster in JVMs of their own, which start when it is their turn. */
    static Stream<Named<RcPlace>> all() {
        return Stream.<Supplier<Named<RcPlace>>>of(
                        () -> Named.of("a world", FarInWorld::connect), () -> Named.of("two JVMs", new ProcessPlace()))
                .map(Supplier::get);
    }
}
