// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.access;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Credentials;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;
import org.hcaactors.tests.setup.SparseProgram;

/** One use of one key, with one mistake, in a world of its own. */
final class Trial implements AutoCloseable {
    static final int LENGTH = 1 << 14;
    private static final int OFFSET = 1 << 14;
    private static final int MEMORY = 3 << 14;
    private static final long PROGRAM = 0x55AA_0000_0000L;
    private static final int NO_KEY = 0xDEAD_BE00;
    private static final Shape SHAPE = Shape.DEFAULT.withMemoryBytes(MEMORY);

    /** 130 microseconds for a long message. */
    private static final LinkProperties SLOW = LinkProperties.of(1000, 1_000_000_000L);

    /** Time after which the first packets of a long message have arrived, and the last have not. */
    private static final Duration INTO_IT = Duration.ofNanos(60_000);

    private final KeyKind kind;
    private final Use use;
    private final Wrong wrong;
    private final World world = World.of(7);
    private final RcEnd initiator;
    private final RcEnd asked;

    /** Contents of the part when the revocation completed. */
    private byte[] atRevocation = {};

    /** Maker of an end's memory, of {@link #MEMORY} bytes. */
    interface Ground {
        Side of(World world, Adapter adapter);
    }

    /** Allocates the memory in the JVM. */
    static Side allocated(World world, Adapter adapter) {
        adapter.process("app", Credentials.ROOT); // only root may register physical addresses
        return Side.of(world.network(), adapter, "app", MEMORY);
    }

