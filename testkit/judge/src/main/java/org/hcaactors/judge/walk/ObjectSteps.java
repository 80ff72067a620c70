// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.QpBuilder;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.judge.walk.Things.Channel;
import org.hcaactors.judge.walk.Things.Domain;
import org.hcaactors.judge.walk.Things.Memory;
import org.hcaactors.judge.walk.Things.Opened;
import org.hcaactors.judge.walk.Things.Path;
import org.hcaactors.judge.walk.Things.Program;
import org.hcaactors.judge.walk.Things.Region;
import org.hcaactors.judge.walk.Things.Ring;
import org.hcaactors.judge.walk.Things.Shared;
import org.hcaactors.lab.pair.Transport;

/** Everything that is made, from what there is, and everything that is closed, whether it is used or not. */
final class ObjectSteps {
    private static final int LARGE = 255;
    private static final int SMALL = 7;
    static final int SHARED_LENGTH = 32;
    static final AccessFlags ALL = AccessFlags.of(Access.values());
    static final List<AccessFlags> RIGHTS = List.of(
            AccessFlags.NONE,
            AccessFlags.of(Access.LOCAL_WRITE),
            AccessFlags.of(Access.REMOTE_READ),
            AccessFlags.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE),
            AccessFlags.of(Access.LOCAL_WRITE, Access.REMOTE_ATOMIC));

    private final Scene scene;

    ObjectSteps(Scene scene) {
        this.scene = scene;
    }

    /** A process that nobody had before. */
    Program process(Adapter adapter, String name) {
        Call call = scene.journal.begin("start process " + name + " on " + adapter.name(), List.of());
        scene.journal.now(call, ended -> AllowedAnswer.SUCCESS_ONLY, () -> {});
        return scene.add(new Program(adapter, adapter.process(name), call));
    }

    void open() {
        scene.pick(Program.class).ifPresent(this::open);
    }

    void open(Program program) {
        Call call = scene.journal.begin("open the adapter for " + program.name(), List.of(program));
        Opened context = new Opened(scene.name("context"), call, program);
        scene.journal.now(call, ended -> Outcomes.using(ended, program), () -> context.made(program.process.open()));
        scene.add(context);
    }

    void allocate() {
        scene.pick(Program.class).ifPresent(this::allocate);
    }

    void allocate(Program program) {
        Call call = scene.journal.begin("allocate memory for " + program.name(), List.of(program));
        Memory memory = new Memory(scene.name("memory"), call, program);
        scene.journal.now(
                call,
                ended -> Outcomes.using(ended, program),
                () -> memory.made(program.process.allocate(Memory.BYTES)));
        scene.add(memory);
    }

    void domain() {
        scene.pick(Opened.class).ifPresent(this::domain);
    }

    void domain(Opened context) {
        Call call = scene.journal.begin("allocate a domain in " + context.name(), List.of(context));
        Domain domain = new Domain(scene.name("domain"), call, context);
        scene.journal.now(
                call,
                ended -> Outcomes.using(ended, context),
                () -> domain.made(context.handle().allocatePd()));
        scene.add(domain);
    }

    void register() {
        scene.pick(Domain.class)
                .ifPresent(domain -> scene.pick(Memory.class, memory -> memory.program == domain.context.program)
                        .ifPresent(memory -> register(domain, memory, scene.oneIn(6) ? scene.any(RIGHTS) : ALL)));
    }

    void register(Domain domain, Memory memory, AccessFlags rights) {
        scene.make(
                "register " + memory.name() + " in " + domain.name() + " for " + rights,
                List.of(domain, memory),
                call -> new Region(scene.name("region"), call, domain, memory, rights),
                () -> domain.handle().register(memory.handle(), 0, Memory.BYTES, rights));
    }

    void path() {
        scene.pick(Domain.class).ifPresent(domain -> {
            Adapter to = scene.any(scene.ground.adapters());
            scene.make(
                    "address handle in " + domain.name() + " to " + to.name(),
                    List.of(domain),
                    call -> new Path(scene.name("path"), call, domain, to),
                    () -> domain.handle().createAddressHandle(AddressVector.to(to.gid())));
        });
    }

    void channel() {
        scene.pick(Opened.class)
                .ifPresent(context -> scene.make(
                        "completion channel in " + context.name(),
                        List.of(context),
                        call -> new Channel(scene.name("channel"), call, context),
                        () -> context.handle().createChannel()));
    }

    void ring() {
        scene.pick(Opened.class)
                .ifPresent(context -> ring(
                        context,
                        scene.oneIn(3)
                                ? Optional.empty()
                                : scene.pick(Channel.class, channel -> channel.context == context)));
    }

    void ring(Opened context, Optional<Channel> channel) {
        boolean ignores = scene.oneIn(5);
        int places = scene.oneIn(4) ? SMALL : LARGE;
        CqDescription plain = CqDescription.of(places);
        CqDescription reporting =
                channel.map(each -> plain.reportingTo(each.handle())).orElse(plain);
        CqDescription wanted = ignores ? reporting.ignoringOverrun() : reporting;
        scene.make(
                "completion queue of " + places + (ignores ? " that ignores overrun" : "") + " in " + context.name()
                        + channel.map(each -> " for " + each.name()).orElse(""),
                Stream.concat(Stream.of(context), channel.stream()).toList(),
                call -> new Ring(scene.name("cq"), call, context, channel, places, ignores),
                () -> context.handle().createCq(wanted));
    }

    void shared() {
        scene.pick(Domain.class)
                .ifPresent(domain -> scene.make(
                        "shared receive queue in " + domain.name(),
                        List.of(domain),
                        call -> new Shared(scene.name("srq"), call, domain),
                        () -> domain.handle()
                                .createSrq(SrqDescription.of(SHARED_LENGTH).withMaxSge(2))));
    }

    void queuePair() {
        scene.pick(Domain.class).ifPresent(this::queuePair);
    }

    void queuePair(Domain domain) {
        Optional<Ring> sends = ringFor(domain);
        Optional<Ring> receives = scene.oneIn(2) ? sends : ringFor(domain);
        if (sends.isEmpty() || receives.isEmpty()) {
            return;
        }
        int lot = scene.lots.nextInt(10);
        Transport transport = lot < 7 ? Transport.RC : lot < 8 ? Transport.UC : Transport.UD;
        Optional<Shared> shared = !transport.sharesReceives() || !scene.oneIn(4)
                ? Optional.empty()
                : scene.pick(Shared.class, queue -> queue.domain.context == domain.context);
        int length = scene.oneIn(4) ? 2 : 16;
        queuePair(transport, domain, sends.get(), receives.get(), shared, length);
    }

    /** A reliable connection that takes of a queue of that domain. */
    void queuePair(Domain domain, Shared shared) {
        ringFor(domain)
                .ifPresent(ring -> queuePair(Transport.RC, domain, ring, ring, Optional.of(shared), SHARED_LENGTH / 2));
    }

    /** Mostly of its own context; another's is refused. */
    private Optional<Ring> ringFor(Domain domain) {
        return scene.pick(Ring.class, ring -> ring.context == domain.context);
    }

    private void queuePair(
            Transport transport, Domain domain, Ring sends, Ring receives, Optional<Shared> shared, int length) {
        List<Thing> needs = Stream.<Thing>concat(Stream.of(domain, sends, receives), shared.stream())
                .toList();
        // rule tag-transports
        boolean brings = transport == Transport.RC
                || shared.filter(TagQueue.class::isInstance).isEmpty();
        scene.make(
                transport + " queue pair of " + needs,
                needs,
                brings ? Set.of() : Set.of(Errno.EINVAL),
                call -> new Qp(scene.name("qp"), call, transport, domain, sends, receives, shared, length, length),
                () -> switch (transport) {
                    case RC ->
                        filling(domain, described(domain.handle().rc(), sends, receives, shared, length))
                                .create();
                    case UC ->
                        described(domain.handle().uc(), sends, receives, shared, length)
                                .create();
                    case UD ->
                        described(domain.handle().ud(), sends, receives, shared, length)
                                .create();
                    case XRC ->
                        described(domain.handle().xrc(), sends, receives, shared, length)
                                .create();
                    case DC ->
                        described(domain.handle().dc(), sends, receives, shared, length)
                                .create();
                });
    }

    private static QpBuilder<RcQueuePair> filling(Domain domain, QpBuilder<RcQueuePair> plain) {
        return KeySteps.hasIndirectKeys(domain) ? plain.fillingKeys(KeySteps.ENTRIES) : plain;
    }

    private static <Q extends QueuePair> QpBuilder<Q> described(
            QpBuilder<Q> plain, Ring sends, Ring receives, Optional<Shared> shared, int length) {
        QpBuilder<Q> described = plain.sendCq(sends.handle())
                .recvCq(receives.handle())
                .capacity(QpCapacity.of(length).withMaxSge(2).withMaxInlineBytes(64));
        return shared.map(queue -> described.srq(queue.handle())).orElse(described);
    }

    /** Closes something, mostly what nothing stands on; whole contexts and processes have steps of their own. */
    void close() {
        List<Thing> closable = scene.all(Thing.class).stream()
                .filter(thing -> thing instanceof Things.Made<?> && !(thing instanceof Opened))
                .filter(thing -> scene.oneIn(20) || thing.isOpen())
                .toList();
        List<Thing> unused = closable.stream()
                .filter(thing -> thing.users().stream().noneMatch(Thing::isOpen))
                .toList();
        scene.anyOf(scene.oneIn(3) || unused.isEmpty() ? closable : unused).ifPresent(this::close);
    }

    /** Something is made on what is about to go, or was just told to: one of the two comes too late. */
    void closeBesideMaking() {
        scene.anyOf(scene.open(Ring.class)).ifPresent(ring -> {
            Thing victim =
                    ring.uses().isEmpty() || scene.oneIn(2) ? ring : ring.uses().getFirst();
            boolean first = scene.oneIn(2);
            if (first) {
                close(victim);
            }
            scene.anyOf(scene.open(Domain.class).stream()
                            .filter(domain -> domain.context == ring.context)
                            .toList())
                    .ifPresent(domain -> queuePair(Transport.RC, domain, ring, ring, Optional.empty(), 2));
            if (!first) {
                close(victim);
            }
        });
    }

    void close(Thing thing) {
        if (thing instanceof Qp qp) {
            boolean flushed = !scene.oneIn(3);
            if (!flushed && qp.isOpen()) {
                qp.destroyedUnflushed();
            }
            scene.close(
                    flushed ? "close" : "destroy",
                    qp,
                    () -> flushed ? qp.handle().closeAsync() : qp.handle().destroy());
        } else if (thing instanceof Things.Made<?> made) {
            scene.close("close", thing, () -> made.handle().closeAsync());
        }
    }

    void closeContext() {
        scene.pick(Opened.class)
                .ifPresent(context ->
                        scene.close("close", context, () -> context.handle().closeAsync()));
    }

    void exit() {
        scene.pick(Program.class).ifPresent(program -> scene.close("exit", program, program.process::exit));
    }
}
