// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.judge.walk.WalkObjects.CqModel;
import org.hcaactors.judge.walk.WalkObjects.Domain;
import org.hcaactors.judge.walk.WalkObjects.Memory;
import org.hcaactors.judge.walk.WalkObjects.OpenedContext;
import org.hcaactors.judge.walk.WalkObjects.Program;

/**
 * A random walk over the verbs by several processes. Each step begins a call and does not wait; answers that arrived meanwhile
 * are checked against the model. At the end everything is closed, every stage has completed, every request ended once, and no
 * object is left.
 *
 * <p>Belongs to one thread.
 */
public final class Walk {
    private static final int PROCESSES = 3;
    private static final int MAX_THINGS = 90;
    private static final int LONGEST_PAUSE = 3000;
    private static final int QUEUE_PAIRS = 4;
    private static final int OTHER_KEYS = 2;
    private static final int POLLS = 400;
    private static final int MAX_POLLED = 1000;

    private record Step(int weight, Runnable action) {}

    /**
     * Totals of a walk.
     *
     * @param calls calls of verbs
     * @param objects created objects
     * @param succeeded requests that ended with SUCCESS
     * @param failed requests that ended otherwise
     */
    public record Sum(int calls, int objects, int succeeded, int failed) {}

    private final WalkEnvironment environment;
    private final WalkContext walk;
    private final ObjectSteps objects;
    private final ConnectionSteps connections;
    private final WorkSteps work;
    private final KeySteps keys;
    private final CompletionSteps completions;
    private final Optional<TagSteps> tags;
    private final List<Step> steps;
    private final int weights;
    private final String name;
    private int processes;

    /** Creates a walk without tag matching. */
    public Walk(WalkEnvironment environment, SplittableRandom random, String name) {
        this(environment, random, name, false);
    }

    /**
     * Creates a walk.
     *
     * @param random source of its actions
     * @param name prefix of its processes' names; unique in this environment
     * @param comparesTags true if it uses tag matching on adapters that support it
     */
    public Walk(WalkEnvironment environment, SplittableRandom random, String name, boolean comparesTags) {
        this.environment = environment;
        this.name = name;
        walk = new WalkContext(environment, random);
        objects = new ObjectSteps(walk);
        connections = new ConnectionSteps(walk);
        ReceiveSteps receives = new ReceiveSteps(walk);
        work = new WorkSteps(walk, receives);
        keys = new KeySteps(walk, work);
        completions = new CompletionSteps(walk);
        tags = comparesTags ? Optional.of(new TagSteps(walk, objects, receives)) : Optional.empty();
        List<Step> plain = List.of(
                new Step(60, work::request),
                new Step(6, receives::receive),
                new Step(4, receives::shared),
                new Step(1, receives::limit),
                new Step(8, keys::show),
                new Step(2, keys::reregister),
                new Step(12, connections::connect),
                new Step(5, connections::move),
                new Step(2, connections::query),
                new Step(2, connections::group),
                new Step(16, completions::poll),
                new Step(3, completions::arm),
                new Step(2, completions::await),
                new Step(1, completions::awaitEvent),
                new Step(4, completions::subscribe),
                new Step(4, completions::demand),
                new Step(3, completions::cancel),
                new Step(1, completions::moderate),
                new Step(1, completions::resize),
                new Step(12, this::make),
                new Step(6, objects::close),
                new Step(2, objects::closeBesideMaking),
                new Step(1, this::leave));
        Stream<Step> ofTags = tags.stream()
                .flatMap(each -> Stream.of(
                        new Step(32, each::operate),
                        new Step(2, each::make),
                        new Step(1, each::makeBesideClosing),
                        new Step(2, each::look)));
        steps = Stream.concat(plain.stream(), ofTags).toList();
        weights = steps.stream().mapToInt(Step::weight).sum();
    }

    /** Walks the given number of steps, and then to its end. */
    public Sum walk(int count) {
        begin();
        for (int i = 0; i < count; i++) {
            step();
        }
        return finish();
    }

