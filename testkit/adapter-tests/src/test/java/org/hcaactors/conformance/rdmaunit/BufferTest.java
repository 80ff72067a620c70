// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.conformance.rdmaunit.Ground.PAGE;
import static org.hcaactors.conformance.rdmaunit.Ground.SHAPE;
import static org.hcaactors.conformance.rdmaunit.Ground.withoutKey;

import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.End;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The bounds of a region, and zero-length access: buffer_test.cc. Six pages of memory; the middle four are registered. */
@ParameterizedClass
@EnumSource(Wiring.class)
@Tag("judge")
class BufferTest {
    private static final int MEMORY = 6 * PAGE;
    private static final int BEGIN = PAGE;
    private static final int LENGTH = 4 * PAGE;

    private final Ground ground;
    private final ConnectedPair pair;
    private final MemoryRegion ours;
    private final MemoryRegion theirs;

    BufferTest(Wiring wiring) {
        ground = new Ground(wiring);
        pair = ground.pair(SHAPE.withMemoryBytes(MEMORY));
        ours = region(pair.a(), LENGTH);
        theirs = region(pair.b(), LENGTH);
    }

    @AfterEach
    void close() {
        ground.close();
    }

    private MemoryRegion region(End end, int lengthBytes) {
        return ground.await(end.domain().register(end.memory(), BEGIN, lengthBytes, AccessFlags.LOCAL_AND_REMOTE));
    }

    private Status status(Verb verb, LocalSlice local, RemoteAddress remote) {
        return ground.await(pair.a().qp().submit(verb.work(1, local, remote))).status();
    }

    /** Returns an empty slice at the first byte of the memory, which is outside the region. */
    private static LocalSlice nothingOutside(MemoryRegion region) {
        return region.slice(-BEGIN, 0);
    }

    private void exchange(LocalSlice from, LocalSlice into) {
        pair.b().qp().postReceive(Receive.of(0, into));
        assertThat(ground.await(pair.a().qp().submit(Send.of(1, from))).status())
                .isEqualTo(Status.SUCCESS);
        assertThat(ground.only(pair.b().recvCq()).status()).isEqualTo(Status.SUCCESS);
    }

    /** Quirk: the mlx5 driver refuses it at a page-aligned address (libfabric#6245). */
    @Test
    @Tag("rdma-unit-test:BufferTest.RegisterZeroByteMr")
    void aRegionOfNoBytesExists() {
        MemoryRegion none = region(pair.a(), 0);
        assertThat(none.lengthBytes()).isZero();
        assertThat(none.lkey()).isNotEqualTo(ours.lkey());
        ground.await(none.deregister());
    }

    @Test
    @Tag("rdma-unit-test:BufferMrTest.SendZeroByte")
    void noBytesAreSentFromAndIntoARegion() {
        exchange(ours.slice(0, 0), theirs.slice(0, 0));
    }

    @Test
    @Tag("rdma-unit-test:BufferMrTest.SendZeroByteFromZeroByteMr")
    void noBytesAreSentFromAndIntoARegionOfNone() {
        exchange(region(pair.a(), 0).slice(0, 0), region(pair.b(), 0).slice(0, 0));
    }

    // rule memory-touched-bytes
    @Test
    @Tag("rdma-unit-test:BufferMrTest.SendZeroByteOutsideMr")
    void noBytesAreSentFromAndIntoPlacesOutsideTheirRegions() {
        exchange(nothingOutside(ours), nothingOutside(theirs));
    }

