// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.time.Duration;
import org.hcaactors.api.device.MemoryNode;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.fabric.link.LinkProperties;

/** One fault, as data: it can be printed, stored and repeated. */
public sealed interface Fault {
    /** Returns a readable text: {@code drop the 1st ACK from b}. */
    String words();

    /** Returns a text that stays the same where words change: random numbers are drawn by it. */
    default String key() {
        return words();
    }

    /** Returns the same fault, shifted by that time if it strikes at a moment. */
    default Fault later(Duration by) {
        return switch (this) {
            case OnPackets packets -> packets;
            case OnVerbs verbs -> verbs;
            case LoseWakeup lost -> lost;
            case Drawn drawn -> drawn;
            case LinkDown f -> new LinkDown(f.at.plus(by), f.adapter, f.down);
            case LinkChange f -> new LinkChange(f.at.plus(by), f.adapter, f.link);
            case Crash f -> new Crash(f.at.plus(by), f.victim);
            case PowerCycle f -> new PowerCycle(f.at.plus(by), f.adapter, f.off);
            case WithholdReceives f -> new WithholdReceives(f.at.plus(by), f.adapter, f.qp, f.messages);
            case Kill f -> new Kill(f.at.plus(by), f.adapter, f.process);
            case Evict f -> new Evict(f.at.plus(by), f.adapter, f.process, f.address, f.lengthBytes);
            case Fragment f -> new Fragment(f.at.plus(by), f.adapter, f.largestBlock);
            case EndWaiter f -> new EndWaiter(f.at.plus(by), f.adapter, f.waiter);
            case NotifyOff f -> new NotifyOff(f.at.plus(by), f.adapter, f.off);
            case Pause f -> new Pause(f.at.plus(by), f.adapter, f.paused);
            case Slow f -> new Slow(f.at.plus(by), f.adapter, f.max, f.slowed);
            case StallSubscriber f -> new StallSubscriber(f.at.plus(by), f.adapter, f.cq, f.stalled);
        };
    }

    /** Returns the kind; for a drawn fault, the kind of the fault that it becomes. */
    default FaultKind kind() {
        return switch (this) {
            case OnPackets packets -> packets.action.kind();
            case LinkDown down -> FaultKind.UNPLUG;
            case LinkChange change -> FaultKind.LINK;
            case Crash crash -> FaultKind.CRASH;
            case PowerCycle cycle -> FaultKind.POWER_CYCLE;
            case WithholdReceives starve -> FaultKind.STARVE;
            case Kill kill -> FaultKind.KILL;
            case Evict evict -> FaultKind.EVICT;
            case Fragment pieces -> FaultKind.FRAGMENT;
            case EndWaiter thread -> FaultKind.END_WAITER;
            case NotifyOff unit -> FaultKind.NOTIFY_OFF;
            case Pause pause -> FaultKind.PAUSE;
            case Slow slow -> FaultKind.SLOW;
            case OnVerbs verbs -> FaultKind.FAIL_VERB;
            case LoseWakeup lost -> FaultKind.LOSE_WAKEUP;
            case StallSubscriber stall -> FaultKind.STALL_SUBSCRIBER;
            case Drawn drawn -> drawn.what.kind();
        };
    }

    /** A fault on packets. */
    record OnPackets(PacketMatch match, Trigger trigger, Interval moments, PacketAction action) implements Fault {
        @Override
        public String words() {
            return action.words() + which();
        }

        @Override
        public String key() {
            return action.key() + which();
        }

        private String which() {
            String which = switch (trigger) {
                case Trigger.Always always -> match.toString();
                case Trigger.Nth nth -> nth.words() + " " + (match.conditions().isEmpty() ? "packet" : match);
                case Trigger.First first -> first.words() + " " + match;
                case Trigger.Every every -> match + " " + every.words();
                case Trigger.Chance chance -> match + " " + chance.words();
            };
            return " " + which + moments.words();
        }
    }

    // rule post-verb-errno
    /**
     * Refuses a verb before it has any effect.
     *
     * @param errno of the refusal; IllegalArgumentException if one of the verbs cannot fail with it
     */
    record OnVerbs(VerbMatch match, Trigger trigger, Interval moments, Errno errno) implements Fault {
        public OnVerbs {
            match.check(errno);
        }

        @Override
        public String words() {
            String with = " with " + errno;
            String which = switch (trigger) {
                case Trigger.Always always -> match + with + " every time";
                case Trigger.Nth nth -> nth.words() + " " + match + with;
                case Trigger.First first -> first.words() + " " + match + with;
                case Trigger.Every every -> match + with + " " + every.words();
                case Trigger.Chance chance -> match + with + " " + chance.words();
            };
            return "fail " + which + moments.words();
        }

        /** Returns the fault for the n-th matching call only. */
        OnVerbs nth(long n) {
            return new OnVerbs(match, new Trigger.Nth(n), moments, errno);
        }
    }

