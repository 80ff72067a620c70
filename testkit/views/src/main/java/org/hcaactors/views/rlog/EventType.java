// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.TestkitEvent;

/** Names of event kinds in recorded runs: group, colon, event. */
public enum EventType {
    SENT("fabric:sent", FabricEvent.Sent.class),
    DELIVERED("fabric:delivered", FabricEvent.Delivered.class),
    DROPPED("fabric:dropped", FabricEvent.Dropped.class),
    CORRUPTED("fabric:corrupted", FabricEvent.Corrupted.class),
    DISTURBED("fabric:disturbed", FabricEvent.Disturbed.class),
    FORGED("fabric:forged", FabricEvent.Forged.class),
    QUEUE_PAIR_CREATED("qp:created", HcaEvent.QueuePairCreated.class),
    MODIFIED("qp:modified", HcaEvent.Modified.class),
    STATE_CHANGED("qp:state_changed", HcaEvent.StateChanged.class),
    WORK_POSTED("qp:work_posted", HcaEvent.WorkPosted.class),
    RECEIVE_POSTED("qp:receive_posted", HcaEvent.ReceivePosted.class),
    COMPLETED("qp:completed", HcaEvent.Completed.class),
    REQUEST_DROPPED("qp:request_dropped", HcaEvent.RequestDropped.class),
    RETRANSMITTING("qp:retransmitting", HcaEvent.Retransmitting.class),
    BACKED_OFF("qp:backed_off", HcaEvent.BackedOff.class),
    FAILED("qp:failed", HcaEvent.Failed.class),
    GAVE_UP("qp:gave_up", HcaEvent.GaveUp.class),
    DISCARDED("qp:discarded", HcaEvent.Discarded.class),
    SHARED_RECEIVE_POSTED("srq:receive_posted", HcaEvent.SharedReceivePosted.class),
    TAG_ADDED("tag:added", HcaEvent.TagAdded.class),
    TAG_REMOVED("tag:removed", HcaEvent.TagRemoved.class),
    TAGS_SYNCED("tag:synced", HcaEvent.TagsSynced.class),
    TAG_MATCHED("tag:matched", HcaEvent.TagMatched.class),
    TAG_UNMATCHED("tag:unmatched", HcaEvent.TagUnmatched.class),
    TAG_RETURNED("tag:returned", HcaEvent.TagReturned.class),
    FETCH_BEGUN("tag:fetch_begun", HcaEvent.FetchBegun.class),
    FETCHED("tag:fetched", HcaEvent.Fetched.class),
    FETCH_FAILED("tag:fetch_failed", HcaEvent.FetchFailed.class),
    XRC_SRQ_CREATED("xrc:srq_created", HcaEvent.XrcSrqCreated.class),
    XRC_SRQ_DESTROYED("xrc:srq_destroyed", HcaEvent.XrcSrqDestroyed.class),
    XRC_TARGET_CREATED("xrc:target_created", HcaEvent.XrcTargetCreated.class),
    SESSION_CHANGED("dc:session_changed", HcaEvent.SessionChanged.class),
    CONNECTION_CHANGED("cm:connection_changed", HcaEvent.ConnectionChanged.class),
    DC_DESTINATION("dc:destination", HcaEvent.DcDestination.class),
    STREAM_RESET("dc:stream_reset", HcaEvent.StreamReset.class),
    RECEIVE_TAKEN("xrc:receive_taken", HcaEvent.ReceiveTaken.class),
    RECEIVE_RETURNED("xrc:receive_returned", HcaEvent.ReceiveReturned.class),
    ENTRY_WRITTEN("cq:entry_written", HcaEvent.EntryWritten.class),
    ENTRIES_TAKEN("cq:entries_taken", HcaEvent.EntriesTaken.class),
    ENTRIES_RETURNED("cq:entries_returned", HcaEvent.EntriesReturned.class),
    ARMED("cq:armed", HcaEvent.Armed.class),
    MODERATED("cq:moderated", HcaEvent.Moderated.class),
    WOKEN("cq:woken", HcaEvent.Woken.class),
    WAITER_ATTACHED("cq:waiter_attached", HcaEvent.WaiterAttached.class),
    NOTIFY_SENT("cq:notify_sent", HcaEvent.NotifySent.class),
    NOTIFIED("waiter:notified", HcaEvent.Notified.class),
    WAITER_SLEEPS("waiter:sleeps", HcaEvent.WaiterSleeps.class),
    WAITER_WAKES("waiter:wakes", HcaEvent.WaiterWakes.class),
    WAKE_LATCHED("waiter:wake_latched", HcaEvent.WakeLatched.class),
    WAIT_FAILED("waiter:wait_failed", HcaEvent.WaitFailed.class),
    WAITER_ENDED("waiter:ended", HcaEvent.WaiterEnded.class),
    RAISED("device:event_raised", HcaEvent.Raised.class),
    REGISTERED("memory:registered", HcaEvent.Registered.class),
    REREGISTERED("memory:reregistered", HcaEvent.Reregistered.class),
    BECAME_UNDEFINED("memory:became_undefined", HcaEvent.BecameUndefined.class),
    KEY_CHANGED("memory:key_changed", HcaEvent.KeyChanged.class),
    PAGES_ALLOCATED("memory:pages_allocated", HcaEvent.PagesAllocated.class),
    PAGE_ALLOCATION_FAILED("device:page_allocation_failed", HcaEvent.PageAllocationFailed.class),
    VARIABLE_IGNORED("device:variable_ignored", HcaEvent.VariableIgnored.class),
    MEMORY_READ("memory:read", HcaEvent.MemoryRead.class),
    MEMORY_WRITTEN("memory:written", HcaEvent.MemoryWritten.class),
    INLINE_RECEIVED("qp:inline_received", HcaEvent.InlineReceived.class),
    INLINE_COPIED("memory:inline_copied", HcaEvent.InlineCopied.class),
    INLINE_COPY_REFUSED("memory:inline_copy_refused", HcaEvent.InlineCopyRefused.class),
    ATOMIC_EXECUTED("memory:atomic_executed", HcaEvent.AtomicExecuted.class),
    LEASE_GRANTED("memory:lease_granted", HcaEvent.LeaseGranted.class),
    LEASE_RELEASED("memory:lease_released", HcaEvent.LeaseReleased.class),
    KEY_FILLED("memory:key_filled", HcaEvent.KeyFilled.class),
    KEY_DEREGISTERED("memory:key_deregistered", HcaEvent.KeyDeregistered.class),
    PAGE_FAULT_RAISED("page:fault_raised", HcaEvent.PageFaultRaised.class),
    PAGES_MAPPED("page:mapped", HcaEvent.PagesMapped.class),
    PAGE_FAULT_FAILED("page:fault_failed", HcaEvent.PageFaultFailed.class),
    PREFETCH_ACCEPTED("page:prefetch_accepted", HcaEvent.PrefetchAccepted.class),
    PREFETCH_FAILED("page:prefetch_failed", HcaEvent.PrefetchFailed.class),
    PAGES_INVALIDATED("page:invalidated", HcaEvent.PagesInvalidated.class),
    STRUCK("testkit:struck", TestkitEvent.class);

    private static final Map<String, EventType> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(type -> type.text, type -> type));
    private static final Map<Class<?>, EventType> BY_KIND =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(type -> type.kind, type -> type));

    private final String text;
    private final Class<? extends TraceEvent> kind;

    EventType(String text, Class<? extends TraceEvent> kind) {
        this.text = text;
        this.kind = kind;
    }

    /** Returns {@code fabric:sent}. */
    public String text() {
        return text;
    }

    public Class<? extends TraceEvent> kind() {
        return kind;
    }

    static Optional<EventType> of(String text) {
        return Optional.ofNullable(BY_NAME.get(text));
    }

    /** Returns the type; empty for an event of a kind that the format does not have. */
    public static Optional<EventType> of(TraceEvent event) {
        return Optional.ofNullable(BY_KIND.get(event.getClass()));
    }
}
