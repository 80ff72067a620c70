// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.StridedSlice;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.tests.setup.Layout;
import org.hcaactors.tests.setup.TwoEnds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks of rdma-core on mlx5's indirect keys (tests/test_mlx5_mkey.py), with its names as tags. */
@Tag("judge")
@ParameterizedClass
@MethodSource("org.hcaactors.tests.setup.Layout#apart")
class MkeyTest {
    private static final int ROUNDS = 10;
    private static final int AREA = 100;

    private final TwoEnds adapters;
    private final KeyedEnd client;
    private final KeyedEnd server;

    MkeyTest(Layout layout) {
        adapters = layout.open(29, Profile.CONNECTX_5);
        Ends<RcEnd> ends = RcEnd.connect(adapters.network(), half(adapters.a()), half(adapters.b()), adapters.terms());
        client = new KeyedEnd(ends.a());
        server = new KeyedEnd(ends.b());
    }

    private Half half(Adapter adapter) {
        return Half.of(adapters.network(), adapter, Shape.DEFAULT).withKeyFilling(4);
    }

    @AfterEach
    void close() {
        adapters.close();
    }

    /** One of the two ends, with a key of three entries. */
    private final class KeyedEnd {
        final RcEnd end;
        final IndirectKey key;

        KeyedEnd(RcEnd end) {
            this.end = end;
            key = adapters.await(end.domain().createIndirectKey(IndirectKeyDescription.of(3)));
        }

        void fill(KeyLayout layout) {
            WorkCompletion done =
                    adapters.await(end.qp().submit(FillKey.of(1, key, layout).withAccess(Access.LOCAL_WRITE)));
            assertThat(done.status()).isEqualTo(Status.SUCCESS);
            assertThat(done.kind()).isEqualTo(CompletionKind.UMR);
        }

        void fillWithList() {
            fill(KeyLayout.list(end.slice(0, 8), end.slice(64, 8)));
        }

        void fillInterleaved() {
            fill(KeyLayout.interleaved(3, strided(0), strided(64)));
        }

        private StridedSlice strided(long offset) {
            return new StridedSlice(end.region().lkey(), end.region().address() + offset, 8, 2);
        }

        void invalidate() {
            WorkCompletion done = adapters.await(end.qp().submit(LocalInvalidate.of(2, key.lkey())));
            assertThat(done.status()).isEqualTo(Status.SUCCESS);
            assertThat(done.kind()).isEqualTo(CompletionKind.LOCAL_INV);
        }

        void set(char all) {
            byte[] bytes = new byte[AREA];
            Arrays.fill(bytes, (byte) all);
            end.memory().write(0, bytes);
        }
    }

    private List<KeyedEnd> keyedEnds() {
        return List.of(server, client);
    }

    private Status send(int bytes) {
        server.end.qp().postReceive(Receive.of(7, server.key.slice(0, bytes)));
        server.set('s');
        client.set('c');
        return adapters.await(client.end.qp().submit(Send.of(8, client.key.slice(0, bytes))))
                .status();
    }

    private void traffic() {
        for (int round = 0; round < ROUNDS; round++) {
            assertThat(send(16)).isEqualTo(Status.SUCCESS);
            assertThat(new String(server.end.memory().read(0, AREA), java.nio.charset.StandardCharsets.US_ASCII))
                    .isEqualTo(expected());
        }
    }

    /** Returns the bytes expected: the first eight of each slice changed. */
    private static String expected() {
        return IntStream.range(0, AREA).mapToObj(i -> i % 64 < 8 ? "c" : "s").reduce("", String::concat);
    }

    // rules indirect-translation, indirect-invalidate
    @Test
    @Tag("rdma-core:test_mlx5_mkey.Mlx5MkeyTest.test_mkey_list")
    @Tag("rdma-core:test_mlx5_mkey.Mlx5MkeyTest.test_mkey_list_new_api")
    void aListOfSlicesIsUsedForTrafficAndInvalidated() {
        keyedEnds().forEach(KeyedEnd::fillWithList);
        traffic();
        keyedEnds().forEach(KeyedEnd::invalidate);
    }

    // rules indirect-translation, indirect-invalidate
    @Test
    @Tag("rdma-core:test_mlx5_mkey.Mlx5MkeyTest.test_mkey_interleaved")
    @Tag("rdma-core:test_mlx5_mkey.Mlx5MkeyTest.test_mkey_interleaved_new_api")
    void interleavedSlicesAreUsedForTrafficAndInvalidated() {
        keyedEnds().forEach(KeyedEnd::fillInterleaved);
        traffic();
        keyedEnds().forEach(KeyedEnd::invalidate);
    }

    // rule indirect-rights
    @Test
    @Tag("rdma-core:test_mlx5_mkey.Mlx5MkeyTest.test_mkey_list_bad_flow")
    void bytesBehindTheLastSliceAreDenied() {
        keyedEnds().forEach(KeyedEnd::fillWithList);
        assertThat(send(100)).isEqualTo(Status.LOC_PROT_ERR);
    }
}
