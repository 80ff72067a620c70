// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.time.Duration;
import org.hcaactors.actors.key.DomainKey;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QueuePairEndpoint;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.fabric.link.LinkProperties;

/** A sentence about a moment: what happens then. */
public final class TimedFaults {
    /** Pauses of a slow subscriber. */
    public static final int MAX_PAUSES = 1000;

    private final Faults faults;
    private final Duration at;

    TimedFaults(Faults faults, Duration at) {
        this.faults = faults;
        this.at = at;
    }

    /** Pulls the cable for good. */
    public void unplug(Adapter adapter) {
        unplug(adapter, Interval.FOR_EVER);
    }

    public void unplug(Adapter adapter, Duration down) {
        faults.arm(new Fault.LinkDown(at, adapter.name(), down));
    }

    /** From then on, and for that long, nothing passes between these adapters and all others. */
    public void partition(Duration time, Adapter... oneSide) {
        faults.arm(new Fault.OnPackets(
                PacketMatch.packet().across(oneSide),
                new Trigger.Always(),
                new Interval(at, at.plus(time)),
                new PacketAction.Drop()));
    }

    /** Another latency and bandwidth. */
    public void link(Adapter adapter, LinkProperties link) {
        faults.arm(new Fault.LinkChange(at, adapter.name(), link));
    }

    /** A queue pair, or what is asked over XRC or DC; VerbsException (EINVAL) of a {@code DcTarget} that is not open. */
    public void crash(Adapter adapter, QueuePairEndpoint end) {
        crash(new CrashTarget.QueuePairOf(adapter.name(), end.number()));
    }

    public void crash(Adapter adapter, CompletionQueue cq) {
        crash(new CrashTarget.CompletionQueueOf(adapter.name(), cq.number()));
    }

    public void crash(Adapter adapter, SharedReceiveQueue srq) {
        crash(new CrashTarget.SharedReceivesOf(adapter.name(), srq.number()));
    }

    /** The translator of the region's key. */
    public void crash(Adapter adapter, MemoryRegion region) {
        crash(new CrashTarget.TranslatorOf(adapter.name(), region.lkey()));
    }

    /** The translator of the window's key, whatever it is bound to. */
    public void crash(Adapter adapter, MemoryWindow window) {
        crash(new CrashTarget.TranslatorOf(adapter.name(), window.rkey()));
    }

    /** The translator of the indirect key. */
    public void crash(Adapter adapter, IndirectKey key) {
        crash(new CrashTarget.TranslatorOf(adapter.name(), key.lkey()));
    }

    public void crash(Adapter adapter) {
        crash(new CrashTarget.AdapterItself(adapter.name()));
    }

    public void crash(CrashTarget victim) {
        faults.arm(new Fault.Crash(at, victim));
    }

    /** The machine behind the adapter loses power and has it again after {@code off}, with nothing left of its processes. */
    public void powerCycle(Adapter adapter, Duration off) {
        faults.arm(new Fault.PowerCycle(at, adapter.name(), off));
    }

    /** Ends a thread that completion queues wake: they interrupt from then on. */
    public void endWaiter(Adapter adapter, Waiter waiter) {
        faults.arm(new Fault.EndWaiter(at, adapter.name(), waiter.number()));
    }

    /** The notify unit of the adapter's host is off for that long: firmware interrupts instead. */
    public void turnNotifyUnitOff(Adapter adapter, Duration off) {
        faults.arm(new Fault.NotifyOff(at, adapter.name(), off));
    }

    /** The programs on the adapter's host take no step for that long; the adapter goes on. */
    public void pause(Adapter adapter, Duration time) {
        faults.arm(new Fault.Pause(at, adapter.name(), time));
    }

    /** For that long each step of the programs on the adapter's host comes up to {@code max} later. */
    public void slow(Adapter adapter, Duration max, Duration time) {
        faults.arm(new Fault.Slow(at, adapter.name(), max, time));
    }

    /** The queue pair answers RNR NAK to that many of the next messages, as if it had no receive; UC and UD lose them. */
    public void answerRnr(Adapter adapter, QueuePairEndpoint qp, int times) {
        faults.arm(new Fault.WithholdReceives(at, adapter.name(), qp.number(), times));
    }

    /** Ends a process. */
    public void kill(Adapter adapter, String process) {
        faults.arm(new Fault.Kill(at, adapter.name(), process));
    }

    /** The host takes the pages of so many bytes, {@code offset} bytes into a memory of the context's process; what is pinned stays. */
    public void evict(DeviceContext context, HostMemory memory, long offset, long lengthBytes) {
        faults.arm(new Fault.Evict(
                at, context.adapter().name(), context.process().name(), memory.address() + offset, lengthBytes));
    }

    /** The host takes all pages of a memory. */
    public void evict(DeviceContext context, HostMemory memory) {
        evict(context, memory, 0, memory.lengthBytes());
    }

    /**
     * The adapter's host runs out of contiguous memory: from then on no free block is larger, whatever is freed.
     *
     * @param largestBlock bytes, a power of two from 4 KiB to 8 MiB, or IllegalArgumentException
     */
    public void fragment(Adapter adapter, long largestBlock) {
        faults.arm(new Fault.Fragment(at, adapter.name(), largestBlock));
    }

    /**
     * The host takes the pages behind a part of a region, by the addresses under its key; where it is no region {@linkplain
     * Registration#onDemand on demand}, they are pinned and stay. IllegalArgumentException for what is not all in the region.
     */
    public void evict(MemoryRegion region, LocalSlice range) {
        long offset = range.address() - region.address();
        if (range.lkey() != region.lkey() || offset < 0 || range.lengthBytes() > region.lengthBytes() - offset) {
            throw new IllegalArgumentException("evict %s, which is not all in %s".formatted(range, region.describe()));
        }
        evict(region, offset, range.lengthBytes());
    }

    /** The host takes all pages behind a region. */
    public void evict(MemoryRegion region) {
        evict(region, 0, region.lengthBytes());
    }

    private void evict(MemoryRegion region, long offset, long lengthBytes) {
        DeviceContext context = contextOf(region);
        faults.arm(new Fault.Evict(
                at, context.adapter().name(), context.process().name(), region.processAddress() + offset, lengthBytes));
    }

    private static DeviceContext contextOf(MemoryRegion region) {
        if (region instanceof DomainKey known && known.owner() instanceof DeviceContext context) {
            return context;
        }
        throw new IllegalArgumentException(region.describe() + " is of no adapter");
    }

    /** The subscriber of that queue's completions takes nothing for that long. */
    public void stallSubscriber(Adapter adapter, CompletionQueue cq, Duration time) {
        faults.arm(new Fault.StallSubscriber(at, adapter.name(), cq.number(), time));
    }

    /**
     * For that long, the subscriber takes something only once in each {@code pause}.
     *
     * @param pause at least 2 ns; {@code time} may hold at most {@value #MOST_PAUSES} of them
     */
    public void slowSubscriber(Adapter adapter, CompletionQueue cq, Duration pause, Duration time) {
        long pauses = pause.toNanos() < 2 ? 0 : time.toNanos() / pause.toNanos();
        if (pauses < 1 || pauses > MAX_PAUSES) {
            throw new IllegalArgumentException("a pause of " + pause + " for " + time + "; 1 to " + MAX_PAUSES
                    + " pauses of at least 2 ns are allowed");
        }
        for (long i = 0; i < pauses; i++) {
            Duration begins = at.plus(pause.multipliedBy(i));
            faults.arm(new Fault.StallSubscriber(begins, adapter.name(), cq.number(), pause.minusNanos(1)));
        }
    }
}
