// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.firmware;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.capability.AtomicScope;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.PlatformCapabilities.Feature;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.firmware.FirmwareAssignment;
import org.hcaactors.api.firmware.FirmwareException;
import org.hcaactors.api.firmware.FirmwareParameter;
import org.hcaactors.api.firmware.FirmwareSetting;
import org.hcaactors.api.firmware.Restart;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.World;
import org.hcaactors.network.Environment;
import org.hcaactors.network.FirmwareFiles;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A restart of a live adapter: open objects are gone, the processes survive, and the new settings are in effect. */
class FirmwareRestartTest {
    private final World world = World.of(11);
    private final Adapter a = world.network().addAdapter("a", Profile.CONNECTX_5);
    private final Adapter b = world.network().addAdapter("b", Profile.CONNECTX_5_IBM);
    private final ConnectedPair pair = world.connect(a, b);
    private final List<AsyncEvent.Kind> events = new ArrayList<>();

    @BeforeEach
    void listen() {
        pair.b().context().asyncEvents().subscribe(Subscribers.forEach(event -> events.add(event.kind())));
        world.settle();
    }

    @AfterEach
    void end() {
        world.close();
    }

    private void restart(Restart how) {
        world.await(b.firmware().restart(how));
    }

    private WorkCompletion write(ConnectedPair through) {
        return world.await(through.a()
                .qp()
                .submit(RdmaWrite.of(1, through.a().slice(0, 64), through.b().remote(0))));
    }

    // rule firmware-restart
    @ParameterizedTest
    @EnumSource
    void objectsOpenBeforeARestartAreUnusableAndCanBeClosed(Restart how) {
        CompletionStage<WorkCompletion> underWay = pair.b()
                .qp()
                .submit(RdmaWrite.of(1, pair.b().slice(0, 64), pair.a().remote(0)));
        DeviceContext context = pair.b().context();
        ProtectionDomain pd = pair.b().domain();
        restart(how);
        world.settle();
        assertThat(events)
                .contains(AsyncEvent.Kind.DEVICE_FATAL, AsyncEvent.Kind.PORT_ERR, AsyncEvent.Kind.PORT_ACTIVE)
                .containsOnlyOnce(AsyncEvent.Kind.DEVICE_FATAL);
        assertThat(pair.b().qp().state()).isEqualTo(QpState.ERR);
        assertThat(world.await(underWay).status()).isEqualTo(Status.WR_FLUSH_ERR);
        isRefused(context.createCq(1));
        isRefused(pd.register(b.process("app").allocate(64), Access.LOCAL_WRITE));
        assertThatThrownBy(context::allocatePd)
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("adapter b restarted since this object was opened")
                .hasMessageContaining("open it again");
        assertThat(write(pair).status()).isEqualTo(Status.RETRY_EXC_ERR);
        world.await(context.closeAsync());
        assertThat(world.network().leaks().leaks())
                .noneMatch(leak -> leak.adapter().equals("b"));
    }