    /** A fault at a moment of the world's clock. */
    sealed interface AtMoment extends Fault {
        Duration at();

        /** Returns the name of the adapter that it strikes. */
        String adapter();
    }

    /** Takes the link down, and up again after {@code down}; {@link Interval#FOR_EVER} leaves it down. */
    record LinkDown(Duration at, String adapter, Duration down) implements AtMoment {
        @Override
        public String words() {
            return "unplug " + adapter + " at " + at.toNanos() + " ns"
                    + (down.equals(Interval.FOR_EVER) ? "" : " for " + down.toNanos() + " ns");
        }
    }

    /** Changes the properties of the link. */
    record LinkChange(Duration at, String adapter, LinkProperties link) implements AtMoment {
        @Override
        public String words() {
            return "link of " + adapter + " at " + at.toNanos() + " ns: latency " + link.latencyNanos() + " ns, "
                    + link.bitsPerSecond() + " bit/s";
        }
    }

    /** An actor throws while it handles a message. */
    record Crash(Duration at, CrashTarget victim) implements AtMoment {
        @Override
        public String adapter() {
            return victim.adapter();
        }

        @Override
        public String words() {
            return "crash " + victim.name() + " at " + at.toNanos() + " ns";
        }
    }

    /**
     * The host of an adapter loses power: its processes end, and packets in flight to and from it are lost. After {@code off}
     * the port is up again, with no processes behind it.
     */
    record PowerCycle(Duration at, String adapter, Duration off) implements AtMoment {
        @Override
        public String words() {
            return "power off " + adapter + " at " + at.toNanos() + " ns for " + off.toNanos() + " ns";
        }
    }

    /** The next {@code messages} messages find no receive: RC answers RNR NAK, UC and UD lose them. */
    record WithholdReceives(Duration at, String adapter, int qp, int messages) implements AtMoment {
        public WithholdReceives {
            if (messages < 1) {
                throw new IllegalArgumentException(
                        "messages without a receive are " + messages + "; at least 1 is allowed");
            }
        }

        @Override
        public String words() {
            return "no receive for " + messages + " messages to " + adapter + "/qp" + qp + " from " + at.toNanos()
                    + " ns on";
        }
    }

    /** Kills a process; its adapter closes the objects that it left open. */
    record Kill(Duration at, String adapter, String process) implements AtMoment {
        @Override
        public String words() {
            return "kill " + adapter + "/" + process + " at " + at.toNanos() + " ns";
        }
    }

    // rule paging-host
    /**
     * The host of an adapter evicts pages of a process; pinned pages stay.
     *
     * @param address in the process
     */
    record Evict(Duration at, String adapter, String process, long address, long lengthBytes) implements AtMoment {
        public Evict {
            if (address < 0 || lengthBytes < 1 || address + lengthBytes < 0) {
                throw new IllegalArgumentException(
                        "the range to evict has %d bytes at 0x%x; at least 1 byte, which ends below 2^63, is allowed"
                                .formatted(lengthBytes, address));
            }
        }

        @Override
        public String words() {
            String what = lengthBytes == Long.MAX_VALUE ? "all" : "%d bytes at 0x%x".formatted(lengthBytes, address);
            return "evict %s of %s/%s at %d ns".formatted(what, adapter, process, at.toNanos());
        }
    }

    // rule pages-fragment
    /**
     * Fragments the memory of an adapter's host: from then on no free block is larger.
     *
     * @param largestBlock bytes, a power of two from 4 KiB to 8 MiB
     */
    record Fragment(Duration at, String adapter, long largestBlock) implements AtMoment {
        private static final long MIN = 1L << PageLayout.MIN_ORDER;
        private static final long MAX = 1L << MemoryNode.MAX_ORDER;

        public Fragment {
            if (Long.bitCount(largestBlock) != 1 || largestBlock < MIN || largestBlock > MAX) {
                throw new IllegalArgumentException("the largest block has " + largestBlock
                        + " bytes; a power of two from 4 KiB to 8 MiB is allowed");
            }
        }

        /** Returns log2 of its bytes. */
        int order() {
            return Long.numberOfTrailingZeros(largestBlock);
        }

        @Override
        public String words() {
            return "fragment the memory of %s into blocks of at most %d KiB at %d ns"
                    .formatted(adapter, largestBlock >> 10, at.toNanos());
        }
    }

    /** Ends a thread of the host that completion queues wake; from then on they raise interrupts. */
    record EndWaiter(Duration at, String adapter, int waiter) implements AtMoment {
        @Override
        public String words() {
            return "end " + adapter + "/waiter" + waiter + " at " + at.toNanos() + " ns";
        }
    }

    /** The host's notify unit delivers no notifications for that time: firmware raises interrupts. */
    record NotifyOff(Duration at, String adapter, Duration off) implements AtMoment {
        @Override
        public String words() {
            return "notify unit of " + adapter + " off at " + at.toNanos() + " ns"
                    + (off.equals(Interval.FOR_EVER) ? "" : " for " + off.toNanos() + " ns");
        }
    }

