// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.firmware.FirmwareAssignment;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.MaskedCompareAndSwap;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.hocon.Section;
import org.hcaactors.lab.pair.Transport;

/**
 * What is to happen in a world, and what is expected to come of it.
 *
 * @param title a sentence
 * @param about what it shows; may be empty
 * @param verbsTakeTime registrations, windows and wake-ups take the virtual time that profiles say, and not none
 * @param link of every adapter
 * @param changes of regions
 * @param firmware what is done to that of live adapters, in the order of time
 * @param tagged endpoints of messages with tags
 * @param messages what is done there, in the order in which it is written
 */
public record Scenario(
        String title,
        String about,
        List<Plug> adapters,
        boolean verbsTakeTime,
        LinkProperties link,
        List<Line> objects,
        List<Job> traffic,
        List<Rework> changes,
        List<FirmwareStep> firmware,
        List<TaggedConnection> tagged,
        List<TaggedStep> messages,
        FaultPlan faults,
        List<Expectation> expectations) {
    /** Requests of one scenario at most. */
    public static final int MAX_REQUESTS = 4096;

    /** Bytes of one request at most. */
    public static final long MAX_BYTES = 16 << 20;

    /** Bytes of all requests together at most. */
    public static final long MAX_BYTES_TOGETHER = 64 << 20;

    public Scenario {
        adapters = List.copyOf(adapters);
        objects = List.copyOf(objects);
        traffic = List.copyOf(traffic);
        changes = List.copyOf(changes);
        firmware = List.copyOf(firmware);
        tagged = List.copyOf(tagged);
        messages = List.copyOf(messages);
        expectations = List.copyOf(expectations);
    }

    /**
     * An adapter.
     *
     * @param firmware what it is set to when it starts for the first time
     * @param machine that it sits in
     * @param environment of its process
     */
    public record Plug(
            String name,
            Profile profile,
            List<FirmwareAssignment> firmware,
            HostMachine machine,
            Map<String, String> environment) {
        public Plug {
            firmware = List.copyOf(firmware);
            environment = Map.copyOf(environment);
        }
    }

    /**
     * Two queue pairs that talk to each other.
     *
     * @param openedAt when both ends open their adapters and connect
     * @param first where traffic comes from unless it says otherwise
     * @param attributes of reliable connections; of others only the path MTU and the first PSN
     * @param stocks of receives at each end; over XRC, where messages name queues, of each queue of the second end
     * @param receiveBytes of each receive
     * @param shared the second end takes them from a shared receive queue
     * @param limit of that queue, at which it raises an event; 0 for none
     * @param cqEntries of each completion queue; empty: enough
     * @param polled somebody takes the receive completions out
     * @param polledAt from when on
     * @param inline what is short travels in its completion, at both ends
     * @param pieces the second end hands out an indirect key that shows these of its memory
     * @param thread takes the second end's receive completions out
     */
    public record Line(
            String name,
            Duration openedAt,
            Transport transport,
            String first,
            String second,
            RcConnection attributes,
            List<Stock> stocks,
            long receiveBytes,
            boolean shared,
            int limit,
            OptionalInt cqEntries,
            boolean polled,
            Duration polledAt,
            boolean inline,
            Optional<Pieces> pieces,
            Optional<WokenThread> thread) {
        public Line {
            stocks = List.copyOf(stocks);
        }
    }

    /**
     * Receives.
     *
     * @param receives posted where messages go; empty: as many as there are messages
     * @param at when they are posted
     */
    public record Stock(OptionalInt receives, Duration at) {}

    /** Of every {@code strideBytes} bytes the first ones, one behind the other. */
    public record Pieces(int bytes, int strideBytes) {}

    /**
     * A thread that its completion queue wakes, by AS-notify.
     *
     * @param turns what it does, over and over
     * @param pace how long each takes, a wait from when it is over
     * @param at when it begins
     */
    public record WokenThread(List<Turn> turns, Duration pace, Duration at) {
        public WokenThread {
            turns = List.copyOf(turns);
        }
    }

    /** What such a thread does next. */
    public enum Turn {
        ARM,
        POLL,
        WAIT
    }

    /** What a request does. */
    public enum Verb {
        WRITE(RdmaWrite.class),
        WRITE_WITH_IMMEDIATE(RdmaWrite.class),
        READ(RdmaRead.class),
        SEND(Send.class),
        FETCH_ADD(FetchAdd.class),
        COMPARE_SWAP(CompareAndSwap.class),
        MASKED_ADD(MaskedFetchAdd.class),
        MASKED_SWAP(MaskedCompareAndSwap.class),
        SEND_WITH_INVALIDATE(Send.class),
        BIND(BindWindow.class),
        INVALIDATE(LocalInvalidate.class);

        private final Class<? extends WorkRequest> request;

        Verb(Class<? extends WorkRequest> request) {
            this.request = request;
        }

        /** As a scenario says it. */
        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        boolean isCarriedBy(Transport transport) {
            return transport.carries(request) && (this != SEND_WITH_INVALIDATE || transport.carriesInvalidates());
        }

        boolean isMasked() {
            return this == MASKED_ADD || this == MASKED_SWAP;
        }

        /** It takes a receive at the other end. */
        boolean takesReceive() {
            return this == WRITE_WITH_IMMEDIATE || this == SEND || this == SEND_WITH_INVALIDATE;
        }
    }

    /**
     * Some requests.
     *
     * @param line the connection
     * @param fromSecond they are posted at its second end
     * @param bytes of each
     * @param offset into both ends' memory
     * @param at when they are posted
     * @param waits the next job begins when these are complete
     * @param rkey instead of the peer's
     * @param window the peer's window, instead of its memory
     * @param queue which of the second end's queues they name, from 0; 0 where messages name none
     * @param srqNumber that they name instead
     * @param accessKey instead of that of the peer's target
     */
    public record Job(
            Line line,
            boolean fromSecond,
            Verb verb,
            long bytes,
            int times,
            long offset,
            Duration at,
            boolean waits,
            Optional<Integer> rkey,
            boolean window,
            int queue,
            Optional<Integer> srqNumber,
            Optional<Long> accessKey) {}

    /**
     * A region is registered anew.
     *
     * @param line whose memory it covers
     * @param ofSecond of its second end
     * @param at when it is asked for
     * @param rights that it allows from then on; empty: those that it allows
     * @param moves it covers other memory from then on, of the same size
     * @param allocates that memory is made for it
     * @param onDemand its pages come when they are used, from then on
     */
    public record Rework(
            Line line,
            boolean ofSecond,
            Duration at,
            Optional<AccessFlags> rights,
            boolean moves,
            boolean allocates,
            boolean onDemand) {}

    /**
     * @param text HOCON
     * @param file its name, as refusals give it
     * @throws org.hcaactors.lab.hocon.RefusedException with file, line, key and what is allowed
     */
    public static Scenario parse(String text, String file) {
        return new ScenarioReader(Section.parse(text, file)).read();
    }
}