    private void isRefused(CompletionStage<?> verb) {
        assertThatThrownBy(() -> world.await(verb))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        reason -> assertThat(reason.errno()).isEqualTo(Errno.EIO));
    }

    // rule firmware-restart
    @Test
    void processesKeepTheirMemoryAcrossARestartAndReopen() {
        HostMemory memory = pair.b().memory();
        memory.write(0, new byte[] {1, 2, 3});
        restart(Restart.POWER_CYCLE);
        assertThat(memory.read(0, 3)).containsExactly(1, 2, 3);
        assertThat(write(world.connect(a, b)).isSuccess()).isTrue();
        world.await(pair.b().context().closeAsync());
        assertThat(write(world.connect(a, b)).isSuccess()).isTrue();
    }

    // rule firmware-restart
    @Test
    void aKeyFromBeforeARestartIsUnknownToANewConnection() {
        ConnectedPair other = world.connect(a, b);
        restart(Restart.FIRMWARE_RESET);
        ConnectedPair fresh = world.connect(a, b);
        WorkCompletion stale = world.await(fresh.a()
                .qp()
                .submit(RdmaWrite.of(1, fresh.a().slice(0, 8), other.b().remote(0))));
        assertThat(stale.status()).isEqualTo(Status.REM_ACCESS_ERR);
        assertThat(String.join("\n", world.explain(stale).lines())).contains("not registered");
    }

    // rule firmware-restart
    @Test
    void anAdapterInErrorWorksAgainAfterAPowerCycle() {
        world.faults().now().crash(b);
        world.settle();
        restart(Restart.POWER_CYCLE);
        assertThat(write(world.connect(a, b)).isSuccess()).isTrue();
        restart(Restart.POWER_CYCLE);
        restart(Restart.POWER_CYCLE);
        assertThat(write(world.connect(a, b)).isSuccess()).isTrue();
    }

    // rule firmware-restart
    @Test
    void anUnpluggedAdapterStaysUnpluggedAfterARestart() {
        world.network().unplug(b);
        restart(Restart.WARM_REBOOT);
        world.settle();
        assertThat(b.port(1).active()).isFalse();
        assertThat(events).doesNotContain(AsyncEvent.Kind.PORT_ACTIVE);
    }

    // rules firmware-levels, firmware-activation
    @Test
    void aSettingAppliesAfterThePowerCycleAndNotBefore() {
        b.firmware().set(FirmwareAssignment.on(FirmwareParameter.IBM_AS_NOTIFY_EN));
        assertThat(b.profile().platform().has(Feature.AS_NOTIFY)).isFalse();
        restart(Restart.WARM_REBOOT);
        assertThat(b.profile().platform().has(Feature.AS_NOTIFY)).isFalse();
        assertThat(b.firmware().setting(FirmwareParameter.IBM_AS_NOTIFY_EN).pending())
                .isTrue();
        restart(Restart.POWER_CYCLE);
        assertThat(b.profile().platform().has(Feature.AS_NOTIFY)).isTrue();
        assertThat(b.firmware().settings()).noneMatch(FirmwareSetting::pending);
    }

    // rules firmware-effect, paging-capi
    @Test
    void withCapiTheAdapterReadsTheHostsPageTables() {
        b.firmware()
                .set(
                        FirmwareAssignment.on(FirmwareParameter.ADVANCED_PCI_SETTINGS),
                        FirmwareAssignment.on(FirmwareParameter.IBM_CAPI_EN));
        assertThat(faultsOfAWrite()).isPositive();
        restart(Restart.POWER_CYCLE);
        assertThat(b.profile().paging().has(PagingCapabilities.Feature.HOST_TABLES))
                .isTrue();
        assertThat(faultsOfAWrite())
                .as("the program touched the page, so it is there")
                .isZero();
        b.firmware().set(FirmwareAssignment.off(FirmwareParameter.IBM_CAPI_EN));
        restart(Restart.POWER_CYCLE);
        assertThat(faultsOfAWrite()).isPositive();
    }

    /** Returns the page faults of a WRITE to a page that its program has touched. */
    private long faultsOfAWrite() {
        ConnectedPair now = world.connect(a, b);
        HostMemory memory = b.process("app").allocate(4096);
        memory.write(0, new byte[] {1});
        MemoryRegion region = world.await(now.b()
                .domain()
                .register(Registration.of(memory).withOnDemandPaging().withAccess(AccessFlags.LOCAL_AND_REMOTE)));
        long before = b.pagingCounters().pageFaults();
        WorkCompletion done =
                world.await(now.a().qp().submit(RdmaWrite.of(1, now.a().slice(0, 8), region.remote(0))));
        assertThat(done.isSuccess()).isTrue();
        return b.pagingCounters().pageFaults() - before;
    }

    // rules firmware-effect, atomic-tunneled-region
    @Test
    void writesCarryCommandsOnlyAfterTheSettingIsActive() {
        b.firmware().set(FirmwareAssignment.on(FirmwareParameter.IBM_TUNNELED_ATOMIC_EN));
        assertThatThrownBy(() -> tunneling(pair)).isInstanceOf(VerbsException.class);
        restart(Restart.WARM_REBOOT);
        ConnectedPair rebooted = world.connect(a, b);
        assertThatThrownBy(() -> tunneling(rebooted)).isInstanceOf(VerbsException.class);
        restart(Restart.POWER_CYCLE);
        ConnectedPair now = world.connect(a, b);
        MemoryRegion region = tunneling(now);
        now.b().memory().writeLong(8, 40);
        byte[] addTwo =
                ByteBuffer.allocate(16).putInt(3 << 16).putInt(8).putLong(2).array();
        now.a().memory().write(0, addTwo);
        assertThat(world.await(now.a().qp().submit(RdmaWrite.of(1, now.a().slice(0, 16), region.remote(0))))
                        .isSuccess())
                .isTrue();
        assertThat(now.b().memory().readLong(8)).isEqualTo(42);
        b.firmware().reset();
        restart(Restart.POWER_CYCLE);
        assertThatThrownBy(() -> tunneling(world.connect(a, b))).isInstanceOf(VerbsException.class);
    }

    // rules firmware-effect, firmware-restart, notify-device-fatal
    @Test
    void newQueuesWakeExistingThreadsAfterTheSettingIsActive() {
        Waiter thread = world.await(b.process("app").startWaiter());
        b.firmware().set(FirmwareAssignment.on(FirmwareParameter.IBM_AS_NOTIFY_EN));
        assertThatThrownBy(() -> waking(thread, b.process("app").open()))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        reason -> assertThat(reason.errno()).isEqualTo(Errno.EOPNOTSUPP));
        restart(Restart.POWER_CYCLE);
        assertThat(wakesOnce(thread)).isEqualTo(WakeCause.AS_NOTIFY);
        CompletionStage<WakeCause> sleeping = thread.await();
        restart(Restart.POWER_CYCLE);
        isRefused(sleeping);
        assertThat(wakesOnce(thread)).isEqualTo(WakeCause.AS_NOTIFY);
        world.await(b.firmware().restart(Restart.WARM_REBOOT));
        isRefused(thread.await());
    }

    private CompletionQueue waking(Waiter thread, DeviceContext context) {
        return world.await(context.createCq(CqDescription.of(16).withWaiter(thread)));
    }

    /** Wakes the thread with a completion of a new connection. */
    private WakeCause wakesOnce(Waiter thread) {
        DeviceContext context = b.process("app").open();
        CompletionQueue queue = waking(thread, context);
        ProtectionDomain pd = context.allocatePd();
        QpPair<RcQueuePair> fresh = world.await(QpPair.connectRc(
                pd,
                QpDescription.rc().withSendCq(queue),
                a.process("peer").open().allocatePd(),
                QpDescription.rc()));
        queue.arm(CompletionQueue.Arm.ANY);
        CompletionStage<WakeCause> woken = thread.await();
        fresh.local()
                .post(RdmaWrite.of(1, pair.b().slice(0, 0), pair.a().remote(0)).withSignaled());
        return world.await(woken);
    }

    private MemoryRegion tunneling(ConnectedPair through) {
        return world.await(through.b()
                .domain()
                .register(Registration.of(through.b().memory())
                        .withAccess(AccessFlags.LOCAL_AND_REMOTE)
                        .withTunneledAtomics()));
    }

    // rule firmware-queue-limits
    @Test
    void queueLimitsFollowTheirSettingsForNewQueues() {
        b.firmware()
                .set(
                        new FirmwareAssignment(FirmwareParameter.LOG_MAX_OUTSTANDING_WQE, 4),
                        new FirmwareAssignment(FirmwareParameter.LOG_MAX_OUTSTANDING_READ_ATOMIC, 1),
                        new FirmwareAssignment(FirmwareParameter.PCI_ATOMIC_MODE, 4));
        ProtectionDomain before = b.process("app").open().allocatePd();
        world.await(before.createQp(QpDescription.rc().withCapacity(QpCapacity.DEFAULT.withMaxSendWr(17))));
        restart(Restart.FIRMWARE_RESET);
        assertThat(b.profile().queues().maxRdAtomic()).isEqualTo(2);
        assertThat(b.profile().atomics().scope()).isEqualTo(AtomicScope.GLOBAL);
        ProtectionDomain after = b.process("app").open().allocatePd();
        world.await(after.createQp(QpDescription.rc()
                .withCapacity(QpCapacity.DEFAULT.withMaxRecvWr(16).withMaxSendWr(16))));
        assertThatThrownBy(() -> world.await(after.createQp(QpDescription.rc()
                        .withCapacity(QpCapacity.DEFAULT.withMaxRecvWr(16).withMaxSendWr(17)))))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("16");
    }

    // rule firmware-restart
    @Test
    void flushesAreExplainedByTheRestart() {
        CompletionStage<WorkCompletion> underWay = pair.b()
                .qp()
                .submit(RdmaWrite.of(1, pair.b().slice(0, 64), pair.a().remote(0)));
        restart(Restart.POWER_CYCLE);
        WorkCompletion flushed = world.await(underWay);
        assertThat(String.join("\n", world.explain(flushed).lines())).contains("its slot was power-cycled");
    }

    // rule firmware-restart
    @Test
    void aPowerCycleFaultActivatesSettingsToo() {
        b.firmware().set(FirmwareAssignment.on(FirmwareParameter.IBM_TUNNELED_ATOMIC_EN));
        world.faults().now().powerCycle(b, Duration.ofMillis(1));
        world.runFor(Duration.ofMillis(2));
        assertThat(b.profile().platform().has(Feature.TUNNELED_ATOMIC)).isTrue();
        assertThat(write(world.connect(a, b)).isSuccess()).isTrue();
    }

    // rule firmware-kept
    @Test
    void settingsSurviveAProgramWhoseEndIsNoRestart(@TempDir Path folder) {
        Environment kept = Environment.production().withFirmware(FirmwareFiles.in(folder));
        try (RdmaNetwork network = RdmaNetwork.start(kept)) {
            Adapter first = network.addAdapter("b", Profile.CONNECTX_5_IBM);
            first.firmware().set(FirmwareAssignment.on(FirmwareParameter.IBM_AS_NOTIFY_EN));
        }
        try (RdmaNetwork network = RdmaNetwork.start(kept)) {
            Adapter second = network.addAdapter("b", Profile.CONNECTX_5_IBM);
            assertThat(second.profile().platform().features()).isEmpty();
            assertThat(second.firmware()
                            .setting(FirmwareParameter.IBM_AS_NOTIFY_EN)
                            .pending())
                    .isTrue();
            network.await(second.firmware().restart(Restart.POWER_CYCLE));
        }
        try (RdmaNetwork network = RdmaNetwork.start(kept)) {
            assertThat(network.addAdapter("b", Profile.CONNECTX_5_IBM)
                            .profile()
                            .platform()
                            .features())
                    .containsExactly(Feature.AS_NOTIFY);
            assertThatThrownBy(() -> network.addAdapter("c", Profile.CONNECTX_5)
                            .firmware()
                            .set(FirmwareAssignment.on(FirmwareParameter.IBM_AS_NOTIFY_EN)))
                    .isInstanceOf(FirmwareException.class);
            assertThat(network.addAdapter("d", Profile.CONNECTX_5_IBM)
                            .profile()
                            .platform()
                            .features())
                    .isEmpty();
        }
        try (RdmaNetwork network = RdmaNetwork.start(kept)) {
            assertThatThrownBy(() -> network.addAdapter("b", Profile.CONNECTX_4))
                    .isInstanceOf(FirmwareException.class)
                    .hasMessageContaining("the file is for model 4121, and the device is model 4115");
            assertThat(network.adapter("b")).isEmpty();
        }
    }

    // rule firmware-kept
    @Test
    void settingsOfTwoProgramsAreBothKept(@TempDir Path folder) {
        try (RdmaNetwork one = RdmaNetwork.start(Environment.production().withFirmware(FirmwareFiles.in(folder)));
                RdmaNetwork two = RdmaNetwork.start(Environment.production().withFirmware(FirmwareFiles.in(folder)))) {
            Adapter here = one.addAdapter("b", Profile.CONNECTX_5_IBM);
            Adapter there = two.addAdapter("b", Profile.CONNECTX_5_IBM);
            here.firmware().set(FirmwareAssignment.on(FirmwareParameter.IBM_AS_NOTIFY_EN));
            there.firmware().set(FirmwareAssignment.on(FirmwareParameter.IBM_TUNNELED_ATOMIC_EN));
            assertThat(there.firmware().settings())
                    .filteredOn(FirmwareSetting::pending)
                    .hasSize(2);
            two.await(there.firmware().restart(Restart.POWER_CYCLE));
            assertThat(there.profile().platform().features())
                    .containsExactlyInAnyOrder(Feature.AS_NOTIFY, Feature.TUNNELED_ATOMIC);
            here.firmware().reset(List.of(FirmwareParameter.IBM_TUNNELED_ATOMIC_EN));
            assertThat(here.firmware()
                            .setting(FirmwareParameter.IBM_AS_NOTIFY_EN)
                            .pending())
                    .as("this adapter was not restarted")
                    .isTrue();
            two.await(there.firmware().restart(Restart.POWER_CYCLE));
            assertThat(there.profile().platform().features()).containsExactly(Feature.AS_NOTIFY);
        }
    }

    // rule firmware-restart
    @ParameterizedTest
    @EnumSource
    void countersContinueAcrossARestart(Restart how) {
        write(pair);
        SortedMap<String, Long> before = b.counters();
        assertThat(before).containsEntry("rx_write_requests", 1L);
        restart(how);
        assertThat(b.counters()).containsAllEntriesOf(before);
        write(world.connect(a, b));
        assertThat(b.counters()).containsEntry("rx_write_requests", 2L);
    }

    // rule firmware-restart
    @Test
    void newQueuePairsGetNewNumbersWhileOldOnesAreOpen() {
        int old = pair.b().qp().number();
        restart(Restart.POWER_CYCLE);
        QpPair<RcQueuePair> fresh = world.await(QpPair.connectRc(
                a.process("x").open().allocatePd(), b.process("x").open().allocatePd()));
        assertThat(fresh.remote().number()).isNotEqualTo(old);
    }
}
