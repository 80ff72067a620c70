// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.hcaactors.api.capability.MemoryCapabilities.Feature;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.memory.Reregistration.Change;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.judge.walk.Request.Flaws;
import org.hcaactors.judge.walk.Request.Report;
import org.hcaactors.judge.walk.Request.Verb;
import org.hcaactors.judge.walk.WalkObjects.Domain;
import org.hcaactors.judge.walk.WalkObjects.Indirect;
import org.hcaactors.judge.walk.WalkObjects.MappingKey;
import org.hcaactors.judge.walk.WalkObjects.Region;
import org.hcaactors.judge.walk.WalkObjects.Window;
import org.hcaactors.lab.pair.Transport;

/** Steps with regions whose rights change, memory windows, and indirect keys. */
final class KeySteps {
    /** Maximum number of entries of an indirect key, and of the requests that fill it. */
    static final int ENTRIES = 4;

    private final WalkContext walk;
    private final WorkSteps work;

    KeySteps(WalkContext walk, WorkSteps work) {
        this.walk = walk;
        this.work = work;
    }

    private static Profile profile(Domain domain) {
        return domain.context.program.adapter.profile();
    }

    static boolean hasIndirectKeys(Domain domain) {
        return profile(domain).indirectKeys().isSupported();
    }

    void make() {
        walk.pick(Domain.class).ifPresent(this::make);
    }

    /** Creates a key that does not map anything yet. */
    void make(Domain domain) {
        if (hasIndirectKeys(domain) && walk.oneIn(3)) {
            walk.make(
                    "indirect key in " + domain.name(),
                    List.of(domain),
                    call -> new Indirect(walk.name("indirect"), call, domain),
                    () -> domain.handle().createIndirectKey(IndirectKeyDescription.of(ENTRIES)));
        } else if (profile(domain).windows().type1()) {
            walk.make(
                    "window in " + domain.name(),
                    List.of(domain),
                    call -> new Window(walk.name("window"), call, domain),
                    () -> domain.handle().allocateWindow(WindowType.TYPE_1));
        }
    }

    /** Changes the rights only: the address range stays the same. */
    void reregister() {
        walk.pick(Region.class, region -> profile(region.domain).memory().has(Feature.REREGISTRATION))
                .ifPresent(region -> {
                    AccessFlags rights = walk.oneIn(2) ? walk.any(ObjectSteps.RIGHTS) : ObjectSteps.ALL;
                    Call call = walk.journal.begin("re-register " + region.name() + " for " + rights, List.of(region));
                    region.changing(call, rights);
                    walk.journal.later(
                            call,
                            ended -> AllowedAnswers.changing(ended, region),
                            () -> region.handle()
                                    .reregister(Reregistration.of(Change.ACCESS).withAccess(rights)),
                            done -> {});
                });
    }

    /** Binds or fills a key that covers all of a region from now on. */
    void show() {
        if (walk.oneIn(3)) {
            walk.pick(Indirect.class, MappingKey::isSettled)
                    .ifPresent(key -> with(key, (qp, region) -> fill(qp, key, region)));
        } else {
            walk.pick(Window.class, MappingKey::isSettled)
                    .ifPresent(key -> with(key, (qp, region) -> bind(qp, key, region)));
        }
    }

    /** Calls the action with a queue pair that can execute the request, and a region for it. */
    private void with(MappingKey<?> key, BiConsumer<WalkQueuePair, Region> change) {
        walk.pick(WalkQueuePair.class, qp -> qp.domain == key.domain && isReady(qp))
                .ifPresent(qp -> walk.regionOf(key.domain).ifPresent(region -> change.accept(qp, region)));
    }

    private boolean isReady(WalkQueuePair qp) {
        boolean speaks = qp.peer().isPresent() && !qp.mayBeFull() && !qp.wasMeantToStop();
        return qp.transport == Transport.RC && (speaks || walk.oneIn(10));
    }

    private void bind(WalkQueuePair qp, Window window, Region region) {
        Request request = request("bind", qp, window, region);
        RegionAlias alias = RegionAlias.of(walk.name("alias"), shown(request), window, region);
        WindowBinding all = WindowBinding.of(region.handle()).withAccess(AccessFlags.LOCAL_AND_REMOTE);
        int before = window.handle().rkey();
        RcQueuePair rc = (RcQueuePair) qp.handle();
        Supplier<Runnable> posted = () -> {
            alias.beginsAt(window.handle().remote(region.handle().address()));
            return () -> window.handle().restore(before);
        };
        post(request, qp, alias, () -> rc.submitBind(request.id, window.handle(), all), posted);
        window.shows(alias);
    }

    private void fill(WalkQueuePair qp, Indirect key, Region region) {
        Request request = request("fill", qp, key, region);
        RegionAlias alias = RegionAlias.of(walk.name("alias"), shown(request), key, region);
        KeyLayout all = KeyLayout.list(region.handle().slice(0, WalkObjects.Memory.BYTES));
        FillKey fill = FillKey.of(request.id, key.handle(), all).withAccess(AccessFlags.LOCAL_AND_REMOTE);
        RcQueuePair rc = (RcQueuePair) qp.handle();
        post(request, qp, alias, () -> rc.submit(fill), () -> {
            alias.beginsAt(key.handle().remote(0));
            return () -> {};
        });
        key.shows(alias);
    }

    private Request request(String how, WalkQueuePair qp, MappingKey<?> key, Region region) {
        String what = how + " " + key.name() + " to " + region.name() + " on " + qp.name();
        Call call = walk.journal.begin(what, List.of(qp, key, region)).mayLast();
        return new Request(
                walk.requests.nextId(),
                Verb.KEY,
                Report.STAGE,
                0,
                Flaws.NONE,
                call,
                Optional.of(qp),
                Optional.empty(),
                Optional.empty(),
                false,
                Optional.empty(),
                false);
    }

    /** Returns a call for the execution, which is between the posting and the completion. */
    private static Call shown(Request request) {
        return new Call("carry out " + request, List.of(), request.posting.began(), false);
    }

    /**
     * Posts the request.
     *
     * @param posted runs after the post; returns what to undo if the request is not executed
     */
    private void post(
            Request request,
            WalkQueuePair qp,
            RegionAlias alias,
            Supplier<CompletionStage<WorkCompletion>> change,
            Supplier<Runnable> posted) {
        request.goesThrough(alias);
        walk.add(alias);
        walk.requests.add(request);
        Supplier<CompletionStage<WorkCompletion>> submit = () -> {
            CompletionStage<WorkCompletion> stage = change.get();
            Runnable otherwise = posted.get();
            stage.whenComplete((done, failed) -> walk.journal.note(() -> {
                alias.ended(walk.journal.now(), Optional.ofNullable(done), Journal.refusal(failed));
                if (alias.making().wasRefused()) {
                    otherwise.run();
                }
            }));
            return stage;
        };
        Runnable post = () -> {
            CompletionStage<WorkCompletion> unused = submit.get(); // the journal has it
        };
        work.post(request, qp, Optional.empty(), false, submit, post);
    }
}
