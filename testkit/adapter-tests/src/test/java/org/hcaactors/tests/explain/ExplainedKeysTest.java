// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Credentials;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.LocalInvalidate;
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
import org.hcaactors.views.explain.Explanation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that fail because of a memory key: the explanation names the key and the memory it covers. */
class ExplainedKeysTest {
    private final World world = World.of(5);
    private final RcEnd a;
    private final RcEnd b;

    ExplainedKeysTest() {
        Ends<RcEnd> ends = RcEnd.connect(world.network(), half("a"), half("b"), RcConnection.DEFAULT);
        a = ends.a();
        b = ends.b();
    }

    private Half half(String name) {
        return Half.of(world.network(), world.network().addAdapter(name, Profile.CONNECTX_5), Shape.DEFAULT)
                .withKeyFilling(4);
    }

    @AfterEach
    void close() {
        world.close();
    }

    private String root(RcEnd end, RcWork work, Status status) {
        WorkCompletion completion = world.await(end.qp().submit(work));
        world.runToQuiet(Duration.ofSeconds(3));
        assertThat(completion.status()).isEqualTo(status);
        Explanation reason = Explainer.of(world.trace()).explain(completion).orElseThrow();
        return reason.root();
    }

    private MemoryRegion region(RcEnd end, Access... rights) {
        return world.await(end.domain().register(end.memory(), rights));
    }

    private void done(RcEnd end, RcWork work) {
        assertThat(world.await(end.qp().submit(work)).status()).isEqualTo(Status.SUCCESS);
    }

    private String writeTo(int key, long address) {
        return root(a, RdmaWrite.of(7, a.slice(0, 64), new RemoteAddress(key, address)), Status.REM_ACCESS_ERR);
    }

    @Test
    void aBindToARegionWithoutMwBind() {
        MemoryRegion region = region(b, Access.LOCAL_WRITE);
        MemoryWindow window = world.await(b.domain().allocateWindow(WindowType.TYPE_2));
        assertThat(root(b, BindWindow.of(7, window, WindowBinding.of(region)), Status.MW_BIND_ERR))
                .contains("0x%08x".formatted(region.lkey()))
                .contains("does not allow MW_BIND");
    }

    @Test
    void aWriteToAWindowThatWasInvalidated() {
        MemoryRegion region = region(b, Access.LOCAL_WRITE, Access.MW_BIND);
        MemoryWindow window = world.await(b.domain().allocateWindow(WindowType.TYPE_2));
        done(b, BindWindow.of(1, window, WindowBinding.of(region).withAccess(Access.REMOTE_WRITE)));
        done(b, LocalInvalidate.of(2, window.rkey()));
        assertThat(writeTo(window.rkey(), region.address()))
                .contains("R_Key 0x%08x maps no memory now".formatted(window.rkey()))
                .contains(", by request 2 of b/qp" + b.qp().number() + " (LOCAL_INV of key");
    }

    @Test
    void aWriteToAWindowThatItsPeersSendInvalidated() {
        MemoryWindow window = boundWindow();
        b.postReceive(Receive.of(2, b.slice(0, 64)));
        done(a, Send.of(3, a.slice(0, 64)).withInvalidate(window.rkey()));
        assertThat(writeTo(window.rkey(), b.region().address()))
                .contains("R_Key 0x%08x maps no memory now, since ".formatted(window.rkey()))
                .contains(", by request 3 of a/qp" + a.qp().number() + " (SEND_WITH_INV of key");
    }

    @Test
    void aWriteUnderTheKeyThatAWindowHadBefore() {
        MemoryWindow window = world.await(b.domain().allocateWindow(WindowType.TYPE_1));
        MemoryRegion region = region(b, Access.LOCAL_WRITE, Access.MW_BIND);
        WindowBinding binding = WindowBinding.of(region).withAccess(Access.REMOTE_WRITE);
        assertThat(world.await(b.qp().submitBind(1, window, binding)).status()).isEqualTo(Status.SUCCESS);
        int before = window.rkey();
        assertThat(world.await(b.qp().submitBind(2, window, binding)).status()).isEqualTo(Status.SUCCESS);
        assertThat(writeTo(before, region.address()))
                .contains("R_Key 0x%08x is not registered, or was deregistered, since ".formatted(before))
                .contains(", when it became key 0x%08x, by request 2 of ".formatted(window.rkey()));
    }

    @Test
    void aWriteUnderAKeyOfATranslatorCrashedByAFault() {
        MemoryWindow window = boundWindow();
        world.faults().now().crash(world.network().adapter("b").orElseThrow(), window);
        assertThat(writeTo(window.rkey(), b.region().address()))
                .contains("is not registered, or was deregistered, since ")
                .contains(", when the testkit injected: crash b/key 0x%08x at ".formatted(window.rkey()));
    }