    /** Starts some processes with the usual objects of a program. */
    private void begin() {
        for (int i = 0; i < PROCESSES; i++) {
            Adapter adapter =
                    environment.adapters().get(i % environment.adapters().size());
            Program program = objects.process(adapter, nextName());
            objects.open(program);
            objects.allocate(program);
        }
        for (OpenedContext context : walk.open(OpenedContext.class)) {
            objects.domain(context);
            objects.ring(context, Optional.empty());
        }
        settle();
        for (Domain domain : walk.open(Domain.class)) {
            walk.open(Memory.class).stream()
                    .filter(memory -> memory.program == domain.context.program)
                    .forEach(memory -> objects.register(domain, memory, ObjectSteps.ALL));
            tags.ifPresent(each -> each.begin(domain));
            for (int i = 0; i < QUEUE_PAIRS; i++) {
                objects.queuePair(domain);
            }
            for (int i = 0; i < OTHER_KEYS; i++) {
                keys.make(domain);
            }
        }
        settle();
        tags.ifPresent(each -> {
            walk.open(TagQueue.class).forEach(each::attach);
            settle();
        });
        for (int i = 0; i < QUEUE_PAIRS; i++) {
            connections.connect();
        }
        settle();
    }

    private String nextName() {
        return name + "-" + ++processes;
    }

    /**
     * Waits for the answers: without faults, every verb that answers without further calls does so in the time that the
     * environment allows.
     */
    private void settle() {
        boolean settled = environment.goOnUntil(() -> {
            walk.listen();
            return walk.journal.isSettled();
        });
        if (!settled && environment.severity() == FaultProfile.FAIR) {
            throw walk.journal.wrong("these calls have not completed: " + walk.journal.underWay(), List.of());
        }
    }

    private void step() {
        int lot = walk.random.nextInt(weights);
        for (Step step : steps) {
            lot -= step.weight;
            if (lot < 0) {
                step.action.run();
                break;
            }
        }
        if (walk.oneIn(4)) {
            environment.goOn(walk.random.nextInt(LONGEST_PAUSE));
        }
        walk.listen();
    }

    private void make() {
        if (walk.open(WalkObject.class).size() >= MAX_THINGS) {
            objects.close();
            return;
        }
        switch (walk.random.nextInt(16)) {
            case 0 -> objects.domain();
            case 1 -> objects.allocate();
            case 2, 3 -> objects.register();
            case 4 -> objects.path();
            case 5 -> objects.channel();
            case 6, 7 -> objects.ring();
            case 8 -> objects.shared();
            case 9 -> objects.open();
            case 10, 11, 12 -> keys.make();
            default -> objects.queuePair();
        }
    }

    /** Closes a context or lets a process exit; another one begins in its place. */
    private void leave() {
        if (walk.oneIn(2)) {
            objects.closeContext();
        } else if (walk.open(Program.class).size() > 1) {
            objects.exit();
            Program next = objects.process(walk.any(environment.adapters()), nextName());
            objects.open(next);
            objects.allocate(next);
        }
    }

    private Sum finish() {
        rest();
        walk.open(WalkQueuePair.class)
                .forEach(qp -> walk.close("close", qp, () -> qp.handle().closeAsync()));
        rest();
        walk.open(CqModel.class).forEach(this::drain);
        everyRequestEnded();
        walk.all(Memory.class).forEach(this::countsWhatWasAdded);
        leaveAll();
        rest();
        everyCallEnded();
        nothingIsLeft();
        return new Sum(
                walk.journal.calls(),
                walk.all(WalkObject.class).size(),
                walk.requests.succeeded(),
                walk.requests.failed());
    }

    private void rest() {
        settle();
        if (environment.comeToRest()) {
            walk.listen();
            for (Request request : walk.requests.all()) {
                if (!request.isOver() && walk.requests.ends().mustHaveEnded(request)) {
                    throw walk.requests.wrong(request, "the network is at rest, but the request has not ended");
                }
            }
        }
        walk.listen();
    }

