// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.time.Duration;
import org.hcaactors.api.device.MemoryNode;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.fabric.link.LinkProperties;

/** One thing that goes wrong: data, so that it can be printed, stored and tried again. */
public sealed interface Fault {
    /** {@code drop the 1st ACK from b}. */
    String words();

    /** The same fault, shifted by that much, if it strikes at a moment. */
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

    /** What it does; of a drawn one, what it becomes. */
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

    /** Something happens to packets. */
    record OnPackets(PacketMatch match, Trigger trigger, Interval moments, PacketAction action) implements Fault {
        @Override
        public String words() {
            String which = switch (trigger) {
                case Trigger.Always always -> match.toString();
                case Trigger.Nth nth -> nth.words() + " " + (match.conditions().isEmpty() ? "packet" : match);
                case Trigger.First first -> first.words() + " " + match;
                case Trigger.Every every -> match + " " + every.words();
                case Trigger.Chance chance -> match + " " + chance.words();
            };
            return action.words() + " " + which + moments.words();
        }
    }

    // rule post-verb-errno
    /**
     * A verb is refused before it has done anything.
     *
     * @param errno with which; IllegalArgumentException where one of the verbs can't answer so
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

        /** The n-th of those calls only. */
        OnVerbs nth(long n) {
            return new OnVerbs(match, new Trigger.Nth(n), moments, errno);
        }
    }

    /** Something happens at a moment of the world's clock. */
    sealed interface AtMoment extends Fault {
        Duration at();

        /** Name of the adapter that it strikes. */
        String adapter();
    }

    /** The cable is pulled, and plugged in again after {@code down}; {@link Interval#FOR_EVER} leaves it out. */
    record LinkDown(Duration at, String adapter, Duration down) implements AtMoment {
        @Override
        public String words() {
            return "unplug " + adapter + " at " + at.toNanos() + " ns"
                    + (down.equals(Interval.FOR_EVER) ? "" : " for " + down.toNanos() + " ns");
        }
    }

    /** The cable gets other properties. */
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
     * The machine behind an adapter loses power: its processes end, what is under way to and from it is lost; after {@code
     * off} the port is there again, with nothing behind it.
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
                throw new IllegalArgumentException("starve " + messages + " messages; at least 1 is allowed");
            }
        }

        @Override
        public String words() {
            return "no receive for " + messages + " messages to " + adapter + "/qp" + qp + " from " + at.toNanos()
                    + " ns on";
        }
    }

    /** A process ends; its adapter closes what it left open. */
    record Kill(Duration at, String adapter, String process) implements AtMoment {
        @Override
        public String words() {
            return "kill " + adapter + "/" + process + " at " + at.toNanos() + " ns";
        }
    }

    // rule paging-host
    /**
     * The host of an adapter takes pages of a process; what is pinned stays.
     *
     * @param address in the process
     */
    record Evict(Duration at, String adapter, String process, long address, long lengthBytes) implements AtMoment {
        public Evict {
            if (address < 0 || lengthBytes < 1 || address + lengthBytes < 0) {
                throw new IllegalArgumentException(
                        "evict %d bytes at 0x%x; 1 and more below 2^63 are allowed".formatted(lengthBytes, address));
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
     * The host of an adapter runs out of contiguous memory: from then on no free block is larger.
     *
     * @param largestBlock bytes, a power of two from 4 KiB to 8 MiB
     */
    record Fragment(Duration at, String adapter, long largestBlock) implements AtMoment {
        private static final long MIN = 1L << PageLayout.MIN_ORDER;
        private static final long MAX = 1L << MemoryNode.MAX_ORDER;

        public Fragment {
            if (Long.bitCount(largestBlock) != 1 || largestBlock < MIN || largestBlock > MAX) {
                throw new IllegalArgumentException(
                        "blocks of " + largestBlock + " bytes; powers of two from 4 KiB to 8 MiB are allowed");
            }
        }

        /** log2 of its bytes. */
        int order() {
            return Long.numberOfTrailingZeros(largestBlock);
        }

        @Override
        public String words() {
            return "fragment the memory of %s into blocks of at most %d KiB at %d ns"
                    .formatted(adapter, largestBlock >> 10, at.toNanos());
        }
    }

    /** A thread of the host that completion queues wake ends; from then on they interrupt. */
    record EndWaiter(Duration at, String adapter, int waiter) implements AtMoment {
        @Override
        public String words() {
            return "end " + adapter + "/waiter" + waiter + " at " + at.toNanos() + " ns";
        }
    }

    /** The host's unit delivers no notifications for that long: firmware interrupts. */
    record NotifyOff(Duration at, String adapter, Duration off) implements AtMoment {
        @Override
        public String words() {
            return "notify unit of " + adapter + " off at " + at.toNanos() + " ns"
                    + (off.equals(Interval.FOR_EVER) ? "" : " for " + off.toNanos() + " ns");
        }
    }

    /**
     * The programs on an adapter's host take no step for that long, as while a collector runs, or while others have the processors. The adapter
     * goes on; what programs were to be told comes when they go on, and timers of their executors and of their requests are late. Code that asked to run
     * on an adapter's thread is not held.
     */
    record Pause(Duration at, String adapter, Duration paused) implements AtMoment {
        @Override
        public String words() {
            return "pause the programs of " + adapter + " at " + at.toNanos() + " ns"
                    + (paused.equals(Interval.FOR_EVER) ? "" : " for " + paused.toNanos() + " ns");
        }
    }

    /**
     * The programs on an adapter's host are slow for a while: each step of theirs comes up to that much later, as by threads that were descheduled and
     * by handlers that take their time.
     *
     * @param max what one step may be late: a second at most
     */
    record Slow(Duration at, String adapter, Duration max, Duration slowed) implements AtMoment {
        /** What one step may be late at most. */
        public static final Duration LATEST = Duration.ofSeconds(1);

        public Slow {
            if (max.compareTo(LATEST) > 0) {
                throw new IllegalArgumentException("a step that is " + max + " late; up to " + LATEST + " is allowed");
            }
        }

        @Override
        public String words() {
            return "slow the programs of " + adapter + " by up to " + max.toNanos() + " ns a step at " + at.toNanos()
                    + " ns" + (slowed.equals(Interval.FOR_EVER) ? "" : " for " + slowed.toNanos() + " ns");
        }
    }

    /** A completion queue's report, to its channel or its thread, is lost on the way. */
    record LoseWakeup(String adapter, int cq, Trigger trigger) implements Fault {
        @Override
        public String words() {
            return "lose " + trigger.words() + " wake-up of " + adapter + "/cq" + cq;
        }
    }

    /**
     * A fault for each adapter, or each process, that is there and that comes while it is armed, whatever it is called: each is struck by
     * itself, or spared, up to {@value #MOST_STRIKES} times. It is struck 1 us to 1 s after it came, or soon after one of the
     * first 1000 packets from or to its adapter; nothing happens where nothing to strike is there then.
     *
     * @param probability that one of them is struck; and one that was is struck once more
     * @param lot from which each draws when and how it is struck: the same in the same run
     */
    record Drawn(What what, double probability, long lot) implements Fault {
        /** Of one adapter or process. */
        public static final int MAX_STRIKES = 4;

        public Drawn {
            if (!(probability >= 0 && probability <= 1)) {
                throw new IllegalArgumentException("a probability of " + probability + "; 0 to 1 is allowed");
            }
        }

        /** What it becomes. New ones may come. */
        public enum What {
            /** {@link LinkDown}. */
            UNPLUG("unplug adapters", FaultKind.UNPLUG),
            /** {@link Starve} of one of an adapter's queue pairs. */
            STARVE("withhold receives of adapters", FaultKind.STARVE),
            /** {@link Evict}. */
            EVICT("evict pages of processes", FaultKind.EVICT),
            /** {@link Fragment}. */
            FRAGMENT("fragment the memory of adapters", FaultKind.FRAGMENT),
            /** {@link Crash} of an adapter, or one of its queue pairs, completion queues, shared receive queues and memory keys. */
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

            /** Whether it strikes processes, and not adapters. */
            boolean isOfProcesses() {
                return this == EVICT || this == KILL;
            }
        }

        @Override
        public String words() {
            return "%s as they come with probability %s, by lot %d".formatted(what.words, probability, lot);
        }
    }

    /** The subscriber of a completion queue is not heard of for a while: no demand, nothing taken. */
    record StallSubscriber(Duration at, String adapter, int cq, Duration stalled) implements AtMoment {
        @Override
        public String words() {
            return "stall the subscriber of " + adapter + "/cq" + cq + " at " + at.toNanos() + " ns for "
                    + stalled.toNanos() + " ns";
        }
    }
}