    @ParameterizedTest
    @CsvSource({"READ, -1", "WRITE, -1", "READ, 12289", "WRITE, 12289"})
    @Tag("rdma-unit-test:BufferMrTest.ReadExceedFront")
    @Tag("rdma-unit-test:BufferMrTest.WriteExceedFront")
    @Tag("rdma-unit-test:BufferMrTest.ReadExceedRear")
    @Tag("rdma-unit-test:BufferMrTest.WriteExceedRear")
    void aByteTooFarAtEitherEndIsRefused(Verb verb, int offset) {
        assertThat(status(verb, ours.slice(0, PAGE), theirs.remote(offset))).isEqualTo(Status.REM_ACCESS_ERR);
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "WRITE"})
    @Tag("rdma-unit-test:BufferMrTest.ReadZeroByte")
    @Tag("rdma-unit-test:BufferMrTest.WriteZeroByte")
    void noBytesAreReadAndWritten(Verb verb) {
        assertThat(status(verb, ours.slice(0, 0), theirs.remote(0))).isEqualTo(Status.SUCCESS);
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "WRITE"})
    @Tag("rdma-unit-test:BufferMrTest.ReadZeroByteOutsideMr")
    @Tag("rdma-unit-test:BufferMrTest.WriteZeroByteOutsideMr")
    void noBytesAreReadAndWrittenOutsideARegion(Verb verb) {
        assertThat(status(verb, nothingOutside(ours), theirs.remote(-BEGIN))).isEqualTo(Status.SUCCESS);
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "WRITE"})
    @Tag("rdma-unit-test:BufferMrTest.ReadZeroByteFromZeroByteMr")
    @Tag("rdma-unit-test:BufferMrTest.WriteZeroByteToZeroByteMr")
    void noBytesAreReadAndWrittenInARegionOfNone(Verb verb) {
        assertThat(status(verb, ours.slice(0, 0), region(pair.b(), 0).remote(0)))
                .isEqualTo(Status.SUCCESS);
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "WRITE"})
    @Tag("rdma-unit-test:BufferMrTest.ReadZeroByteOutsideZeroByteMr")
    @Tag("rdma-unit-test:BufferMrTest.WriteZeroByteOutsideZeroByteMr")
    void noBytesAreReadAndWrittenOutsideARegionOfNone(Verb verb) {
        assertThat(status(verb, nothingOutside(ours), region(pair.b(), 0).remote(-BEGIN)))
                .isEqualTo(Status.SUCCESS);
    }

    /** For a request without bytes neither key nor address is checked (rule rc-no-bytes). */
    @ParameterizedTest
    @EnumSource(names = {"READ", "WRITE"})
    @Tag("rdma-unit-test:BufferMrTest.ReadZeroByteInvalidRKey")
    @Tag("rdma-unit-test:BufferMrTest.WriteZeroByteInvalidRKey")
    void noBytesAreReadAndWrittenUnderAKeyThatDoesNotExist(Verb verb) {
        assertThat(status(verb, ours.slice(0, 0), withoutKey(theirs.remote(0)))).isEqualTo(Status.SUCCESS);
    }

    // rule rc-no-bytes
    /** With the quirk the key is checked; the address may still be any. */
    @ParameterizedTest
    @EnumSource(names = {"READ", "WRITE"})
    void aQuirkyAdapterChecksTheKeyOfZeroBytes(Verb verb) {
        try (Ground quirky =
                new Ground(Wiring.WIRE, 31, Profile.CONNECTX_5.with(Quirk.CHECKS_KEYS_OF_EMPTY_MESSAGES))) {
            ConnectedPair other = quirky.pair();
            LocalSlice none = other.a().slice(0, 0);
            assertThat(quirky.await(other.a()
                                    .qp()
                                    .submit(verb.work(1, none, other.b().remote(-BEGIN))))
                            .status())
                    .isEqualTo(Status.SUCCESS);
            assertThat(quirky.await(other.a()
                                    .qp()
                                    .submit(verb.work(
                                            2, none, withoutKey(other.b().remote(0)))))
                            .status())
                    .isEqualTo(Status.REM_ACCESS_ERR);
        }
    }

    /** Not in the suite: a region of no bytes allows no byte. */
    @ParameterizedTest
    @EnumSource
    void oneByteOfARegionOfZeroBytesIsDenied(Verb verb) {
        MemoryRegion none = region(pair.b(), 0);
        assertThat(status(verb, ours.slice(0, 1), none.remote(0))).isEqualTo(Status.REM_ACCESS_ERR);
    }
}
