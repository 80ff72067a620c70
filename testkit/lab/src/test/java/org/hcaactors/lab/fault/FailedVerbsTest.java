// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.hcaactors.lab.fault.VerbMatch.verb;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.explain.Explanation;
import org.hcaactors.views.flow.TestkitEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

// rule post-verb-errno
/** Verbs fail on purpose with the requested errno, at the matching call, and without effect. */
class FailedVerbsTest {
    private World world;
    private HostProcess store;
    private DeviceContext context;
    private ProtectionDomain domain;

    @BeforeEach
    void begin() {
        world = World.of(1);
        store = world.adapter("a").process("store");
        context = store.open();
        domain = context.allocatePd();
    }

    @AfterEach
    void end() {
        world.close();
    }

    private void refused(Errno errno, CompletionStage<?> verb) {
        assertThatThrownBy(() -> world.await(verb))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        refused -> assertThat(refused.errno()).isEqualTo(errno));
    }

    private static void refused(Errno errno, Runnable verb) {
        assertThatThrownBy(verb::run)
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        refused -> assertThat(refused.errno()).isEqualTo(errno));
    }

    @Test
    void theThirdCallOfAProcessFailsAndNoOther() {
        world.faults().on(verb(Verb.CREATE_CQ).of(store)).nth(3).fail(Errno.ENOMEM);
        HostProcess other = world.adapter("a").process("other");
        for (int i = 0; i < 4; i++) {
            world.await(other.open().createCq(1));
        }
        world.await(context.createCq(1));
        world.await(context.createCq(1));
        refused(Errno.ENOMEM, context.createCq(1));
        world.await(context.createCq(1));
        assertThat(context.openObjects().leaks())
                .as("three queues and a domain")
                .hasSize(4);
        assertThat(world.faults().firings())
                .extracting(FiredFault::match, FiredFault::what)
                .containsExactly(tuple(3L, "create_cq of store"));
    }

    @Test
    void anErrnoThatAVerbCannotAnswerIsRefused() {
        assertThatThrownBy(() -> world.faults().on(verb(Verb.CREATE_CQ)).fail(Errno.EBUSY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("create_cq cannot fail with EBUSY; EAGAIN, ENOMEM, EINVAL, EIO, EOPNOTSUPP are allowed");
        assertThatThrownBy(() -> world.faults().on(verb()).fail(Errno.ECANCELED))
                .hasMessage("no verb fails with ECANCELED");
        assertThatThrownBy(() -> FaultPlan.parse("faults = [ { fail { verb = POST_RECV, errno = EBUSY } } ]"))
                .hasMessage("line 1: faults[0].fail: post_recv cannot fail with EBUSY; ENOMEM, EINVAL are allowed");
        assertThat(world.faults().plan().faults()).isEmpty();
    }

    @Test
    void aFaultOnVerbsIsDescribedWrittenAndRead() {
        FaultPlan plan = FaultPlan.of(
                new Fault.OnVerbs(verb(Verb.CREATE_CQ).of("store"), new Trigger.Nth(3), Interval.ALL, Errno.ENOMEM),
                new Fault.OnVerbs(
                        new VerbMatch(Set.of(Verb.POST_SEND, Verb.BIND_MW), Optional.empty(), Optional.of("a")),
                        new Trigger.Chance(0.5),
                        Interval.ALL,
                        Errno.ENOMEM),
                new Fault.OnVerbs(verb(), new Trigger.Always(), Interval.ALL, Errno.EAGAIN));
        assertThat(plan)
                .hasToString("fail the 3rd create_cq of store with ENOMEM; fail bind_mw or post_send on a with ENOMEM"
                        + " with probability 0.5; fail verb with EAGAIN every time");
        assertThat(FaultPlan.parse(plan.toHocon())).isEqualTo(plan);
        assertThat(plan.lines().getFirst())
                .isEqualTo(
                        "{\"fail\":{\"errno\":\"ENOMEM\",\"nth\":3,\"process\":\"store\",\"verb\":[\"CREATE_CQ\"]}}");
    }

    @Test
    void aFailedVerbIsReportedInTheRunAndExplained() {
        world.faults().on(verb(Verb.CREATE_CQ)).first().fail(Errno.EAGAIN);
        refused(Errno.EAGAIN, context.createCq(1));
        assertThat(world.trace().of(TestkitEvent.class))
                .extracting(TestkitEvent::what)
                .containsExactly("create_cq of store fails with EAGAIN: \"fail the 1st create_cq with EAGAIN\"");
        List<Explanation> failures = world.explainer().failures();
        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure.lines())
                        .containsExactly(
                                "a: create_cq of store fails with EAGAIN",
                                "  because the testkit: \"fail the 1st create_cq with EAGAIN\""));
    }

    @Test
    void aFailedQueuePairLeavesNoCompletionQueueOfItsOwn() {
        world.faults().on(verb(Verb.CREATE_QP)).first().fail(Errno.ENOMEM);
        refused(Errno.ENOMEM, domain.createQp(QpDescription.rc()));
        world.settle();
        assertThat(context.openObjects().leaks()).as("the domain").hasSize(1);
        world.await(domain.closeAsync());
    }

    @Test
    void anObjectWhoseDestroyFailedCanBeDestroyedLater() {
        CompletionQueue queue = world.await(context.createCq(4));
        world.faults().on(verb(Verb.DESTROY_CQ)).first().fail(Errno.EBUSY);
        refused(Errno.EBUSY, queue.destroy());
        assertThat(world.await(queue.poll(1))).isEmpty();
        world.await(queue.destroy());
        world.await(queue.closeAsync());
        assertThat(world.faults().firings()).hasSize(1);
    }

    @Test
    void aChangeThatFailsLeavesTheStateAsItWas() {
        QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(domain, domain));
        world.faults().on(verb(Verb.MODIFY_QP)).nth(2).fail(Errno.ENOMEM);
        world.await(pair.local().modify(QpModify.to(QpState.RESET)));
        refused(Errno.ENOMEM, pair.local().modify(RcConnection.DEFAULT.toInit()));
        assertThat(pair.local().state()).isEqualTo(QpState.RESET);
        world.await(pair.local().modify(RcConnection.DEFAULT.toInit()));
    }

    @Test
    void aRequestThatIsRefusedIsNotPosted() {
        QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(domain, domain));
        MemoryRegion region = world.await(domain.register(store.allocate(64)));
        world.faults().on(verb(Verb.POST_SEND)).first(2).fail(Errno.ENOMEM);
        refused(Errno.ENOMEM, () -> pair.local().post(Send.of(1, region.slice(0, 8))));
        refused(Errno.ENOMEM, pair.local().submit(Send.of(2, region.slice(0, 8))));
        world.settle();
        assertThat(world.await(pair.local().query()).state()).isEqualTo(QpState.RTS);
        assertThat(world.explainer().openRequests()).isEmpty();
    }

    // rule memory-reregister-fails
    @Test
    void aReregistrationThatFailsLeavesTheRegionUndefined() {
        HostMemory memory = store.allocate(4096);
        MemoryRegion region = world.await(domain.register(memory));
        world.faults().on(verb(Verb.REREG_MR)).first().fail(Errno.EBUSY);
        world.faults().on(verb(Verb.REREG_MR)).nth(2).fail(Errno.ENOMEM);
        Reregistration other = Reregistration.of(Reregistration.Change.ACCESS).withAccess(AccessFlags.LOCAL_AND_REMOTE);
        refused(Errno.EBUSY, region.reregister(other));
        refused(Errno.ENOMEM, region.reregister(other));
        refused(Errno.EINVAL, region.reregister(other));
        world.await(region.deregister());
    }

    @Test
    void aVerbOnAClosedObjectIsRefusedAndIsNoCall() {
        CompletionQueue queue = world.await(context.createCq(4));
        world.await(queue.destroy());
        world.faults().on(verb()).fail(Errno.EIO);
        refused(Errno.EINVAL, queue.poll(1));
        world.await(queue.destroy());
        assertThat(world.faults().firings()).isEmpty();
    }

    @Test
    void closingAContextIsNoVerbOfTheProgram() {
        world.await(QpPair.connectRc(domain, domain));
        world.faults().on(verb()).fail(Errno.EBUSY);
        world.faults().on(verb()).fail(Errno.EIO);
        world.await(context.closeAsync());
        assertThat(world.faults().firings()).isEmpty();
        refused(Errno.EIO, store::open);
        world.faults().stop();
        store.open();
    }
}
