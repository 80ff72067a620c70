// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.firmware;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Credentials;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.firmware.FirmwareAssignment;
import org.hcaactors.api.firmware.FirmwareException;
import org.hcaactors.api.firmware.FirmwareParameter;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.Prefetch;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.ScatterToCqe;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.TagMatching;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.lab.pair.End;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.pair.Transport;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An adapter with the mlx4 driver: its features, and those it lacks (rule firmware-mlx4). */
class ConnectX3Test {
    private final World world = World.of(3);
    private final Adapter a = world.network().addAdapter("a", Profile.CONNECTX_3, World.DEFAULT_LINK);
    private final Adapter b = world.network().addAdapter("b", Profile.CONNECTX_3, World.DEFAULT_LINK);

    @AfterEach
    void close() {
        world.close();
    }

    private void refused(Errno errno, Supplier<CompletionStage<?>> verb) {
        assertThatThrownBy(() -> world.await(verb.get()))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    // rules dc-supported, tag-srq, paging-registers
    @Test
    void featuresOfMlx5AreRefusedWithTheirErrno() {
        var context = a.process("app", Credentials.ROOT).open();
        ProtectionDomain domain = context.allocatePd();
        CompletionQueue cq = world.await(context.createCq(8));
        var srq = world.await(domain.createSrq(SrqDescription.DEFAULT));
        var memory = context.process().allocate(4096);
        MemoryRegion region = world.await(domain.register(memory, Access.LOCAL_WRITE));
        refused(Errno.EOPNOTSUPP, () -> domain.createQp(QpDescription.dc()));
        refused(Errno.EOPNOTSUPP, () -> domain.createDcTarget(DcTargetDescription.of(cq, srq, DcAccessKey.of(1))));
        refused(Errno.EOPNOTSUPP, () -> domain.createSrq(SrqDescription.DEFAULT.withTagMatching(TagMatching.of(cq))));
        refused(Errno.EOPNOTSUPP, () -> domain.createIndirectKey(IndirectKeyDescription.of(4)));
        refused(Errno.EOPNOTSUPP, () -> domain.allocateKeyList(4));
        refused(Errno.EOPNOTSUPP, () -> domain.createQp(QpDescription.rc().withKeyFilling()));
        refused(Errno.EINVAL, () -> domain.register(Registration.of(memory).withOnDemandPaging()));
        refused(Errno.EOPNOTSUPP, () -> domain.advise(Prefetch.of(Prefetch.Purpose.READ, region.slice(0, 8))));
        refused(Errno.EOPNOTSUPP, () -> region.prefetch(0, 8, false));
        refused(Errno.EOPNOTSUPP, domain::allocateNullMr);
        refused(Errno.EOPNOTSUPP, () -> domain.register(Registration.physical()));
        refused(
                Errno.EINVAL,
                () -> domain.register(Registration.of(memory)
                        .withAccess(Access.LOCAL_WRITE, Access.REMOTE_WRITE)
                        .withTunneledAtomics()));
        refused(Errno.EOPNOTSUPP, () -> domain.createQp(QpDescription.rc().withScatterToCqe(ScatterToCqe.ALLOWED)));
        var waiter = world.await(context.process().startWaiter());
        refused(Errno.EOPNOTSUPP, () -> context.createCq(CqDescription.of(8).withWaiter(waiter)));
        assertThatThrownBy(() -> a.firmware().set(FirmwareAssignment.on(FirmwareParameter.IBM_CAPI_EN)))
                .isInstanceOf(FirmwareException.class)
                .hasMessageContaining("no firmware settings");
    }

    private static Optional<WorkRequest> work(String verb, Side from, Side to) {
        return Optional.ofNullable(
                switch (verb) {
                    case "SEND" -> Send.of(1, from.slice(0, 64));
                    case "SEND with immediate" -> Send.of(1, from.slice(0, 64)).withImmediate(7);
                    case "WRITE" -> RdmaWrite.of(1, from.slice(0, 3000), to.remote(0));
                    case "WRITE with immediate" ->
                        RdmaWrite.of(1, from.slice(0, 64), to.remote(0)).withImmediate(7);
                    case "READ" -> RdmaRead.of(1, from.slice(0, 3000), to.remote(0));
                    case "COMP_SWAP" -> CompareAndSwap.of(1, from.slice(0, 8), to.remote(0), 0, 1);
                    case "FETCH_ADD" -> FetchAdd.of(1, from.slice(0, 8), to.remote(0), 1);
                    case "MASKED_FETCH_ADD" -> MaskedFetchAdd.of(1, from.slice(0, 8), to.remote(0), 1);
                    default -> null;
                });
    }

    private static List<String> verbs(Transport transport) {
        List<String> all = List.of(
                "SEND",
                "SEND with immediate",
                "WRITE",
                "WRITE with immediate",
                "READ",
                "COMP_SWAP",
                "FETCH_ADD",
                "MASKED_FETCH_ADD");
        return switch (transport) {
            case UD -> all.subList(0, 2);
            case UC -> all.subList(0, 4);
            default -> all;
        };
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DC")
    void everyVerbOfItsTransportsRunsOnConnectX3(Transport transport) {
        Ends<?> ends = transport.between(world.network(), a, b, Shape.DEFAULT);
        End from = ends.a();
        End to = ends.b();
        Map<String, Status> ended = new LinkedHashMap<>();
        for (String verb : verbs(transport)) {
            to.postReceive(Receive.of(1, to.side().slice(4096, 256)));
            ended.put(
                    verb,
                    world.await(from.submit(work(verb, from.side(), to.side()).orElseThrow()))
                            .status());
            world.settle();
        }
        assertThat(ended)
                .allSatisfy((verb, status) -> assertThat(status).as(verb).isEqualTo(Status.SUCCESS));
        assertThat(ended.keySet()).containsExactlyElementsOf(verbs(transport));
    }

    @Test
    void aMaskedAtomicNotOfEightBytesIsRefused() {
        Ends<?> ends = Transport.RC.between(world.network(), a, b, Shape.DEFAULT);
        Side from = ends.a().side();
        Side to = ends.b().side();
        assertThatThrownBy(() ->
                        ends.a().post(MaskedFetchAdd.of(1, from.slice(0, 16), to.remote(0), AtomicValue.zeros(16))))
                .isInstanceOf(VerbsException.class);
    }

    @Test
    void windowsOfType2AreBoundAndInvalidatedOnIt() {
        var pair = world.connect(a, b);
        MemoryRegion region =
                world.await(pair.b().domain().register(pair.b().memory(), Access.LOCAL_WRITE, Access.MW_BIND));
        MemoryWindow window = world.await(pair.b().domain().allocateWindow(WindowType.TYPE_2));
        WindowBinding binding = WindowBinding.of(region).withAccess(Access.REMOTE_WRITE);
        assertThat(world.await(pair.b().qp().submit(BindWindow.of(1, window, binding)))
                        .status())
                .isEqualTo(Status.SUCCESS);
        assertThat(world.await(pair.a()
                                .qp()
                                .submit(RdmaWrite.of(2, pair.a().slice(0, 8), window.remote(region.address()))))
                        .status())
                .isEqualTo(Status.SUCCESS);
        assertThat(world.await(pair.b().qp().submit(LocalInvalidate.of(3, window.rkey())))
                        .status())
                .isEqualTo(Status.SUCCESS);
    }

    @Test
    void limitsAreThoseOfTheDeviceListing() {
        Profile it = Profile.find("connectx3").orElseThrow();
        assertThat(it.vendorPartId()).isEqualTo(4099);
        assertThat(Arrays.asList(
                        it.queues().maxWr(), it.queues().maxSge(), it.queues().maxRdAtomic()))
                .containsExactly(16_351, 32, 128);
        refused(
                Errno.EINVAL,
                () -> world.connect(a, b)
                        .a()
                        .domain()
                        .createQp(QpDescription.rc().withCapacity(QpCapacity.DEFAULT.withMaxSendWr(16_352))));
    }
}
