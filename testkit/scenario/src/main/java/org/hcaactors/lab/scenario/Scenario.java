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
 * A scenario: adapters, connections, traffic and faults of a run, and its expected outcome.
 *
 * @param title one sentence
 * @param about what the scenario shows; may be empty
 * @param verbsTakeTime true if registrations, windows and wake-ups take the virtual time of the profile
 * @param link link of every adapter
 * @param listeners programs that listen for connections by communication management
 * @param connects connections by communication management
 * @param changes reregistrations
 * @param firmware actions on the firmware of live adapters, ordered by time
 * @param tagged connections with tagged messages
 * @param messages steps of tagged traffic, in the order of the file
 */
public record Scenario(
        String title,
        String about,
        List<Plug> adapters,
        boolean verbsTakeTime,
        LinkProperties link,
        List<Line> objects,
        List<Listening> listeners,
        List<Connecting> connects,
        List<Job> traffic,
        List<Rework> changes,
        List<FirmwareStep> firmware,
        List<TaggedConnection> tagged,
        List<TaggedStep> messages,
        FaultPlan faults,
        List<Expectation> expectations) {
    /** Maximum requests of one scenario. */
    public static final int MAX_REQUESTS = 4096;

    /** Maximum bytes of one request. */
    public static final long MAX_BYTES = 16 << 20;

    /** Maximum bytes of all requests together. */
    public static final long MAX_BYTES_TOGETHER = 64 << 20;

    public Scenario {
        adapters = List.copyOf(adapters);
        objects = List.copyOf(objects);
        listeners = List.copyOf(listeners);
        connects = List.copyOf(connects);
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
     * @param firmware settings at its first start
     * @param machine its host machine
     * @param environment environment of its process
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
     * Two connected queue pairs.
     *
     * @param openedAt when both ends open their adapters and connect; by communication management: when the first end asks
     * @param first default sender of traffic
     * @param attributes attributes of a reliable connection; other transports use only the path MTU and the first PSN
     * @param stocks receives of each end; for XRC, whose messages name queues, of each queue of the second end
     * @param receiveBytes length of each receive
     * @param shared true if the second end has a shared receive queue
     * @param limit limit of that queue for its event; 0 for none
     * @param cqEntries size of each completion queue; empty: large enough
     * @param polled true if receive completions are polled
     * @param polledAt when polling begins
     * @param inline true if short messages arrive in their completions, at both ends
     * @param pieces pieces of the second end's memory that its indirect key shows
     * @param thread thread that polls the second end's receive completions
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
     * A stock of receives.
     *
     * @param receives number of posted receives; empty: one for each message
     * @param at when they are posted
     */
    public record Stock(OptionalInt receives, Duration at) {}

    /** The first {@code bytes} bytes of every {@code strideBytes}, one piece after the other. */
    public record Pieces(int bytes, int strideBytes) {}

    /**
     * A thread that its completion queue wakes by AS-notify.
     *
     * @param turns its actions, repeated in a cycle
     * @param pace time of each action; of a wait, from its end
     * @param at when the thread begins
     */
    public record WokenThread(List<Turn> turns, Duration pace, Duration at) {
        public WokenThread {
            turns = List.copyOf(turns);
        }
    }

    /** An action of such a thread. */
    public enum Turn {
        ARM,
        POLL,
        WAIT
    }

    /** The operation of a request. */
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

        /** Returns the name in scenario files. */
        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        boolean isCarriedBy(Transport transport) {
            return transport.carries(request) && (this != SEND_WITH_INVALIDATE || transport.carriesInvalidates());
        }

        boolean isMasked() {
            return this == MASKED_ADD || this == MASKED_SWAP;
        }

        /** True if it consumes a receive at the other end. */
        boolean takesReceive() {
            return this == WRITE_WITH_IMMEDIATE || this == SEND || this == SEND_WITH_INVALIDATE;
        }
    }

    /**
     * A group of equal requests.
     *
     * @param line the connection
     * @param fromSecond true if the second end posts them
     * @param bytes length of each
     * @param offset offset in both ends' memory
     * @param at when they are posted
     * @param waits true if the next job begins when these are complete
     * @param rkey R_Key instead of the peer's
     * @param window true if they access the peer's window instead of its region
     * @param queue index of the second end's queue that they name; 0 if messages name none
     * @param srqNumber queue number that they name instead
     * @param accessKey DC access key instead of that of the peer's target
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
     * A reregistration of a region.
     *
     * @param line connection whose memory the region covers
     * @param ofSecond true for the second end's region
     * @param at when it is requested
     * @param rights new access rights; empty: unchanged
     * @param moves true if the region then covers other memory of the same size
     * @param allocates true if that memory is allocated by the registration
     * @param onDemand true if the region then uses on-demand paging
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
     * Parses a scenario.
     *
     * @param text HOCON
     * @param file name of the file, for error messages
     * @throws org.hcaactors.lab.hocon.RefusedException if the text is invalid; with file, line, key and what is allowed
     */
    public static Scenario parse(String text, String file) {
        return new ScenarioReader(Section.parse(text, file)).read();
    }
}
