// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway.nvme;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/**
 * The admin queue of a discovery controller: it has no namespaces and no I/O queues. Commands of a host come in, completions and data
 * go out; it does not know how they travel. One thread.
 *
 * <p>Limits: {@value #QUEUE_ENTRIES} commands may be outstanding, one of them an Asynchronous Event Request; data of a command have
 * at most {@value #MOST_DATA_BYTES} bytes.
 */
public final class DiscoveryController {
    /** Entries of the admin queue. */
    public static final int QUEUE_ENTRIES = 32;

    /** Bytes of the data of a command, at most. */
    public static final int MOST_DATA_BYTES = 8192;

    /** Bytes of the data of Connect. */
    public static final int CONNECT_BYTES = 1024;

    /** Controllers have the ids from 1 to this one. */
    public static final int MOST_CONTROLLERS = 0xffef;

    private static final int PROPERTY_SET = 0;
    private static final int CONNECT = 1;
    private static final int PROPERTY_GET = 4;

    private static final int GET_LOG_PAGE = 0x02;
    private static final int IDENTIFY = 0x06;
    private static final int SET_FEATURES = 0x09;
    private static final int ASYNC_EVENT_REQUEST = 0x0c;
    private static final int KEEP_ALIVE = 0x18;

    private static final int IDENTIFY_CONTROLLER = 1;
    private static final int DISCOVERY_LOG = 0x70;
    private static final int ASYNC_EVENTS = 0x0b;
    private static final int KEEP_ALIVE_TIMER = 0x0f;

    private static final int ANY_CONTROLLER = 0xffff;
    private static final int NO_FLOW_CONTROL = 1 << 2;

    /** In the result of a Connect that is refused: what is wrong is in its data, from this byte on. */
    private static final int IN_DATA = 1 << 16;

    private static final int CONTROLLER_AT = 16;
    private static final int SUBSYSTEM_AT = 256;
    private static final int NAME_BYTES = 256;

    /** Without a keep alive timeout a discovery controller waits for 2 minutes. */
    private static final Duration USUAL_SILENCE = Duration.ofMinutes(2);

    /** A partial command has an id from that length on. */
    private static final int SHORTEST_COMMAND = 4;

    private final DiscoveryData data;
    private final ControllerProperties properties = new ControllerProperties();
    private int queueEntries = QUEUE_ENTRIES;
    private boolean flowControl = true;
    private boolean connected;
    private boolean awaitsEvent;
    private int head;
    private Duration longestSilence = USUAL_SILENCE;

    public DiscoveryController(DiscoveryData data) {
        this.data = data;
    }

    /** Returns how long the host may be silent before it has lost the connection. */
    public Duration longestSilence() {
        return longestSilence;
    }

    /**
     * Handles a capsule.
     *
     * @return a completion with Invalid Field, if it is too short for a command
     * @throws IllegalArgumentException if it is too short even for the id of a command
     */
    public NvmeStep command(byte[] capsule) {
        if (capsule.length < SHORTEST_COMMAND) {
            throw new IllegalArgumentException(
                    "its capsule has " + capsule.length + " bytes; a command has " + NvmeCommand.BYTES);
        }
        NvmeCommand command = new NvmeCommand(Arrays.copyOf(capsule, NvmeCommand.BYTES));
        head++;
        try {
            if (capsule.length != NvmeCommand.BYTES) {
                throw new NvmeRefusal(NvmeStatus.INVALID_FIELD);
            }
            return command.opcode() == NvmeCommand.FABRICS ? fabrics(command) : admin(command);
        } catch (NvmeRefusal refusal) {
            return refused(command, refusal);
        }
    }

    private NvmeStep fabrics(NvmeCommand command) throws NvmeRefusal {
        boolean connects = command.fabricsType() == CONNECT;
        if (connects == connected) {
            throw new NvmeRefusal(NvmeStatus.COMMAND_SEQUENCE_ERROR);
        }
        return switch (command.fabricsType()) {
            case CONNECT -> new NvmeStep.Fetch(command, command.data(CONNECT_BYTES));
            case PROPERTY_GET -> done(command, properties.get(command));
            case PROPERTY_SET -> {
                properties.set(command);
                yield done(command, 0);
            }
            default -> throw new NvmeRefusal(NvmeStatus.INVALID_OPCODE);
        };
    }

    /**
     * Handles the data of a Connect.
     *
     * @param bytes {@value #CONNECT_BYTES}
     */
    public NvmeStep.Completion fetched(NvmeCommand connect, byte[] bytes) {
        try {
            connect(connect, ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
            return done(connect, data.controller());
        } catch (NvmeRefusal refusal) {
            return refused(connect, refusal);
        }
    }

    private void connect(NvmeCommand connect, ByteBuffer with) throws NvmeRefusal {
        int formatAt = 40;
        int queueAt = 42;
        int entriesAt = 44;
        int attributesAt = 46;
        int keepAliveAt = 48;
        if (connect.word(formatAt) != 0) {
            throw new NvmeRefusal(NvmeStatus.CONNECT_INCOMPATIBLE_FORMAT);
        }
        int entries = connect.word(entriesAt) + 1;
        demand(connect.word(queueAt) == 0, queueAt);
        demand(entries > 1 && entries <= QUEUE_ENTRIES, entriesAt);
        demand((with.getShort(CONTROLLER_AT) & 0xffff) == ANY_CONTROLLER, IN_DATA | CONTROLLER_AT);
        demand(name(with).equals(DiscoveryData.SUBSYSTEM), IN_DATA | SUBSYSTEM_AT);
        queueEntries = entries;
        flowControl = (connect.octet(attributesAt) & NO_FLOW_CONTROL) == 0;
        keepAlive(connect.doubleword(keepAliveAt));
        connected = true;
    }

    private static void demand(boolean right, int where) throws NvmeRefusal {
        if (!right) {
            throw new NvmeRefusal(NvmeStatus.CONNECT_INVALID_PARAMETERS, where);
        }
    }

    private static String name(ByteBuffer with) {
        byte[] name = new byte[NAME_BYTES];
        with.get(SUBSYSTEM_AT, name);
        String all = new String(name, StandardCharsets.ISO_8859_1);
        int end = all.indexOf(0);
        return end < 0 ? all : all.substring(0, end);
    }

    private void keepAlive(int milliseconds) {
        longestSilence = milliseconds == 0 ? USUAL_SILENCE : Duration.ofMillis(Integer.toUnsignedLong(milliseconds));
    }

    private NvmeStep admin(NvmeCommand command) throws NvmeRefusal {
        if (!properties.enabled()) {
            throw new NvmeRefusal(NvmeStatus.COMMAND_SEQUENCE_ERROR);
        }
        return switch (command.opcode()) {
            case IDENTIFY -> identify(command);
            case GET_LOG_PAGE -> log(command);
            case SET_FEATURES -> {
                setFeature(command);
                yield done(command, 0);
            }
            case KEEP_ALIVE -> done(command, 0);
            case ASYNC_EVENT_REQUEST -> awaitEvent();
            default -> throw new NvmeRefusal(NvmeStatus.INVALID_OPCODE);
        };
    }

    private NvmeStep identify(NvmeCommand command) throws NvmeRefusal {
        KeyedSgl to = command.data(DiscoveryData.IDENTIFY_BYTES);
        if (command.octet(40) != IDENTIFY_CONTROLLER) {
            throw new NvmeRefusal(NvmeStatus.INVALID_FIELD);
        }
        return new NvmeStep.Deliver(data.identify(), to, done(command, 0));
    }

    private NvmeStep log(NvmeCommand command) throws NvmeRefusal {
        long words = (command.word(42) | (long) command.word(44) << 16) + 1;
        long offset = command.quadword(48);
        if (command.octet(40) != DISCOVERY_LOG) {
            throw new NvmeRefusal(NvmeStatus.INVALID_LOG_PAGE);
        }
        if (words * Integer.BYTES > MOST_DATA_BYTES
                || offset < 0
                || offset > DiscoveryData.LOG_BYTES
                || offset % Integer.BYTES != 0) {
            throw new NvmeRefusal(NvmeStatus.INVALID_FIELD);
        }
        int bytes = (int) words * Integer.BYTES;
        return new NvmeStep.Deliver(data.log((int) offset, bytes), command.data(bytes), done(command, 0));
    }

    private void setFeature(NvmeCommand command) throws NvmeRefusal {
        switch (command.octet(40)) {
            case ASYNC_EVENTS -> {
                // No event comes: the log page does not change.
            }
            case KEEP_ALIVE_TIMER -> keepAlive(command.doubleword(44));
            default -> throw new NvmeRefusal(NvmeStatus.INVALID_FIELD);
        }
    }

    private NvmeStep awaitEvent() throws NvmeRefusal {
        if (awaitsEvent) {
            throw new NvmeRefusal(NvmeStatus.ASYNC_EVENT_LIMIT_EXCEEDED);
        }
        awaitsEvent = true;
        return new NvmeStep.Outstanding();
    }

    private NvmeStep.Completion done(NvmeCommand command, long result) {
        return completion(command, result, NvmeStatus.SUCCESS);
    }

    private NvmeStep.Completion refused(NvmeCommand command, NvmeRefusal refusal) {
        return completion(command, refusal.result(), refusal.status());
    }

    private NvmeStep.Completion completion(NvmeCommand command, long result, NvmeStatus status) {
        int reported = flowControl ? head % queueEntries : 0xffff;
        return new NvmeStep.Completion(result, reported, command.id(), status, command.invalidate());
    }
}
