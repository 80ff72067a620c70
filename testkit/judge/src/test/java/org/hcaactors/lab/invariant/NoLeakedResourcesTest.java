// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.hcaactors.adapter.audit.Audited;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.junit.jupiter.api.Test;

/** Uses one context, with a queue pair, its completion queue, and a region on which it has a lease. */
class NoLeakedResourcesTest {
    private static final String ADAPTER = HandMadeTrace.PORT;
    private static final int KEY = 0x200;
    private static final ResourceSnapshot.Translator REGION =
            new ResourceSnapshot.Translator(ADAPTER, KEY, 1, List.of());
    private static final ResourceSnapshot.CompletionQueue QUEUE =
            new ResourceSnapshot.CompletionQueue(ADAPTER, 1, 1, 0, 7);
    private static final ResourceSnapshot.Fabric FABRIC = new ResourceSnapshot.Fabric(Map.of(ADAPTER, 2));
    private static final ResourceSnapshot.QueuePair QUEUE_PAIR =
            TestResourceAudit.queuePair(QpState.RTS, 0, 0, TestResourceAudit.WAITS_FOR_NOTHING, List.of(KEY));
    private static final ResourceSnapshot.Adapter TABLES =
            new ResourceSnapshot.Adapter(ADAPTER, List.of(HandMadeTrace.QP), List.of(KEY >>> 8), 1, 1, 1);
    private static final ResourceSnapshot.Context CONTEXT = new ResourceSnapshot.Context(
            ADAPTER, "app", Map.of(ObjectKind.QUEUE_PAIR, 1, ObjectKind.REGION, 1, ObjectKind.COMPLETION_QUEUE, 1));

    private static final ResourceSnapshot.Host HOST = new ResourceSnapshot.Host(ADAPTER, 3, 3, 0);

    private final TestResourceAudit audit = new TestResourceAudit();
    private List<String> actors = List.of("qp-17", "cq-1", "mr-00000200", "events-1");
    private final HandMadeTrace trace =
            new HandMadeTrace(new NoLeakedResources(audit.ledger, adapter -> actors), QpType.RC);

    /** Opens all snapshots, with one replaced by the given one, and returns the violations. */
    private List<String> brokenBy(ResourceSnapshot other) {
        for (ResourceSnapshot each : List.of(REGION, QUEUE, FABRIC, QUEUE_PAIR, TABLES, CONTEXT, HOST)) {
            audit.open(each.getClass() == other.getClass() ? other : each);
        }
        return trace.quiet().stories();
    }

    @Test
    void openObjectsMayHoldResources() {
        assertThat(brokenBy(CONTEXT)).isEmpty();
    }

    @Test
    void anActorTooManyIsFound() {
        actors = List.of("qp-17", "cq-1", "mr-00000200", "mr-00000300", "events-1");
        assertThat(brokenBy(CONTEXT)).singleElement().asString().contains("2 actors mr-*", "1 regions open");
    }

    @Test
    void anObjectWithoutAnActorIsFound() {
        actors = List.of("qp-17", "cq-1", "mr-00000200");
        assertThat(brokenBy(CONTEXT)).singleElement().asString().contains("0 actors events-*");
    }

    @Test
    void aLeaseWithoutAHolderIsFound() {
        assertThat(brokenBy(new ResourceSnapshot.Translator(ADAPTER, KEY, 2, List.of())))
                .singleElement()
                .asString()
                .contains("granted leases of key 0x00000200: 2");
    }

    @Test
    void aLeaseHeldByAnotherKeyCounts() {
        ResourceSnapshot.Translator window = new ResourceSnapshot.Translator(ADAPTER, 0x300, 0, List.of(KEY));
        audit.open(window);
        assertThat(brokenBy(new ResourceSnapshot.Translator(ADAPTER, KEY, 2, List.of())))
                .noneMatch(story -> story.contains("leases out"));
    }

    @Test
    void aLeaseOnADeregisteredKeyIsFound() {
        assertThat(brokenBy(TestResourceAudit.queuePair(
                        QpState.RTS, 0, 0, TestResourceAudit.WAITS_FOR_NOTHING, List.of(KEY, 0x300))))
                .singleElement()
                .asString()
                .contains("key 0x00000300, which was deregistered");
    }

    @Test
    void aLeaseInErrorIsFound() {
        assertThat(brokenBy(TestResourceAudit.queuePair(
                        QpState.ERR, 0, 0, TestResourceAudit.WAITS_FOR_NOTHING, List.of(KEY))))
                .singleElement()
                .asString()
                .contains("in ERR holds leases");
    }

    @Test
    void aDestroyedUserIsFound() {
        assertThat(brokenBy(new ResourceSnapshot.CompletionQueue(ADAPTER, 1, 2, 0, 7)))
                .singleElement()
                .asString()
                .contains("users of cq1: 2");
    }

    @Test
    void anEndpointLeftOnTheFabricIsFound() {
        assertThat(brokenBy(new ResourceSnapshot.Fabric(Map.of(ADAPTER, 3)))).hasSize(1);
    }

    @Test
    void numbersLeftInUseAreFound() {
        assertThat(brokenBy(
                        new ResourceSnapshot.Adapter(ADAPTER, List.of(HandMadeTrace.QP), List.of(KEY >>> 8), 2, 2, 1)))
                .hasSize(2);
    }

    @Test
    void memoryOfAProcessThatExitedIsFound() {
        audit.open(new ResourceSnapshot.Process(ADAPTER, "app", 1, 0, true));
        assertThat(trace.quiet().stories()).singleElement().asString().contains("1 of its memories are still mapped");
    }

    // rule pages-freed
    @Test
    void pagesWithoutAHolderAreFound() {
        assertThat(brokenBy(new ResourceSnapshot.Host(ADAPTER, 3, 2, 0)))
                .singleElement()
                .asString()
                .contains("counts pages of 3 buffers, but its processes hold 2");
    }

    // rule pages-freed
    @Test
    void pagesAllocatedTwiceAreFound() {
        assertThat(brokenBy(new ResourceSnapshot.Host(ADAPTER, 3, 3, 1)))
                .singleElement()
                .asString()
                .contains("allocated the same pages to two buffers");
    }

    @Test
    void nothingOpenAtTheEndIsRight() {
        Audited queuePair = audit.open(QUEUE_PAIR);
        audit.open(new ResourceSnapshot.Process(ADAPTER, "app", 0, 0, true));
        audit.open(new ResourceSnapshot.Fabric(Map.of(ADAPTER, 1)));
        audit.ledger.closed(queuePair);
        assertThat(trace.end().stories()).isEmpty();
    }

    @Test
    void objectsOpenAtTheEndAreFound() {
        audit.open(QUEUE);
        audit.open(new ResourceSnapshot.Process(ADAPTER, "app", 1, 0, false));
        assertThat(trace.end().stories()).hasSize(2);
    }

    @Test
    void aStoppedFabricHoldsNothing() {
        audit.open(FABRIC);
        assertThat(trace.end().stories()).isEmpty();
    }
}
