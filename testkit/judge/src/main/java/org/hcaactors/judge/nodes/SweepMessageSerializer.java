// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.serialization.SerializerWithStringManifest;
import org.hcaactors.judge.sweep.MinimalRun;
import org.hcaactors.judge.sweep.Sweep;
import org.hcaactors.judge.sweep.Traffic;
import org.hcaactors.lab.fault.FaultKind;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.Watch;

/**
 * Serializer of the messages of a sweep. Other builds must be able to read the head of a Pull, up to its results, and a Refusal; every
 * other message is between nodes of one build. Pekko creates it by its name in the configuration.
 */
public final class SweepMessageSerializer extends SerializerWithStringManifest {
    /** Maximum number of bytes of a text, so that a message fits into a frame of Artery; a longer one is cut, and says so. */
    static final int MAX_TEXT_BYTES = 1 << 18;

    /** Bytes of the last line of a text that is cut. */
    private static final int CUT_BYTES = 100;

    private static final int IDENTIFIER = 4_791_101;

    private static final String PULL = "p";
    private static final String ASSIGNMENT = "a";
    private static final String REFUSAL = "r";
    private static final String OVER = "o";

    private final ActorRefResolver references;

    /** Called by Pekko. */
    public SweepMessageSerializer(ExtendedActorSystem system) {
        references = ActorRefResolver.get(Adapter.toTyped(system));
    }

    @Override
    public int identifier() {
        return IDENTIFIER;
    }

    @Override
    public String manifest(Object object) {
        return switch ((SweepMessage) object) {
            case SweepMessage.Pull p -> PULL;
            case SweepMessage.Assignment a -> ASSIGNMENT;
            case SweepMessage.Refusal r -> REFUSAL;
            case SweepMessage.Over o -> OVER;
        };
    }