    @Test
    void aWriteUnderAnIndirectKeyCrashedByAFault() {
        IndirectKey key = world.await(b.domain().createIndirectKey(IndirectKeyDescription.of(2)));
        done(b, FillKey.of(1, key, KeyLayout.list(b.slice(0, 128))).withAccess(AccessFlags.LOCAL_AND_REMOTE));
        world.faults().now().crash(world.network().adapter("b").orElseThrow(), key);
        assertThat(writeTo(key.rkey(), 0))
                .contains(", when the testkit injected: crash b/key 0x%08x at ".formatted(key.rkey()));
    }

    @Test
    void aWriteToARegionThatLostTheRight() {
        MemoryRegion region = region(b, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        world.await(region.reregister(
                Reregistration.of(Reregistration.Change.ACCESS).withAccess(Access.LOCAL_WRITE)));
        assertThat(writeTo(region.rkey(), region.address()))
                .contains("does not allow REMOTE_WRITE, since ")
                .endsWith(", when it was reregistered");
    }

    @Test
    void aWriteWithoutTheRightNamesNoUnrelatedChange() {
        MemoryRegion region = region(b, Access.LOCAL_WRITE);
        world.await(region.reregister(
                Reregistration.of(Reregistration.Change.ACCESS).withAccess(Access.LOCAL_WRITE, Access.REMOTE_READ)));
        assertThat(writeTo(region.rkey(), region.address())).endsWith("does not allow REMOTE_WRITE");
    }

    @Test
    void aWriteToPhysicalAddressesWhereTheHostHasNoMemory() {
        HostProcess root = world.network().adapter("b").orElseThrow().process("root", Credentials.ROOT);
        ProtectionDomain domain = root.open().allocatePd();
        MemoryRegion region = world.await(
                domain.register(Registration.physical().withAccess(Access.LOCAL_WRITE, Access.REMOTE_WRITE)));
        QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(a.domain(), domain));
        RdmaWrite write = RdmaWrite.of(7, a.slice(0, 64), new RemoteAddress(region.rkey(), 7));
        WorkCompletion refused = world.await(pair.local().submit(write));
        assertThat(Explainer.of(world.trace()).explain(refused).orElseThrow().root())
                .endsWith("covers physical addresses; the host has no contiguous memory for the 64 bytes from 0x7");
    }

    private MemoryWindow boundWindow() {
        MemoryRegion region = region(b, Access.LOCAL_WRITE, Access.MW_BIND);
        MemoryWindow window = world.await(b.domain().allocateWindow(WindowType.TYPE_2));
        done(b, BindWindow.of(1, window, WindowBinding.of(region).withAccess(Access.REMOTE_WRITE)));
        return window;
    }

    @Test
    void aWriteThroughAnIndirectKeyWithADeregisteredPart() {
        MemoryRegion part = region(b, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        IndirectKey key = world.await(b.domain().createIndirectKey(IndirectKeyDescription.of(2)));
        done(b, FillKey.of(1, key, KeyLayout.list(part.slice(0, 128))).withAccess(AccessFlags.LOCAL_AND_REMOTE));
        world.await(part.deregister());
        assertThat(writeTo(key.rkey(), 0))
                .contains("shows memory of key 0x%08x".formatted(part.lkey()))
                .contains("is not registered, or was deregistered");
    }

    @Test
    void aWriteToARegionWhoseReRegistrationFailed() {
        MemoryRegion region = region(b, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        world.await(region.reregister(Reregistration.of(Reregistration.Change.TRANSLATION)
                        .withTranslation(Registration.of(b.memory()).withRange(0, Long.MAX_VALUE)))
                .exceptionally(refused -> null));
        assertThat(writeTo(region.rkey(), region.address()))
                .contains("is undefined because its re-registration failed");
    }

    @Test
    void aSendThatWasToInvalidateAWindowThatIsFree() {
        MemoryWindow window = world.await(b.domain().allocateWindow(WindowType.TYPE_2));
        b.postReceive(Receive.of(1, b.slice(0, 64)));
        Send send = Send.of(7, a.slice(0, 64)).withInvalidate(window.rkey());
        assertThat(root(a, send, Status.RETRY_EXC_ERR))
                .contains("the key to invalidate: R_Key 0x%08x".formatted(window.rkey()))
                .contains("maps no memory now");
    }

    @Test
    void anInvalidationOfAnotherQueuePairsWindow() {
        MemoryRegion region = region(b, Access.LOCAL_WRITE, Access.MW_BIND);
        MemoryWindow window = world.await(b.domain().allocateWindow(WindowType.TYPE_2));
        done(b, BindWindow.of(6, window, WindowBinding.of(region)));
        RcQueuePair other = world.await(b.domain().createQp(QpDescription.rc().withSendCq(b.sendCq())));
        world.await(other.connect(a.adapter().gid(), a.qp().number(), RcConnection.DEFAULT));
        WorkCompletion done = world.await(other.submit(LocalInvalidate.of(7, window.rkey())));
        assertThat(done.status()).isEqualTo(Status.MW_BIND_ERR);
        assertThat(Explainer.of(world.trace()).explain(done).orElseThrow().root())
                .contains("is tied to queue pair " + b.qp().number());
    }
}
