// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.time.Duration;
import java.util.Locale;
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
            case Drawn f -> new Drawn(f.at.plus(by), f.kind, f.lot);
            case LinkDown f -> new LinkDown(f.at.plus(by), f.adapter, f.down);
            case LinkChange f -> new LinkChange(f.at.plus(by), f.adapter, f.link);
            case Crash f -> new Crash(f.at.plus(by), f.victim);
            case PowerCycle f -> new PowerCycle(f.at.plus(by), f.adapter, f.off);
            case Starve f -> new Starve(f.at.plus(by), f.adapter, f.qp, f.messages);
            case Kill f -> new Kill(f.at.plus(by), f.adapter, f.process);
            case Evict f -> new Evict(f.at.plus(by), f.adapter, f.process, f.address, f.lengthBytes);
            case Fragment f -> new Fragment(f.at.plus(by), f.adapter, f.largestBlock);
            case EndWaiter f -> new EndWaiter(f.at.plus(by), f.adapter, f.waiter);
            case NotifyOff f -> new NotifyOff(f.at.plus(by), f.adapter, f.off);
            case StallSubscriber f -> new StallSubscriber(f.at.plus(by), f.adapter, f.cq, f.stalled);
        };
    }

    /** Something happens to packets. */
    record OnPackets(PacketMatch match, Trigger trigger, Moments moments, PacketAction action) implements Fault {
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
    record OnVerbs(VerbMatch match, Trigger trigger, Moments moments, Errno errno) implements Fault {
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

    /** The cable is pulled, and plugged in again after {@code down}; {@link Moments#FOR_EVER} leaves it out. */
    record LinkDown(Duration at, String adapter, Duration down) implements AtMoment {
        @Override
        public String words() {
            return "unplug " + adapter + " at " + at.toNanos() + " ns"
                    + (down.equals(Moments.FOR_EVER) ? "" : " for " + down.toNanos() + " ns");
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
    record Crash(Duration at, Victim victim) implements AtMoment {
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
    record Starve(Duration at, String adapter, int qp, int messages) implements AtMoment {
        public Starve {
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
        private static final long LEAST = 1L << PageLayout.LEAST_ORDER;
        private static final long MOST = 1L << MemoryNode.MOST_ORDER;

        public Fragment {
            if (Long.bitCount(largestBlock) != 1 || largestBlock < LEAST || largestBlock > MOST) {
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
                    + (off.equals(Moments.FOR_EVER) ? "" : " for " + off.toNanos() + " ns");
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
     * A fault of a kind, at a moment, on an adapter, a process or a queue pair of those that are there then; nothing where there is
     * none. So it strikes adapters that a program makes after the fault was armed, and processes of any name.
     *
     * @param lot which of them, and how hard: the same in the same run
     */
    record Drawn(Duration at, Kind kind, long lot) implements Fault {
        /** What it becomes. */
        public enum Kind {
            /** {@link LinkDown}. */
            UNPLUG,
            /** {@link Starve}. */
            STARVE,
            /** {@link Evict}. */
            EVICT,
            /** {@link Fragment}. */
            FRAGMENT,
            /** {@link Crash} of an adapter, a queue pair, a completion queue or a shared receive queue. */
            CRASH,
            /** {@link PowerCycle}. */
            POWER_CYCLE,
            /** {@link Kill}. */
            KILL
        }

        @Override
        public String words() {
            return "%s whatever is there at %d ns, by lot %d"
                    .formatted(kind.name().toLowerCase(Locale.ROOT).replace('_', ' '), at.toNanos(), lot);
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
