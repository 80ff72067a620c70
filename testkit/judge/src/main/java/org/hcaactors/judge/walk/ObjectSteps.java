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
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.judge.walk.WalkObjects.Channel;
import org.hcaactors.judge.walk.WalkObjects.CqModel;
import org.hcaactors.judge.walk.WalkObjects.Domain;
import org.hcaactors.judge.walk.WalkObjects.Memory;
import org.hcaactors.judge.walk.WalkObjects.OpenedContext;
import org.hcaactors.judge.walk.WalkObjects.Program;
import org.hcaactors.judge.walk.WalkObjects.Region;
import org.hcaactors.judge.walk.WalkObjects.Shared;
import org.hcaactors.judge.walk.WalkObjects.WalkAddressHandle;
import org.hcaactors.lab.pair.Transport;

/** Steps that create objects from existing ones, and close objects, in use or not. */
final class ObjectSteps {
    private static final int LARGE = 255;
    private static final int SMALL = 7;
    static final int SHARED_LENGTH = 31;
    static final AccessFlags ALL = AccessFlags.of(Access.values());
    static final List<AccessFlags> RIGHTS = List.of(
            AccessFlags.NONE,
            AccessFlags.of(Access.LOCAL_WRITE),
            AccessFlags.of(Access.REMOTE_READ),
            AccessFlags.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE),
            AccessFlags.of(Access.LOCAL_WRITE, Access.REMOTE_ATOMIC));

    private final WalkContext walk;

    ObjectSteps(WalkContext walk) {
        this.walk = walk;
    }

    /** Starts a process with a new name. */
    Program process(Adapter adapter, String name) {
        Call call = walk.journal.begin("start process " + name + " on " + adapter.name(), List.of());
        walk.journal.now(call, ended -> AllowedAnswer.SUCCESS_ONLY, () -> {});
        return walk.add(new Program(adapter, adapter.process(name), call));
    }

    void open() {
        walk.pick(Program.class).ifPresent(this::open);
    }

    void open(Program program) {
        Call call = walk.journal.begin("open the adapter for " + program.name(), List.of(program));
        OpenedContext context = new OpenedContext(walk.name("context"), call, program);
        walk.journal.now(
                call, ended -> AllowedAnswers.using(ended, program), () -> context.made(program.process.open()));
        walk.add(context);
    }

    void allocate() {
        walk.pick(Program.class).ifPresent(this::allocate);
    }

    void allocate(Program program) {
        Call call = walk.journal.begin("allocate memory for " + program.name(), List.of(program));
        Memory memory = new Memory(walk.name("memory"), call, program);
        walk.journal.now(
                call,
                ended -> AllowedAnswers.using(ended, program),
                () -> memory.made(program.process.allocate(Memory.BYTES)));
        walk.add(memory);
    }

    void domain() {
        walk.pick(OpenedContext.class).ifPresent(this::domain);
    }

    void domain(OpenedContext context) {
        Call call = walk.journal.begin("allocate a domain in " + context.name(), List.of(context));
        Domain domain = new Domain(walk.name("domain"), call, context);
        walk.journal.now(
                call,
                ended -> AllowedAnswers.using(ended, context),
                () -> domain.made(context.handle().allocatePd()));
        walk.add(domain);
    }

    void register() {
        walk.pick(Domain.class)
                .ifPresent(domain -> walk.pick(Memory.class, memory -> memory.program == domain.context.program)
                        .ifPresent(memory -> register(domain, memory, walk.oneIn(6) ? walk.any(RIGHTS) : ALL)));
    }

    void register(Domain domain, Memory memory, AccessFlags rights) {
        walk.make(
                "register " + memory.name() + " in " + domain.name() + " for " + rights,
                List.of(domain, memory),
                call -> new Region(walk.name("region"), call, domain, memory, rights),
                () -> domain.handle().register(memory.handle(), 0, Memory.BYTES, rights));
    }

    void path() {
        walk.pick(Domain.class).ifPresent(domain -> {
            Adapter to = walk.any(walk.environment.adapters());
            walk.make(
                    "address handle in " + domain.name() + " to " + to.name(),
                    List.of(domain),
                    call -> new WalkAddressHandle(walk.name("path"), call, domain, to),
                    () -> domain.handle().createAddressHandle(AddressVector.to(to.gid())));
        });
    }

    void channel() {
        walk.pick(OpenedContext.class)
                .ifPresent(context -> walk.make(
                        "completion channel in " + context.name(),
                        List.of(context),
                        call -> new Channel(walk.name("channel"), call, context),
                        () -> context.handle().createChannel()));
    }

    void ring() {
        walk.pick(OpenedContext.class)
                .ifPresent(context -> ring(
                        context,
                        walk.oneIn(3)
                                ? Optional.empty()
                                : walk.pick(Channel.class, channel -> channel.context == context)));
    }

    void ring(OpenedContext context, Optional<Channel> channel) {
        boolean ignores = walk.oneIn(5);
        int places = walk.oneIn(4) ? SMALL : LARGE;
        CqDescription plain = CqDescription.of(places);
        CqDescription reporting =
                channel.map(each -> plain.withChannel(each.handle())).orElse(plain);
        CqDescription requested = ignores ? reporting.withIgnoreOverrun() : reporting;
        walk.make(
                "completion queue of " + places + (ignores ? " that ignores overrun" : "") + " in " + context.name()
                        + channel.map(each -> " for " + each.name()).orElse(""),
                Stream.concat(Stream.of(context), channel.stream()).toList(),
                call -> new CqModel(walk.name("cq"), call, context, channel, places, ignores),
                () -> context.handle().createCq(requested));
    }

    void shared() {
        walk.pick(Domain.class)
                .ifPresent(domain -> walk.make(
                        "shared receive queue in " + domain.name(),
                        List.of(domain),
                        call -> new Shared(walk.name("srq"), call, domain),
                        () -> domain.handle()
                                .createSrq(SrqDescription.of(SHARED_LENGTH).withMaxSge(2))));
    }

    void queuePair() {
        walk.pick(Domain.class).ifPresent(this::queuePair);
    }

    void queuePair(Domain domain) {
        Optional<CqModel> sends = ringFor(domain);
        Optional<CqModel> receives = walk.oneIn(2) ? sends : ringFor(domain);
        if (sends.isEmpty() || receives.isEmpty()) {
            return;
        }
        int lot = walk.random.nextInt(10);
        Transport transport = lot < 7 ? Transport.RC : lot < 8 ? Transport.UC : Transport.UD;
        Optional<Shared> shared = !transport.sharesReceives() || !walk.oneIn(4)
                ? Optional.empty()
                : walk.pick(Shared.class, queue -> queue.domain.context == domain.context);
        int length = walk.oneIn(4) ? 2 : 16;
        queuePair(transport, domain, sends.get(), receives.get(), shared, length);
    }

    /** Creates a reliable queue pair with the domain's shared receive queue. */
    void queuePair(Domain domain, Shared shared) {
        ringFor(domain)
                .ifPresent(cq -> queuePair(Transport.RC, domain, cq, cq, Optional.of(shared), SHARED_LENGTH / 2));
    }

    /** Returns a completion queue, mostly of the same context; one of another context is refused. */
    private Optional<CqModel> ringFor(Domain domain) {
        return walk.pick(CqModel.class, cq -> cq.context == domain.context);
    }

    private void queuePair(
            Transport transport, Domain domain, CqModel sends, CqModel receives, Optional<Shared> shared, int length) {
        List<WalkObject> needs = Stream.<WalkObject>concat(Stream.of(domain, sends, receives), shared.stream())
                .toList();
        // rule tag-transports
        boolean brings = transport == Transport.RC
                || shared.filter(TagQueue.class::isInstance).isEmpty();
        walk.make(
                transport + " queue pair of " + needs,
                needs,
                brings ? Set.of() : Set.of(Errno.EINVAL),
                call -> new WalkQueuePair(
                        walk.name("qp"), call, transport, domain, sends, receives, shared, length, length),
                () -> switch (transport) {
                    case RC ->
                        domain.handle()
                                .createQp(filling(
                                        domain, described(QpDescription.rc(), sends, receives, shared, length)));
                    case UC -> domain.handle().createQp(described(QpDescription.uc(), sends, receives, shared, length));
                    case UD -> domain.handle().createQp(described(QpDescription.ud(), sends, receives, shared, length));
                    case XRC ->
                        domain.handle().createQp(described(QpDescription.xrc(), sends, receives, shared, length));
                    case DC -> domain.handle().createQp(described(QpDescription.dc(), sends, receives, shared, length));
                });
    }

    private static QpDescription<RcQueuePair> filling(Domain domain, QpDescription<RcQueuePair> plain) {
        return KeySteps.hasIndirectKeys(domain) ? plain.withKeyFilling(KeySteps.ENTRIES) : plain;
    }

    private static <Q extends QueuePair> QpDescription<Q> described(
            QpDescription<Q> plain, CqModel sends, CqModel receives, Optional<Shared> shared, int length) {
        QpDescription<Q> described = plain.withSendCq(sends.handle())
                .withRecvCq(receives.handle())
                .withCapacity(QpCapacity.of(length).withMaxSge(2).withMaxInlineBytes(64));
        return shared.map(queue -> described.withSrq(queue.handle())).orElse(described);
    }

    /** Closes an object, mostly an unused one; contexts and processes have steps of their own. */
    void close() {
        List<WalkObject> closable = walk.all(WalkObject.class).stream()
                .filter(thing -> thing instanceof WalkObjects.HandleObject<?> && !(thing instanceof OpenedContext))
                .filter(thing -> walk.oneIn(20) || thing.isOpen())
                .toList();
        List<WalkObject> unused = closable.stream()
                .filter(thing -> thing.users().stream().noneMatch(WalkObject::isOpen))
                .toList();
        walk.anyOf(walk.oneIn(3) || unused.isEmpty() ? closable : unused).ifPresent(this::close);
    }

    /** Creates an object on one that is being closed or about to be: one of the two calls must fail. */
    void closeBesideMaking() {
        walk.anyOf(walk.open(CqModel.class)).ifPresent(cq -> {
            WalkObject victim =
                    cq.uses().isEmpty() || walk.oneIn(2) ? cq : cq.uses().getFirst();
            boolean first = walk.oneIn(2);
            if (first) {
                close(victim);
            }
            walk.anyOf(walk.open(Domain.class).stream()
                            .filter(domain -> domain.context == cq.context)
                            .toList())
                    .ifPresent(domain -> queuePair(Transport.RC, domain, cq, cq, Optional.empty(), 2));
            if (!first) {
                close(victim);
            }
        });
    }

    void close(WalkObject thing) {
        if (thing instanceof WalkQueuePair qp) {
            boolean flushed = !walk.oneIn(3);
            if (!flushed && qp.isOpen()) {
                qp.destroyedUnflushed();
            }
            walk.close(
                    flushed ? "close" : "destroy",
                    qp,
                    () -> flushed ? qp.handle().closeAsync() : qp.handle().destroy());
        } else if (thing instanceof WalkObjects.HandleObject<?> made) {
            walk.close("close", thing, () -> made.handle().closeAsync());
        }
    }

    void closeContext() {
        walk.pick(OpenedContext.class)
                .ifPresent(context ->
                        walk.close("close", context, () -> context.handle().closeAsync()));
    }

    void exit() {
        walk.pick(Program.class).ifPresent(program -> walk.close("exit", program, program.process::exit));
    }
}
