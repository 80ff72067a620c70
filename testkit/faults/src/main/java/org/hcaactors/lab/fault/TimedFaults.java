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

/** Builder of a fault at a moment; each call arms one. */
public final class TimedFaults {
    /** Maximum number of pauses of a slow subscriber. */
    public static final int MAX_PAUSES = 1000;

    private final Faults faults;
    private final Duration at;

    TimedFaults(Faults faults, Duration at) {
        this.faults = faults;
        this.at = at;
    }

    /** Takes the link down permanently. */
    public void unplug(Adapter adapter) {
        unplug(adapter, Interval.FOR_EVER);
    }

    public void unplug(Adapter adapter, Duration down) {
        faults.arm(new Fault.LinkDown(at, adapter.name(), down));
    }

    /** Drops all packets between these adapters and all others for that time. */
    public void partition(Duration time, Adapter... oneSide) {
        faults.arm(new Fault.OnPackets(
                PacketMatch.packet().across(oneSide),
                new Trigger.Always(),
                new Interval(at, at.plus(time)),
                new PacketAction.Drop()));
    }

    /** Changes latency, bandwidth and other properties of the link. */
    public void link(Adapter adapter, LinkProperties link) {
        faults.arm(new Fault.LinkChange(at, adapter.name(), link));
    }

    /**
     * Crashes a queue pair, or an XRC or DC target.
     *
     * @throws org.hcaactors.api.error.VerbsException EINVAL for a {@code DcTarget} that is not open
     */
    public void crash(Adapter adapter, QueuePairEndpoint end) {
        crash(new CrashTarget.QueuePairOf(adapter.name(), end.number()));
    }

    public void crash(Adapter adapter, CompletionQueue cq) {
        crash(new CrashTarget.CompletionQueueOf(adapter.name(), cq.number()));
    }

    public void crash(Adapter adapter, SharedReceiveQueue srq) {
        crash(new CrashTarget.SharedReceivesOf(adapter.name(), srq.number()));
    }

    /** Crashes the translator of the region's key. */
    public void crash(Adapter adapter, MemoryRegion region) {
        crash(new CrashTarget.TranslatorOf(adapter.name(), region.lkey()));
    }

    /** Crashes the translator of the window's key, bound or not. */
    public void crash(Adapter adapter, MemoryWindow window) {
        crash(new CrashTarget.TranslatorOf(adapter.name(), window.rkey()));
    }

    /** Crashes the translator of the indirect key. */
    public void crash(Adapter adapter, IndirectKey key) {
        crash(new CrashTarget.TranslatorOf(adapter.name(), key.lkey()));
    }

    public void crash(Adapter adapter) {
        crash(new CrashTarget.AdapterItself(adapter.name()));
    }

    public void crash(CrashTarget victim) {
        faults.arm(new Fault.Crash(at, victim));
    }

    /** Cuts the power of the adapter's host and restores it after {@code off}; its processes are gone. */
    public void powerCycle(Adapter adapter, Duration off) {
        faults.arm(new Fault.PowerCycle(at, adapter.name(), off));
    }

    /** Ends a thread that completion queues wake: they raise interrupts from then on. */
    public void endWaiter(Adapter adapter, Waiter waiter) {
        faults.arm(new Fault.EndWaiter(at, adapter.name(), waiter.number()));
    }

    /** Disables the notify unit of the adapter's host for that time: firmware raises interrupts instead. */
    public void turnNotifyUnitOff(Adapter adapter, Duration off) {
        faults.arm(new Fault.NotifyOff(at, adapter.name(), off));
    }

    /** Pauses the programs on the adapter's host for that time; the adapter continues. */
    public void pause(Adapter adapter, Duration time) {
        faults.arm(new Fault.Pause(at, adapter.name(), time));
    }

    /** Delays each step of the programs on the adapter's host by up to {@code max} for that time. */
    public void slow(Adapter adapter, Duration max, Duration time) {
        faults.arm(new Fault.Slow(at, adapter.name(), max, time));
    }

    /** Withholds receives from the given number of next messages: the queue pair answers RNR NAK; UC and UD lose them. */
    public void answerRnr(Adapter adapter, QueuePairEndpoint qp, int times) {
        faults.arm(new Fault.WithholdReceives(at, adapter.name(), qp.number(), times));
    }

    /** Kills a process. */
    public void kill(Adapter adapter, String process) {
        faults.arm(new Fault.Kill(at, adapter.name(), process));
    }

    /** Evicts the pages of a range, {@code offset} bytes into a memory of the context's process; pinned pages stay. */
    public void evict(DeviceContext context, HostMemory memory, long offset, long lengthBytes) {
        faults.arm(new Fault.Evict(
                at, context.adapter().name(), context.process().name(), memory.address() + offset, lengthBytes));
    }

    /** Evicts all pages of a memory. */
    public void evict(DeviceContext context, HostMemory memory) {
        evict(context, memory, 0, memory.lengthBytes());
    }

    /**
     * Fragments the memory of the adapter's host: from then on no free block is larger, even if memory is freed.
     *
     * @param largestBlock bytes, a power of two from 4 KiB to 8 MiB
     * @throws IllegalArgumentException for another size
     */
    public void fragment(Adapter adapter, long largestBlock) {
        faults.arm(new Fault.Fragment(at, adapter.name(), largestBlock));
    }

    /**
     * Evicts the pages of a part of a region, by the addresses under its key; unless the region is registered {@linkplain
     * Registration#withOnDemandPaging on demand}, its pages are pinned and stay.
     *
     * @throws IllegalArgumentException if the range is not all in the region
     */
    public void evict(MemoryRegion region, LocalSlice range) {
        long offset = range.address() - region.address();
        if (range.lkey() != region.lkey() || offset < 0 || range.lengthBytes() > region.lengthBytes() - offset) {
            throw new IllegalArgumentException(
                    "the range to evict, %s, is not completely within %s".formatted(range, region.describe()));
        }
        evict(region, offset, range.lengthBytes());
    }

    /** Evicts all pages of a region. */
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
        throw new IllegalArgumentException(region.describe() + " is not a region of an adapter");
    }

    /** Stalls the subscriber of that queue's completions for that time. */
    public void stallSubscriber(Adapter adapter, CompletionQueue cq, Duration time) {
        faults.arm(new Fault.StallSubscriber(at, adapter.name(), cq.number(), time));
    }

    /**
     * Slows the subscriber for that time: it takes completions only once in each {@code pause}.
     *
     * @param pause at least 2 ns; {@code time} may contain at most {@value #MAX_PAUSES} of them
     */
    public void slowSubscriber(Adapter adapter, CompletionQueue cq, Duration pause, Duration time) {
        long pauses = pause.toNanos() < 2 ? 0 : time.toNanos() / pause.toNanos();
        if (pauses < 1 || pauses > MAX_PAUSES) {
            throw new IllegalArgumentException("the pause is " + pause + " within " + time + "; 1 to " + MAX_PAUSES
                    + " pauses of at least 2 ns are allowed");
        }
        for (long i = 0; i < pauses; i++) {
            Duration begins = at.plus(pause.multipliedBy(i));
            faults.arm(new Fault.StallSubscriber(begins, adapter.name(), cq.number(), pause.minusNanos(1)));
        }
    }
}