    @Override
    public byte[] toBinary(Object object) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            write((SweepMessage) object, new DataOutputStream(bytes));
        } catch (IOException never) {
            throw new UncheckedIOException(never);
        }
        return bytes.toByteArray();
    }

    private void write(SweepMessage message, DataOutputStream out) throws IOException {
        switch (message) {
            case SweepMessage.Pull pull -> {
                putText(pull.build(), out);
                putText(references.toSerializationFormat(pull.worker()), out);
                putText(pull.name(), out);
                out.writeInt(pull.threads());
                out.writeInt(pull.results().size());
                for (TaskResult result : pull.results()) {
                    put(result, out);
                }
                put(pull.running(), out);
            }
            case SweepMessage.Assignment assignment -> {
                putText(assignment.swarm().name(), out);
                putText(assignment.traffic().name(), out);
                putText(assignment.watch().name(), out);
                out.writeLong(assignment.shrinkTime().toMillis());
                put(assignment.tasks(), out);
            }
            case SweepMessage.Refusal refusal -> putText(refusal.reason(), out);
            case SweepMessage.Over over -> {}
        }
    }

    private static void put(List<Task> tasks, DataOutputStream out) throws IOException {
        out.writeInt(tasks.size());
        for (Task task : tasks) {
            out.writeBoolean(task instanceof Task.Shrink);
            out.writeLong(task.seed());
        }
    }

    private static void put(TaskResult result, DataOutputStream out) throws IOException {
        out.writeBoolean(result instanceof TaskResult.Shrunk);
        out.writeLong(result.task().seed());
        switch (result) {
            case TaskResult.Ran(Sweep.Outcome outcome) -> {
                out.writeLong(outcome.packets());
                out.writeInt(outcome.requests());
                out.writeInt(outcome.succeeded());
                out.writeInt(outcome.struck().size());
                for (Map.Entry<FaultKind, Long> each : outcome.struck().entrySet()) {
                    putText(each.getKey().name(), out);
                    out.writeLong(each.getValue());
                }
                putText(outcome.reason(), out);
            }
            case TaskResult.Shrunk shrunk -> putText(shrunk.minimal().map(MinimalRun::text), out);
        }
    }

    @Override
    public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
        try {
            return read(new DataInputStream(new ByteArrayInputStream(bytes)), manifest);
        } catch (NotSerializableException unknown) {
            throw unknown;
        } catch (IOException | IllegalArgumentException malformed) {
            throw new NotSerializableException("a message of a sweep cannot be read: " + malformed);
        }
    }

    private SweepMessage read(DataInputStream in, String manifest) throws IOException {
        return switch (manifest) {
            case PULL -> pull(in);
            case ASSIGNMENT ->
                new SweepMessage.Assignment(
                        Swarm.valueOf(getText(in)),
                        Traffic.valueOf(getText(in)),
                        Watch.valueOf(getText(in)),
                        Duration.ofMillis(in.readLong()),
                        tasks(in));
            case REFUSAL -> new SweepMessage.Refusal(getText(in));
            case OVER -> new SweepMessage.Over();
            default -> throw new NotSerializableException("no message of a sweep is called " + manifest);
        };
    }

    private SweepMessage.Pull pull(DataInputStream in) throws IOException {
        String build = getText(in);
        String worker = getText(in);
        String name = getText(in);
        int threads = in.readInt();
        List<TaskResult> results = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            results.add(result(in));
        }
        // What follows may be missing in the first Pull of another build, so that it is answered.
        List<Task> running = in.available() == 0 ? List.of() : tasks(in);
        return new SweepMessage.Pull(
                references.resolveActorRef(worker), build, name, threads, List.copyOf(results), running);
    }

    private static List<Task> tasks(DataInputStream in) throws IOException {
        List<Task> tasks = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            tasks.add(in.readBoolean() ? new Task.Shrink(in.readLong()) : new Task.Run(in.readLong()));
        }
        return List.copyOf(tasks);
    }

    private static TaskResult result(DataInputStream in) throws IOException {
        boolean shrunk = in.readBoolean();
        long seed = in.readLong();
        if (shrunk) {
            return new TaskResult.Shrunk(seed, getOptionalText(in).map(text -> new MinimalRun(seed, text)));
        }
        long packets = in.readLong();
        int requests = in.readInt();
        int succeeded = in.readInt();
        Map<FaultKind, Long> struck = new EnumMap<>(FaultKind.class);
        for (int left = in.readInt(); left > 0; left--) {
            struck.put(FaultKind.valueOf(getText(in)), in.readLong());
        }
        return new TaskResult.Ran(new Sweep.Outcome(seed, packets, struck, requests, succeeded, getOptionalText(in)));
    }

    private static void putText(Optional<String> text, DataOutputStream out) throws IOException {
        out.writeBoolean(text.isPresent());
        if (text.isPresent()) {
            putText(text.get(), out);
        }
    }

    private static void putText(String text, DataOutputStream out) throws IOException {
        byte[] all = text.getBytes(StandardCharsets.UTF_8);
        byte[] bytes = all.length <= MAX_TEXT_BYTES ? all : cut(all).getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String cut(byte[] text) {
        int end = MAX_TEXT_BYTES - CUT_BYTES;
        while (isInsideCharacter(text[end])) {
            end--;
        }
        return new String(text, 0, end, StandardCharsets.UTF_8) + "\n[" + (text.length - end)
                + " bytes more were cut off on the way from the node]";
    }

    /** True if that byte of UTF-8 is not the first one of a character. */
    private static boolean isInsideCharacter(byte of) {
        return (of & 0xC0) == 0x80;
    }

    private static Optional<String> getOptionalText(DataInputStream in) throws IOException {
        return in.readBoolean() ? Optional.of(getText(in)) : Optional.empty();
    }

    private static String getText(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > MAX_TEXT_BYTES) {
            throw new IOException(length + " bytes of text; 0 to " + MAX_TEXT_BYTES + " are allowed");
        }
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }
}