    /** Cancels the subscriptions and polls the queue until it is empty. */
    private void drain(CqModel cq) {
        settle();
        for (int i = 0; i < POLLS; i++) {
            // Each time, since on real threads a subscription may start only now.
            cq.listeners.forEach(Listener::cancel);
            int before = walk.requests.ended();
            Call call = completions.poll(cq, MAX_POLLED);
            settle();
            if (call.succeeded() && before == walk.requests.ended()) {
                return;
            }
            if (!call.succeeded() && !environment.hasOneThread()) {
                // A cancelled subscription takes a moment to release its queue.
                environment.comeToRest();
            }
        }
    }

    private void everyRequestEnded() {
        for (Request request : walk.requests.all()) {
            if (!request.isOver() && !walk.requests.ends().mayHaveNoCompletion(request)) {
                throw walk.requests.wrong(request, "all queues were flushed and polled, but the request never ended");
            }
        }
    }

    /** Checks that the word counts each plain and masked atomic once. */
    private void countsWhatWasAdded(Memory memory) {
        Payload.word(walk.requests, memory)
                .filter(word -> word < memory.haveAdded || word > memory.mayHaveAdded)
                .ifPresent(word -> {
                    throw walk.journal.wrong(
                            "the word of %s is %d, but of %d atomics that add 1, %d succeeded"
                                    .formatted(memory, word, memory.mayHaveAdded, memory.haveAdded),
                            List.of(memory));
                });
    }

    /** Ends each process in its own way: its objects one by one from the last, or its contexts, or all at once. */
    private void leaveAll() {
        for (Program program : walk.open(Program.class)) {
            int way = walk.random.nextInt(3);
            if (way == 0) {
                List<WalkObject> inIt = walk.open(WalkObject.class).stream()
                        .filter(thing -> thing.owner()
                                .flatMap(WalkObject::owner)
                                .filter(program::equals)
                                .isPresent())
                        .toList();
                inIt.reversed().forEach(objects::close);
            }
            if (way < 2) {
                walk.open(OpenedContext.class).stream()
                        .filter(context -> context.program == program)
                        .forEach(context -> walk.close(
                                "close", context, () -> context.handle().closeAsync()));
            }
            walk.close("exit", program, program.process::exit);
        }
    }

    private void everyCallEnded() {
        environment.goOnUntil(() -> {
            walk.listen();
            return walk.journal.underWay().isEmpty();
        });
        List<Call> left = walk.journal.underWay();
        if (!left.isEmpty()) {
            List<WalkObject> about = new ArrayList<>(left.getFirst().about());
            throw walk.journal.wrong(
                    "all objects are closed, but this call never completed: " + left.getFirst(), about);
        }
    }

    private void nothingIsLeft() {
        for (OpenedContext context : walk.all(OpenedContext.class)) {
            if (!context.handle().openObjects().isEmpty()) {
                throw walk.journal.wrong(
                        context + " is closed, but still has "
                                + context.handle().openObjects(),
                        List.of(context));
            }
        }
        for (Memory memory : walk.all(Memory.class)) {
            if (memory.handle().isMapped()) {
                throw walk.journal.wrong(memory + " is still mapped, but its process has exited", List.of(memory));
            }
        }
        for (Adapter adapter : environment.adapters()) {
            nextGeneration(adapter);
        }
    }

    /** Checks that another process under the old name begins with nothing. */
    private void nextGeneration(Adapter adapter) {
        HostProcess process = adapter.process(name + "-1");
        DeviceContext context = process.open();
        if (!context.openObjects().isEmpty()) {
            throw walk.journal.wrong(
                    "a new process must have no open objects, but it has " + context.openObjects(), List.of());
        }
        Call call = walk.journal.begin("exit process " + process.name(), List.of());
        walk.journal.later(call, ended -> AllowedAnswer.SUCCESS_ONLY, process::exit, report -> {});
        settle();
        everyCallEnded();
    }
}