    /**
     * Pauses the programs on an adapter's host for that time, as during a garbage collection or when other processes use the
     * CPUs. The adapter continues. Results for the programs are delivered when they continue, and timers of their executors and
     * requests are late. Code that runs on an adapter's thread on request is not paused.
     */
    record Pause(Duration at, String adapter, Duration paused) implements AtMoment {
        @Override
        public String words() {
            return "pause the programs of " + adapter + " at " + at.toNanos() + " ns"
                    + (paused.equals(Interval.FOR_EVER) ? "" : " for " + paused.toNanos() + " ns");
        }
    }

    /**
     * Slows the programs on an adapter's host for a time: each of their steps is late by a random time, as with descheduled
     * threads and slow handlers.
     *
     * @param max maximum delay of one step: at most a second
     */
    record Slow(Duration at, String adapter, Duration max, Duration slowed) implements AtMoment {
        /** Upper limit of the maximum delay of a step. */
        public static final Duration LATEST = Duration.ofSeconds(1);

        public Slow {
            if (max.compareTo(LATEST) > 0) {
                throw new IllegalArgumentException(
                        "the maximum delay of a step is " + max + "; at most " + LATEST + " is allowed");
            }
        }

        @Override
        public String words() {
            return "slow the programs of " + adapter + " by up to " + max.toNanos() + " ns a step at " + at.toNanos()
                    + " ns" + (slowed.equals(Interval.FOR_EVER) ? "" : " for " + slowed.toNanos() + " ns");
        }
    }

    /** Loses a notification of a completion queue, to its channel or its thread. */
    record LoseWakeup(String adapter, int cq, Trigger trigger) implements Fault {
        @Override
        public String words() {
            return "lose " + trigger.words() + " wake-up of " + adapter + "/cq" + cq;
        }
    }

    /**
     * A fault for each adapter or process, of any name, that exists or is created while it is armed. Each is struck
     * independently, up to {@value #MAX_STRIKES} times: 1 us to 1 s after it was created, or soon after one of the first 1000
     * packets from or to its adapter. A strike has no effect if its target has no such object then.
     *
     * @param probability that a target is struck, and that a target that was struck is struck once more
     * @param lot random number that determines when and how each is struck: the same in a repeated run
     */
    record Drawn(What what, double probability, long lot) implements Fault {
        /** Maximum number of strikes of one adapter or process. */
        public static final int MAX_STRIKES = 4;

        public Drawn {
            if (!(probability >= 0 && probability <= 1)) {
                throw new IllegalArgumentException("the probability is " + probability + "; 0 to 1 is allowed");
            }
        }

        /** The fault that it becomes. Later versions may add more. */
        public enum What {
            /** {@link LinkDown}. */
            UNPLUG("unplug adapters", FaultKind.UNPLUG),
            /** {@link WithholdReceives} of one of an adapter's queue pairs. */
            STARVE("withhold receives of adapters", FaultKind.STARVE),
            /** {@link Evict}. */
            EVICT("evict pages of processes", FaultKind.EVICT),
            /** {@link Fragment}. */
            FRAGMENT("fragment the memory of adapters", FaultKind.FRAGMENT),
            /**
             * {@link Crash} of an adapter, or of one of its queue pairs, completion queues, shared receive queues and memory
             * keys.
             */
            CRASH("crash adapters or parts of them", FaultKind.CRASH),
            /** {@link PowerCycle}. */
            POWER_CYCLE("power off adapters", FaultKind.POWER_CYCLE),
            /** {@link Kill}. */
            KILL("kill processes", FaultKind.KILL),
            /** {@link EndWaiter}. */
            END_WAITER("end threads of adapters", FaultKind.END_WAITER),
            /** {@link NotifyOff}. */
            NOTIFY_OFF("turn off notify units of adapters", FaultKind.NOTIFY_OFF),
            /** {@link Pause}. */
            PAUSE("pause the programs of adapters' hosts", FaultKind.PAUSE),
            /** {@link Slow}. */
            SLOW("slow the programs of adapters' hosts", FaultKind.SLOW);

            private final String words;
            private final FaultKind kind;

            What(String words, FaultKind kind) {
                this.words = words;
                this.kind = kind;
            }

            FaultKind kind() {
                return kind;
            }

            /** True if it strikes processes, not adapters. */
            boolean isOfProcesses() {
                return this == EVICT || this == KILL;
            }
        }

        @Override
        public String words() {
            return "%s on arrival with probability %s, random stream %d".formatted(what.words, probability, lot);
        }
    }

    /** Stalls the subscriber of a completion queue for a time: no demand, no elements taken. */
    record StallSubscriber(Duration at, String adapter, int cq, Duration stalled) implements AtMoment {
        @Override
        public String words() {
            return "stall the subscriber of " + adapter + "/cq" + cq + " at " + at.toNanos() + " ns for "
                    + stalled.toNanos() + " ns";
        }
    }
}
