// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.explain.Explainer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A failure behind an indirect key is traced to the key at fault, and the keys that led to it are named. */
class ExplainedIndirectKeysTest {
    private final World world = World.of(5);
    private final Ends<RcEnd> ends = RcEnd.connect(world.network(), half("a"), half("b"), RcConnection.DEFAULT);
    private final RcEnd a = ends.a();
    private final RcEnd b = ends.b();

    private Half half(String name) {
        return Half.of(world.network(), world.network().addAdapter(name, Profile.CONNECTX_5), Shape.DEFAULT)
                .withKeyFilling(4);
    }

    @AfterEach
    void close() {
        world.close();
    }

    private IndirectKey key(RcEnd end, AccessFlags rights, LocalSlice... slices) {
        IndirectKey key = world.await(end.domain().createIndirectKey(IndirectKeyDescription.of(4)));
        FillKey fill = FillKey.of(1, key, KeyLayout.list(slices)).withAccess(rights);
        assertThat(world.await(end.qp().submit(fill)).isSuccess()).isTrue();
        return key;
    }

    private IndirectKey key(RcEnd end, LocalSlice... slices) {
        return key(end, AccessFlags.LOCAL_AND_REMOTE, slices);
    }

    private String root(WorkCompletion completion, Status status) {
        assertThat(completion.status()).isEqualTo(status);
        return Explainer.of(world.trace()).explain(completion).orElseThrow().root();
    }

    private String root(RcWork work, Status status) {
        return root(world.await(a.qp().submit(work)), status);
    }

    private RdmaWrite write(IndirectKey to) {
        return RdmaWrite.of(7, a.slice(0, 8), to.remote(0));
    }

    private static String words(String name, int key, String what) {
        return "%s 0x%08x %s".formatted(name, key, what);
    }

    @Test
    void aKeyThatWasNeverFilled() {
        IndirectKey empty = world.await(b.domain().createIndirectKey(IndirectKeyDescription.of(4)));
        assertThat(root(write(empty), Status.REM_ACCESS_ERR))
                .contains(words("R_Key", empty.rkey(), "maps no memory now"));
    }

    @Test
    void aPartThatIsGone() {
        MemoryRegion part = world.await(b.domain().register(b.memory(), Access.LOCAL_WRITE, Access.REMOTE_WRITE));
        IndirectKey key = key(b, part.slice(0, 8));
        world.await(part.deregister());
        assertThat(root(write(key), Status.REM_ACCESS_ERR))
                .contains(words("R_Key", key.rkey(), "shows memory of key"))
                .contains("0x%08x, which is not registered, or was deregistered".formatted(part.lkey()));
    }

    @Test
    void aPartWithoutTheRightBehindTwoKeys() {
        MemoryRegion part = world.await(b.domain().register(b.memory()));
        IndirectKey inner = key(b, part.slice(0, 8));
        IndirectKey outer = key(b, inner.slice(0, 8));
        assertThat(root(write(outer), Status.REM_ACCESS_ERR))
                .contains(
                        "shows memory of key 0x%08x, which shows memory of key 0x%08x, which does not allow REMOTE_WRITE"
                                .formatted(inner.lkey(), part.lkey()));
    }

    @Test
    void aKeyWithoutTheRightItself() {
        IndirectKey key = key(b, AccessFlags.of(Access.REMOTE_READ), b.slice(0, 8));
        assertThat(root(write(key), Status.REM_ACCESS_ERR))
                .contains(words("R_Key", key.rkey(), "does not allow REMOTE_WRITE"));
    }

    @Test
    void aKeyThatContainsItself() {
        IndirectKey key = world.await(b.domain().createIndirectKey(IndirectKeyDescription.of(4)));
        FillKey circle = FillKey.of(1, key, KeyLayout.list(key.slice(0, 8))).withAccess(AccessFlags.LOCAL_AND_REMOTE);
        world.await(b.qp().submit(circle));
        assertThat(root(write(key), Status.REM_ACCESS_ERR))
                .contains("refers to more levels of keys than the adapter supports");
    }

    @Test
    void anAtomicOnAWordOfTwoPieces() {
        IndirectKey key = key(b, b.slice(0, 4), b.slice(4, 4));
        assertThat(root(FetchAdd.of(7, a.slice(0, 8), key.remote(0), 1), Status.REM_ACCESS_ERR))
                .contains("shows the 8 bytes from 0x0, but not as one aligned word");
    }

    @Test
    void aReceiveThroughAReadOnlyPart() {
        MemoryRegion part = world.await(b.domain().register(b.memory()));
        IndirectKey key = key(b, part.slice(0, 8));
        List<WorkCompletion> received = new ArrayList<>();
        b.recvCq().completions().subscribe(Subscribers.forEach(received::add));
        b.qp().postReceive(Receive.of(9, key.slice(0, 8)));
        String theirs = root(Send.of(7, a.slice(0, 8)), Status.REM_OP_ERR);
        String own = root(received.getFirst(), Status.LOC_PROT_ERR);
        assertThat(List.of(theirs, own))
                .allSatisfy(root -> assertThat(root)
                        .contains(words("L_Key", key.lkey(), "shows memory of key 0x%08x".formatted(part.lkey())))
                        .contains("does not allow LOCAL_WRITE"));
    }

    @Test
    void aRefusedFill() {
        FillKey region = FillKey.of(7, a.region().lkey(), 4, KeyLayout.list(a.slice(0, 8)));
        assertThat(root(region, Status.LOC_QP_OP_ERR))
                .contains(words("key", a.region().lkey(), "is of a kind that does not support this change"));
    }

    @Test
    void aFillingThatIsTooLong() {
        IndirectKey key = world.await(a.domain().createIndirectKey(IndirectKeyDescription.of(1)));
        FillKey fill = FillKey.of(7, key.lkey(), 4, KeyLayout.list(a.slice(0, 8), a.slice(8, 8)));
        assertThat(root(fill, Status.LOC_QP_OP_ERR))
                .contains(words("key", key.lkey(), "has room for 1 entries, not for 2"));
    }
}