    // rule memory-program
    /** Maps memory of a program. */
    static Side ofAProgram(World world, Adapter adapter) {
        HostProcess process = adapter.process("app", new SparseProgram().map(PROGRAM, MEMORY));
        ProtectionDomain domain = process.open().allocatePd();
        HostMemory memory = process.mapAt(PROGRAM, MEMORY);
        MemoryRegion region =
                world.await(domain.register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
        return new Side(adapter, domain.context(), domain, memory, region);
    }

    Trial(KeyKind kind, Use use, Wrong wrong, Profile profile, Ground ground) {
        this.kind = kind;
        this.use = use;
        this.wrong = wrong;
        Ends<RcEnd> ends = RcEnd.connect(
                world.network(), half("a", profile, ground), half("b", profile, ground), SHAPE.attributes());
        initiator = ends.a();
        asked = ends.b();
        mark(initiator);
        mark(asked);
    }

    private Half half(String name, Profile profile, Ground ground) {
        Adapter adapter = world.network().addAdapter(name, profile, SLOW);
        return Half.on(ground.of(world, adapter))
                .withCapacity(SHAPE.capacity())
                .withQueues(world.network(), SHAPE.cqEntries())
                .withKeyFilling(4);
    }

    private static void mark(RcEnd end) {
        byte[] marks = new byte[MEMORY];
        Arrays.fill(marks, markOf(end));
        end.memory().write(0, marks);
    }

    private static byte markOf(RcEnd end) {
        return (byte) end.adapter().name().charAt(0);
    }

    private RcEnd owner() {
        return use.isOfTheAsker() ? initiator : asked;
    }

    private int length() {
        return use.isOneWord() ? Long.BYTES : wrong == Wrong.REVOKED_DURING ? LENGTH : 512;
    }

    Outcome run() {
        TestKey grip = grip();
        if (wrong == Wrong.REVOKED_BEFORE) {
            world.await(grip.revoke().get());
        }
        int key = key(grip);
        long address = address(grip);
        asked.qp().postReceive(Receive.of(9, receive(key, address)));
        CompletionStage<WorkCompletion> stage = initiator.qp().submit(work(key, address));
        if (wrong == Wrong.REVOKED_DURING) {
            world.runFor(INTO_IT);
            world.await(grip.revoke().get());
            atRevocation = part();
        }
        Status status = world.await(stage).status();
        world.runToQuiet(Duration.ofSeconds(10));
        return new Outcome(status, received(), world.await(asked.qp().query()).state());
    }

    private TestKey grip() {
        RcEnd owner = owner();
        if (wrong == Wrong.OTHER_DOMAIN) {
            ProtectionDomain other = owner.context().allocatePd();
            return new TestKeys(world, other, owner.memory(), stranger(other), OFFSET, LENGTH).make(kind, rights());
        }
        RcQueuePair by = wrong == Wrong.OTHER_QUEUE_PAIR ? stranger(owner.domain()) : owner.qp();
        return new TestKeys(world, owner.domain(), owner.memory(), by, OFFSET, LENGTH).make(kind, rights());
    }

    /** Returns a queue pair not connected with the two. */
    private RcQueuePair stranger(ProtectionDomain domain) {
        return world.await(QpPair.connectRc(
                        domain, QpDescription.rc().withSendCq(owner().sendCq()).withKeyFilling(4),
                        domain, QpDescription.rc().withSendCq(owner().sendCq())))
                .local();
    }

    private AccessFlags rights() {
        AccessFlags all = AccessFlags.LOCAL_AND_REMOTE;
        return wrong == Wrong.NO_RIGHT
                ? use.needs()
                        .map(right -> right == Access.LOCAL_WRITE
                                ? AccessFlags.of(Access.REMOTE_READ)
                                : new AccessFlags(all.bits() & ~right.bit()))
                        .orElse(AccessFlags.NONE)
                : all;
    }

    private int key(TestKey grip) {
        return switch (wrong) {
            case UNKNOWN_KEY -> NO_KEY;
            case OTHER_VARIANT -> grip.key() & 0xFFFF_FF00 | grip.key() + 1 & 0xFF;
            default -> grip.key();
        };
    }

    private long address(TestKey grip) {
        return switch (wrong) {
            case BELOW -> grip.address() - (use.isOneWord() ? Long.BYTES : 1);
            case BEYOND -> grip.address() + LENGTH - length() + (use.isOneWord() ? Long.BYTES : 1);
            default -> grip.address();
        };
    }

    private LocalSlice receive(int key, long address) {
        return use == Use.RECEIVE_INTO ? new LocalSlice(key, address, length()) : asked.slice(0, length());
    }

    private RcWork work(int key, long address) {
        LocalSlice own = initiator.slice(0, length());
        RemoteAddress theirs = asked.remote(0);
        LocalSlice tried = new LocalSlice(key, address, length());
        RemoteAddress there = new RemoteAddress(key, address);
        return switch (use) {
            case SEND_FROM -> Send.of(1, tried);
            case WRITE_FROM -> RdmaWrite.of(1, tried, theirs);
            case READ_INTO -> RdmaRead.of(1, tried, theirs);
            case ATOMIC_INTO -> FetchAdd.of(1, tried, theirs, 1);
            case RECEIVE_INTO -> Send.of(1, own);
            case WRITE_TO -> RdmaWrite.of(1, own, there);
            case READ_OF -> RdmaRead.of(1, own, there);
            case ADD_TO -> FetchAdd.of(1, own, there, 1);
            case SWAP_AT -> CompareAndSwap.of(1, own, there, markedWord(), 2);
        };
    }

    private long markedWord() {
        return 0x0101_0101_0101_0101L * markOf(owner());
    }

    private Optional<Status> received() {
        List<WorkCompletion> all = world.await(asked.recvCq().poll(4));
        return all.stream()
                .map(WorkCompletion::status)
                .filter(status -> status != Status.WR_FLUSH_ERR)
                .findFirst();
    }

    /** True if the owner's memory outside the key's part is unchanged. */
    boolean leftTheRestAlone() {
        byte[] below = owner().memory().read(0, OFFSET);
        byte[] above = owner().memory().read(OFFSET + LENGTH, MEMORY - OFFSET - LENGTH);
        return isMarked(above) && isMarked(below);
    }

    private boolean isMarked(byte[] bytes) {
        byte mark = markOf(owner());
        for (byte each : bytes) {
            if (each != mark) {
                return false;
            }
        }
        return true;
    }

    private byte[] part() {
        return owner().memory().read(OFFSET, LENGTH);
    }

    /** True if nothing was written to the part. */
    boolean leftItAlone() {
        return isMarked(part());
    }

    /** True if nothing was written after the revocation. */
    boolean leftItAsItWasRevoked() {
        return Arrays.equals(atRevocation, part());
    }

    @Override
    public void close() {
        world.close();
    }
}
