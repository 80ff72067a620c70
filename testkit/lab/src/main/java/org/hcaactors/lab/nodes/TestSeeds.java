// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.nodes;

/** Seeds of one test that {@linkplain SeedNodes other JVMs} run. Any thread. */
public final class TestSeeds implements AutoCloseable {
    private final SeedNodes nodes;
    private final String id;
    private final String name;
    private final SeedLedger ledger;

    TestSeeds(SeedNodes nodes, String id, String name, SeedLedger ledger) {
        this.nodes = nodes;
        this.id = id;
        this.name = name;
        this.ledger = ledger;
    }

    String id() {
        return id;
    }

    /** Returns the ledger, which the monitor of the nodes guards. */
    SeedLedger ledger() {
        return ledger;
    }

    /** True if a seed has ended. */
    boolean hasBegun() {
        return ledger.progress().ended() > 0;
    }

    /** Returns one line on the state. */
    String line() {
        return name + ": " + ledger.progress().line();
    }

    /** Waits for the result of a seed, which can be taken once. Without JVMs, or once this is closed, it returns at once. */
    public NodeResult await(long seed) throws InterruptedException {
        return nodes.await(this, seed);
    }

    /** Hands out no more seeds; those that run are not waited for. */
    @Override
    public void close() {
        nodes.close(this);
    }
}
