// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import org.hcaactors.api.device.Profile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that call legal verbs at random, and sometimes illegal ones: random_walk/. */
@Tag("judge")
class RandomWalkTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    @Tag("rdma-unit-test:RandomWalkTest.SingleNodeSingleClientControlPath")
    void objectsAreCreatedAndDestroyed(long seed) {
        try (Ground ground = new Ground(Wiring.LOOPBACK, seed, Profile.CONNECTX_5)) {
            new ObjectWalk(ground, seed).walk(600);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    @Tag("rdma-unit-test:RandomWalkTest.SingleNodeSingleClientRdma")
    void oneProgramCommunicatesWithItself(long seed) {
        try (Ground ground = new Ground(Wiring.LOOPBACK, seed, Profile.CONNECTX_5)) {
            new TrafficWalk(ground, seed, ground.a().process("one")).walk(1500);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    @Tag("rdma-unit-test:RandomWalkTest.SingleNodeTwoClientsRdma")
    void twoProgramsOfOneMachineCommunicate(long seed) {
        try (Ground ground = new Ground(Wiring.LOOPBACK, seed, Profile.CONNECTX_5)) {
            new TrafficWalk(ground, seed, ground.a().process("one"), ground.a().process("two")).walk(1500);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    @Tag("rdma-unit-test:RandomWalkTest.MultiNodeTwoClientsRdma")
    void twoMachinesCommunicate(long seed) {
        try (Ground ground = new Ground(Wiring.WIRE, seed, Profile.CONNECTX_5)) {
            new TrafficWalk(ground, seed, ground.a().process("one"), ground.b().process("two")).walk(1500);
        }
    }

    /** Not possible in the suite's loopback. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void twoMachinesCommunicateOverALossyWire(long seed) {
        try (Ground ground = new Ground(Wiring.WIRE, seed, Profile.CONNECTX_5)) {
            new TrafficWalk(ground, seed, ground.a().process("one"), ground.b().process("two"))
                    .overALossyWire()
                    .walk(1500);
        }
    }
}
