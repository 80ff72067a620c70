// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.memory.Reregistration.Change;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.UcWork;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.lab.fault.CrashTarget;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Keys of all kinds are bound, filled in cycles, invalidated, changed and destroyed under traffic, while queue pairs fail,
 * drain and are destroyed, all at once. The invariants watch each world; the test checks that each verb completes, and that
 * everything can be closed.
 */
@Tag("judge")
class KeyChurnTest {
    private static final int SEEDS = Integer.getInteger("rdma.seeds", 12);
    private static final int FIRST = Integer.getInteger("rdma.first", 0);
    private static final int STEPS = 150;
    private static final int PAIRS = 24;
    private static final int OWN = 4;
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final AccessFlags ALL = AccessFlags.of(
            Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC, Access.MW_BIND);
    private static final RcConnection TERMS = RcConnection.DEFAULT
            .withTimeoutCode(8)
            .withRetryCount(3)
            .withRnrRetry(2)
            .withMinRnrTimerCode(1);

    /** Additional disruptions. */
    enum Disruption {
        NONE,
        LOSS,
        TRANSLATORS_CRASH,
        ADAPTER_CRASHES,
        PROCESS_EXITS,
        NETWORK_CLOSES
    }

    // rules memory-change, memory-held, memory-key-work, memory-deregister
    @ParameterizedTest
    @EnumSource
    void everyVerbEndsAndNoObjectIsLeft(Disruption disruption) {
        for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
            try (World world = World.of(seed)) {
                new ChurnRun(world, seed, disruption).run();
            } catch (AssertionError | RuntimeException broken) {
                throw new AssertionError("seed " + seed, broken);
            }
        }
    }

    /** A verb that was called. */
    private record Called(String what, CompletionStage<?> end) {}

    /** Operations common to queue pairs of both transports. */
    private interface VerbOfType1 {
        CompletionStage<WorkCompletion> bind(long id, MemoryWindow window, WindowBinding binding);
    }

    private static final class ChurnRun {
        private final World world;
        private final Disruption disruption;
        private final SplittableRandom chance;
        private final Adapter a;
        private final DeviceContext context;
        private final ProtectionDomain domain;
        private final ProtectionDomain foreign;
        private final SharedReceiveQueue srq;
        private final List<RcQueuePair> near = new ArrayList<>();
        private final List<RcQueuePair> far = new ArrayList<>();
        private final List<RcQueuePair> sharing = new ArrayList<>();
        private final List<UcQueuePair> unreliable = new ArrayList<>();
        private final List<HostMemory> memories = new ArrayList<>();
        private final List<MemoryRegion> regions = new ArrayList<>();
        private final List<MemoryWindow> windows = new ArrayList<>();
        private final List<IndirectKey> keys = new ArrayList<>();
        private final List<Called> called = new ArrayList<>();

        /** All objects ever created; those that others depend on are last. */
        private final List<Handle> standing = new ArrayList<>();

        private final List<Handle> grounds = new ArrayList<>();

        ChurnRun(World world, int seed, Disruption disruption) {
            this.world = world;
            this.disruption = disruption;
            chance = new SplittableRandom(seed);
            a = world.network().addAdapter("a", Profile.CONNECTX_5);
            context = a.process("app").open();
            domain = context.allocatePd();
            foreign = context.allocatePd();
            boolean loops = chance.nextInt(3) != 0;
            Adapter b = loops ? a : world.network().addAdapter("b", Profile.CONNECTX_5);
            ProtectionDomain there = loops ? domain : b.process("app").open().allocatePd();
            srq = world.await(there.createSrq(SrqDescription.DEFAULT));
            makeKeys();
            HostMemory theirs = b.process("app").allocate(8192);
            regions.add(world.await(there.register(Registration.of(theirs).withAccess(ALL))));
            grounds.add(regions.getLast());
            for (int i = 0; i < PAIRS; i++) {
                connect(there, i % 3 == 0);
            }
        }

        private void makeKeys() {
            for (int i = 0; i < OWN; i++) {
                memories.add(a.process("app").allocate(8192));
                regions.add(world.await(
                        domain.register(Registration.of(memories.getLast()).withAccess(ALL))));
            }
            grounds.addAll(regions);
            for (int i = 0; i < 3; i++) {
                windows.add(world.await(domain.allocateWindow(i % 2 == 0 ? WindowType.TYPE_1 : WindowType.TYPE_2)));
                keys.add(world.await(indirectKey()));
            }
            standing.addAll(windows);
            standing.addAll(keys);
        }

        private CompletionStage<IndirectKey> indirectKey() {
            return domain.createIndirectKey(IndirectKeyDescription.of(8).withRemoteInvalidation());
        }

        private void connect(ProtectionDomain there, boolean withShared) {
            QpDescription<RcQueuePair> end = QpDescription.rc().withKeyFilling(8);
            QpPair<RcQueuePair> pair =
                    world.await(QpPair.connectRc(domain, end, there, withShared ? end.withSrq(srq) : end, TERMS));
            near.add(pair.local());
            far.add(pair.remote());
            if (withShared) {
                sharing.add(pair.remote());
                QpPair<UcQueuePair> uc = world.await(QpPair.connectUc(domain, there));
                unreliable.add(uc.local());
                unreliable.add(uc.remote());
            }
        }

        void run() {
            if (disruption == Disruption.LOSS) {
                world.network().intercept(transit -> chance.nextInt(12) == 0 ? new Verdict.Drop("lost") : Verdict.PASS);
            }
            List.of(near, far).forEach(side -> side.forEach(this::postReceives));
            keys.forEach(key -> call("fill", any(near).submit(fill(key, KeyLayout.list(ours().slice(0, 4096))))));
            for (int i = 0; i < STEPS; i++) {
                step();
            }
            if (disruption == Disruption.NETWORK_CLOSES) {
                world.close();
            } else {
                isQuiet();
                goOn();
                closeAll();
            }
            assertThat(called)
                    .allSatisfy(
                            verb -> assertThat(verb.end.toCompletableFuture().isDone())
                                    .as(verb.what)
                                    .isTrue());
        }

        private void isQuiet() {
            assertThat(world.runToQuiet(LONG)).as("quiet").isTrue();
        }

        /** Moves queue pairs in SQD or SQE back to RTS. */
        private void goOn() {
            List.of(near, far, unreliable)
                    .forEach(side -> side.forEach(qp -> {
                        if (qp.state() == QpState.SQD || qp.state() == QpState.SQE) {
                            call("go on", qp.modify(QpModify.to(QpState.RTS)));
                        }
                    }));
            isQuiet();
        }

        private void closeAll() {
            if (disruption == Disruption.PROCESS_EXITS) {
                world.await(a.process("app").exit());
            }
            List.of(near, far, unreliable, List.of(srq), standing, grounds, List.of(domain, foreign, context))
                    .forEach(kind -> kind.forEach(handle -> world.await(handle.closeAsync())));
            memories.forEach(HostMemory::close);
            isQuiet();
        }

        private <T> T any(List<T> of) {
            return of.get(chance.nextInt(of.size()));
        }

        private <Q extends QueuePair> Q living(List<Q> side) {
            List<Q> living =
                    side.stream().filter(qp -> qp.state() == QpState.RTS).toList();
            return living.isEmpty() || chance.nextInt(30) == 0 ? any(side) : any(living);
        }

        private void call(String what, CompletionStage<?> end) {
            called.add(new Called(what, end));
        }

        private void step() {
            try {
                int what = chance.nextInt(60);
                if (what < 5 && disruption != Disruption.ADAPTER_CRASHES) {
                    changeRegion(what);
                } else if (what < 12) {
                    closeOrModify(what, living(chance.nextInt(4) == 0 ? far : near));
                } else if (what < 14) {
                    world.runFor(Duration.ofNanos(chance.nextInt(3000)));
                } else if (what < 18) {
                    postReceives(living(far));
                } else if (what < 19) {
                    strike();
                } else if (what < 26) {
                    unreliably();
                } else {
                    submit(living(chance.nextInt(4) == 0 ? far : near));
                }
            } catch (VerbsException refused) {
                // A queue that is full or closed, or a process that exited.
            }
        }

        private void changeRegion(int what) {
            int which = chance.nextInt(OWN);
            MemoryRegion region = regions.get(which);
            if (what == 0) {
                call("deregister", region.deregister());
                domain.register(Registration.of(memories.get(which)).withAccess(ALL))
                        .thenAccept(fresh -> {
                            grounds.add(fresh);
                            regions.set(which, fresh);
                        });
                return;
            }
            Reregistration requested = switch (what) {
                case 1 -> Reregistration.of(Change.ACCESS).withAccess(ALL);
                case 2 -> Reregistration.of(Change.TRANSLATION).withTranslation(any(memories));
                case 3 -> Reregistration.of(Change.DOMAIN).withDomain(chance.nextInt(4) != 0 ? domain : foreign);
                default -> Reregistration.of(Change.TRANSLATION).withTranslation(larger());
            };
            call("reregister", region.reregister(requested));
        }

        private HostMemory larger() {
            HostMemory larger = a.process("app").allocate(4096L * (1 + chance.nextInt(8)));
            memories.add(larger);
            return larger;
        }

        private void closeOrModify(int what, RcQueuePair qp) {
            switch (what) {
                case 5 -> {
                    int which = chance.nextInt(windows.size());
                    call("deallocate", windows.get(which).deallocate());
                    domain.allocateWindow(windows.get(which).type()).thenAccept(fresh -> {
                        standing.add(fresh);
                        windows.set(which, fresh);
                    });
                }
                case 6 -> {
                    int which = chance.nextInt(keys.size());
                    call("close", keys.get(which).closeAsync());
                    indirectKey().thenAccept(fresh -> {
                        standing.add(fresh);
                        keys.set(which, fresh);
                    });
                }
                case 7 -> call("modify", qp.modify(QpModify.to(QpState.ERR)));
                case 8 -> call("modify", qp.modify(QpModify.to(QpState.RESET)));
                case 9 -> call("destroy", qp.destroy());
                case 10 -> call("modify", qp.modify(QpModify.to(QpState.SQD)));
                default -> call("modify", qp.modify(QpModify.to(QpState.RTS)));
            }
        }

        private void postReceives(RcQueuePair qp) {
            for (int i = 0; i < 4; i++) {
                if (sharing.contains(qp)) {
                    srq.postReceive(Receive.of(i, slice()));
                } else {
                    qp.postReceive(Receive.of(i, slice()));
                }
            }
        }

        private void strike() {
            switch (disruption) {
                case NONE, LOSS, NETWORK_CLOSES -> {}
                case TRANSLATORS_CRASH -> world.faults().now().crash(new CrashTarget.TranslatorOf("a", key()));
                case ADAPTER_CRASHES -> world.faults().now().crash(a);
                case PROCESS_EXITS -> call("exit", a.process("app").exit());
            }
        }

        private void unreliably() {
            UcQueuePair qp = any(unreliable);
            if (chance.nextInt(8) == 0) {
                call("modify", qp.modify(QpModify.to(any(List.of(QpState.ERR, QpState.RESET, QpState.SQD)))));
            } else if (work() instanceof UcWork work) {
                call("request", isByVerb(work) ? byVerb((BindWindow) work, qp::submitBind) : qp.submit(work));
            }
        }

        private void submit(RcQueuePair qp) {
            RcWork work = work();
            CompletionStage<WorkCompletion> end =
                    isByVerb(work) ? byVerb((BindWindow) work, qp::submitBind) : qp.submit(work);
            call("request", end);
            if (work instanceof BindWindow bind) {
                // So that others may bind it again.
                end.whenComplete((done, refused) -> {
                    if (refused != null || !done.isSuccess()) {
                        bind.window().ifPresent(window -> window.restore(bind.key()));
                    }
                });
            }
        }

        // rule window-post
        /** True for a bind by the verb, which is not a request. */
        private static boolean isByVerb(WorkRequest work) {
            return work instanceof BindWindow bind && bind.type() == WindowType.TYPE_1;
        }

        private static CompletionStage<WorkCompletion> byVerb(BindWindow bind, VerbOfType1 verb) {
            return verb.bind(
                    bind.id(), bind.window().orElseThrow(), bind.binding().orElseThrow());
        }

        private RcWork work() {
            return switch (chance.nextInt(14)) {
                case 0, 1, 2 -> BindWindow.of(1, any(windows), binding());
                case 3 -> LocalInvalidate.of(2, key());
                case 4, 5, 6 -> fill(any(keys), layout());
                case 7 -> Send.of(4, slice());
                case 8 -> Send.of(5, slice()).withInvalidate(key());
                case 9, 10 -> RdmaWrite.of(6, slice(), remote());
                case 11 -> RdmaRead.of(7, slice(), remote());
                case 12 -> FetchAdd.of(8, regions.getFirst().slice(0, 8), remote(), 1);
                default -> RdmaWrite.of(9, slice(), remote()).withFence();
            };
        }

        private static FillKey fill(IndirectKey key, KeyLayout layout) {
            return FillKey.of(3, key, layout).withAccess(AccessFlags.LOCAL_AND_REMOTE);
        }

        private WindowBinding binding() {
            return chance.nextInt(8) == 0
                    ? WindowBinding.NOTHING
                    : WindowBinding.of(ours()).withAccess(ALL);
        }

        private MemoryRegion ours() {
            return any(regions.subList(0, OWN));
        }

        /** Returns a key, mostly one that can be invalidated. */
        private int key() {
            return switch (chance.nextInt(10)) {
                case 0 -> any(regions).lkey();
                case 1, 2 -> any(windows).rkey();
                default -> any(keys).rkey();
            };
        }

        private LocalSlice slice() {
            if (chance.nextInt(3) == 0) {
                int max = chance.nextInt(5) == 0 ? 3000 : 100;
                return any(keys).slice(chance.nextInt(64), 1 + chance.nextInt(max));
            }
            MemoryRegion region = ours();
            return new LocalSlice(region.lkey(), region.address() + chance.nextInt(2000), 1 + chance.nextInt(3000));
        }

        private RemoteAddress remote() {
            return switch (chance.nextInt(3)) {
                case 0 -> any(keys).remote(chance.nextInt(64));
                case 1 -> any(windows).remote(ours().address() + chance.nextInt(100));
                default -> any(regions).remote(chance.nextInt(1000));
            };
        }

        /** Returns a layout of keys of both kinds, possibly including the key itself. */
        private KeyLayout layout() {
            List<LocalSlice> slices = new ArrayList<>();
            for (int i = chance.nextInt(1, 5); i > 0; i--) {
                slices.add(
                        chance.nextBoolean()
                                ? any(keys).slice(chance.nextInt(8), chance.nextInt(200))
                                : ours().slice(0, 1 + chance.nextInt(2000)));
            }
            return KeyLayout.list(slices);
        }
    }
}
