// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.tests.key.IndirectSetup.INLINE;
import static org.hcaactors.tests.key.IndirectSetup.pattern;
import static org.hcaactors.tests.key.IndirectSetup.strided;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.KeyListMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.ConnectedPair;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that fill an indirect key, and invalid ones. */
class FillingKeysTest {
    private final IndirectSetup ground = new IndirectSetup(43);

    @AfterEach
    void close() {
        ground.close();
    }

    private static void refused(Errno errno, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    private KeyLayout slices(int count) {
        return KeyLayout.list(Collections.nCopies(count, ground.b.slice(0, 8)));
    }

    // rules indirect-fill, memory-key-work
    @Test
    void requestsBehindAFillUseTheNewLayout() {
        IndirectKey key = ground.key(ground.a, KeyLayout.list(ground.a.slice(0, 8)));
        ground.a.memory().write(0, pattern(64));
        List<RcWork> requests = List.of(
                RdmaWrite.of(1, key.slice(0, 8), ground.b.remote(0)),
                FillKey.of(2, key, KeyLayout.list(ground.a.slice(32, 8))),
                RdmaWrite.of(3, key.slice(0, 8), ground.b.remote(8)));
        List<CompletionStage<WorkCompletion>> stages =
                requests.stream().map(ground.a.qp()::submit).toList();
        assertThat(stages.stream().map(ground::await)).containsOnly(Status.SUCCESS);
        assertThat(ground.b.memory().read(0, 8)).isEqualTo(ground.a.memory().read(0, 8));
        assertThat(ground.b.memory().read(8, 8)).isEqualTo(ground.a.memory().read(32, 8));
    }

    // rule indirect-fill
    @Test
    void aKeyOfAnotherDomainIsNotFilled() {
        ProtectionDomain other = ground.b.context().allocatePd();
        IndirectKey foreign = ground.world.await(other.createIndirectKey(IndirectKeyDescription.of(8)));
        assertThat(ground.fill(ground.b, foreign, slices(1))).isEqualTo(Status.LOC_QP_OP_ERR);
    }

    // rule indirect-fill
    @Test
    void aDestroyedKeyIsNotFilled() {
        IndirectKey key = ground.key(ground.b);
        ground.world.await(key.closeAsync());
        assertThat(ground.fill(ground.b, key, slices(1))).isEqualTo(Status.LOC_QP_OP_ERR);
    }

    // rule indirect-fill
    @Test
    void aRegionIsNotFilled() {
        FillKey fill = FillKey.of(1, ground.b.region().lkey(), 8, slices(1));
        assertThat(ground.status(ground.b, fill)).isEqualTo(Status.LOC_QP_OP_ERR);
    }

    // rule indirect-fill
    @Test
    void aFillBeyondTheKeysCapacityFails() {
        IndirectKey small = ground.world.await(ground.b.domain().createIndirectKey(IndirectKeyDescription.of(1)));
        assertThat(ground.status(ground.b, FillKey.of(1, small.lkey(), 8, slices(2))))
                .isEqualTo(Status.LOC_QP_OP_ERR);
    }

    // rule indirect-invalidate
    @Test
    void aKeyOfAnotherDomainIsNotInvalidated() {
        ProtectionDomain other = ground.b.context().allocatePd();
        IndirectKey foreign = ground.world.await(other.createIndirectKey(IndirectKeyDescription.of(8)));
        assertThat(ground.status(ground.b, LocalInvalidate.of(1, foreign.lkey())))
                .isEqualTo(Status.LOC_QP_OP_ERR);
    }

    // rule indirect-invalidate
    @Test
    void aPeersSendInvalidatesAKeyThatWasCreatedForThat() {
        IndirectKey key = ground.world.await(
                ground.b.domain().createIndirectKey(IndirectKeyDescription.of(8).withRemoteInvalidation()));
        assertThat(ground.fill(ground.b, key, slices(1))).isEqualTo(Status.SUCCESS);
        List<WorkCompletion> received = receives();
        assertThat(ground.status(ground.a, Send.of(1, ground.a.slice(0, 8)).withInvalidate(key.rkey())))
                .isEqualTo(Status.SUCCESS);
        ground.world.settle();
        assertThat(received)
                .singleElement()
                .satisfies(completion -> assertThat(completion.invalidated()).hasValue(key.rkey()));
        assertThat(ground.status(ground.a, RdmaWrite.of(2, ground.a.slice(0, 8), key.remote(0))))
                .isEqualTo(Status.REM_ACCESS_ERR);
    }

    // rule indirect-invalidate
    @Test
    void aPeersSendDoesNotInvalidateOtherKeys() {
        IndirectKey key = ground.key(ground.b, slices(1));
        List<WorkCompletion> received = receives();
        assertThat(ground.status(ground.a, Send.of(1, ground.a.slice(0, 8)).withInvalidate(key.rkey())))
                .isNotEqualTo(Status.SUCCESS);
        assertThat(received)
                .singleElement()
                .satisfies(completion -> assertThat(completion.status()).isEqualTo(Status.REM_INV_REQ_ERR));
    }

    private List<WorkCompletion> receives() {
        List<WorkCompletion> received = new ArrayList<>();
        ground.b.recvCq().completions().subscribe(Subscribers.forEach(received::add));
        ground.b.qp().postReceive(Receive.of(9, ground.b.slice(64, 8)));
        return received;
    }

    // rule indirect-post
    @Test
    void moreEntriesThanFitAreRefusedAtPosting() {
        IndirectKey key = ground.key(ground.b);
        KeyListMemory list = ground.world.await(ground.b.domain().allocateKeyList(6));
        refused(Errno.ENOMEM, () -> ground.b.qp().post(FillKey.of(1, key, slices(INLINE + 1))));
        refused(
                Errno.ENOMEM,
                () -> ground.b.qp().post(FillKey.of(1, key, slices(9)).withListEntries(9)));
        refused(
                Errno.ENOMEM,
                () -> ground.b.qp().post(FillKey.of(1, key, slices(7)).withList(list)));
        assertThat(ground.status(ground.b, FillKey.of(1, key, slices(6)).withList(list)))
                .isEqualTo(Status.SUCCESS);
        assertThat(ground.status(ground.b, FillKey.of(1, key, slices(INLINE)))).isEqualTo(Status.SUCCESS);
        list.close();
    }

    // rules indirect-post, indirect-limits
    @Test
    void stridesTakeOneEntryMore() {
        IndirectKey key = ground.world.await(ground.b.domain().createIndirectKey(IndirectKeyDescription.of(3)));
        KeyLayout two = KeyLayout.interleaved(2, strided(ground.b, 0, 8, 2), strided(ground.b, 64, 8, 2));
        KeyLayout three = KeyLayout.interleaved(
                2, strided(ground.b, 0, 8, 2), strided(ground.b, 64, 8, 2), strided(ground.b, 128, 8, 2));
        assertThat(ground.fill(ground.b, key, two)).isEqualTo(Status.SUCCESS);
        refused(Errno.ENOMEM, () -> ground.b.qp().post(FillKey.of(1, key, three)));
    }

    // rule indirect-post
    @Test
    void aLengthOrAStrideBeyondSixteenBitsIsRefused() {
        IndirectKey key = ground.key(ground.b);
        int max = ground.b.adapter().profile().indirectKeys().maxStrideBytes();
        KeyLayout fits = KeyLayout.interleaved(1, strided(ground.b, 0, 1, max - 1), strided(ground.b, 0, max, 0));
        assertThat(ground.fill(ground.b, key, fits)).isEqualTo(Status.SUCCESS);
        Stream.of(strided(ground.b, 0, 1, max), strided(ground.b, 0, max + 1, -1))
                .forEach(slice -> refused(
                        Errno.EINVAL, () -> ground.b.qp().post(FillKey.of(1, key, KeyLayout.interleaved(1, slice)))));
    }

    // rule indirect-post
    @Test
    void aRightNotAllowedForIndirectKeysIsRefused() {
        FillKey fill = FillKey.of(1, ground.key(ground.b), slices(1));
        refused(Errno.EINVAL, () -> ground.b.qp().post(fill.withAccess(Access.MW_BIND)));
    }

    // rule indirect-post
    @Test
    void aQueuePairWithoutKeyFillingFillsNoKey() {
        IndirectKey key = ground.key(ground.b);
        ConnectedPair plain = ConnectedPair.between(ground.world.network(), ground.a.adapter(), ground.b.adapter());
        refused(Errno.EOPNOTSUPP, () -> plain.b().qp().post(FillKey.of(1, key, slices(1))));
        refused(
                Errno.EOPNOTSUPP,
                () -> ground.world.await(
                        ground.b.domain().createQp(QpDescription.uc().withKeyFilling())));
        refused(
                Errno.EOPNOTSUPP,
                () -> ground.world.await(
                        ground.b.domain().createQp(QpDescription.ud().withKeyFilling())));
        refused(
                Errno.EINVAL,
                () -> ground.world.await(
                        ground.b.domain().createQp(QpDescription.rc().withKeyFilling(21))));
        refused(
                Errno.EINVAL,
                () -> ground.world.await(
                        ground.b.domain().createQp(QpDescription.rc().withKeyFilling(-1))));
    }

    // rule indirect-limits
    @Test
    void theAdapterLimitsTheEntriesAndOneWithoutKeysRefuses() {
        ProtectionDomain domain = ground.b.domain();
        int max = ground.b.adapter().profile().indirectKeys().maxEntries();
        for (int entries : new int[] {0, -1, max + 1}) {
            refused(
                    Errno.EINVAL,
                    () -> ground.world.await(domain.createIndirectKey(IndirectKeyDescription.of(entries))));
            refused(Errno.EINVAL, () -> ground.world.await(domain.allocateKeyList(entries)));
        }
        assertThat(ground.world
                        .await(domain.createIndirectKey(IndirectKeyDescription.of(max)))
                        .maxEntries())
                .isEqualTo(max);
        Adapter soft = ground.world.network().addAdapter("rxe", Profile.SOFT_ROCE);
        ProtectionDomain without = soft.process("app").open().allocatePd();
        refused(Errno.EOPNOTSUPP, () -> ground.world.await(without.createIndirectKey(IndirectKeyDescription.of(1))));
        refused(Errno.EOPNOTSUPP, () -> ground.world.await(without.allocateKeyList(1)));
        refused(
                Errno.EOPNOTSUPP,
                () -> ground.world.await(without.createQp(QpDescription.rc().withKeyFilling())));
    }

    // rule indirect-fill
    @Test
    void aSliceWithoutBytesMapsNothing() {
        LocalSlice nowhere = new LocalSlice(0x7777, 0, 0);
        IndirectKey key = ground.key(ground.b, KeyLayout.list(nowhere, ground.b.slice(0, 8)));
        assertThat(ground.status(ground.a, RdmaWrite.of(1, ground.a.slice(0, 8), key.remote(0))))
                .isEqualTo(Status.SUCCESS);
    }

    @Test
    void aContextReportsOpenKeysAndClosesThem() {
        ground.key(ground.b, KeyLayout.list(ground.b.slice(0, 8)));
        ground.world.await(ground.b.domain().allocateKeyList(5));
        assertThat(ground.b.context().openObjects().toString()).contains("indirect key 0x", "list memory of 5 entries");
        refused(Errno.EBUSY, () -> ground.world.await(ground.b.domain().closeAsync()));
        ground.world.await(ground.b.context().closeAsync());
    }

    @Test
    void aKeyIsClosedOnceAndDescribesItself() {
        IndirectKey key = ground.key(ground.b);
        assertThat(key.describe()).endsWith(", 8 entries");
        assertThat(key.rkey()).isEqualTo(key.lkey());
        key.closeAsync();
        ground.world.await(key.closeAsync());
        assertThat(ground.status(ground.a, RdmaWrite.of(1, ground.a.slice(0, 8), key.remote(0))))
                .isEqualTo(Status.REM_ACCESS_ERR);
    }
}
