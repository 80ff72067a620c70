// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.paging;

import java.util.function.Function;
import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.counter.PagingCounter;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.KeyDenied;
import org.hcaactors.adapter.flow.PageFaultKind;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.paging.FaultUnit;
import org.hcaactors.adapter.paging.PagingCommand;
import org.hcaactors.adapter.paging.PagingJob;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.Stamp;

/** Trace and counters of a pager. */
final class PagingTrace implements FaultUnit.Effects {
    private final Services services;
    private final AdapterTrace trace;

    PagingTrace(Services services) {
        this.services = services;
        trace = services.trace();
    }

    private long record(long cause, long otherCause, Function<Stamp, HcaEvent> event) {
        return trace.enabled() ? trace.record(cause, otherCause, event) : 0;
    }

    @Override
    public long raised(PagingJob.Fault.Raised what) {
        PagingCommand.Serve command = what.command();
        Lease.Absent absence = command.fault().absence();
        return record(
                command.fault().cause(),
                what.departure(),
                at -> new HcaEvent.PageFaultRaised(
                        at,
                        trace.port(),
                        Element.queuePair(command.queuePair()),
                        command.of().key(),
                        kind(command.fault().kind()),
                        absence.from(),
                        absence.count(),
                        absence.writing()));
    }

    private static PageFaultKind kind(PageFault.Kind kind) {
        return switch (kind) {
            case GATHER -> PageFaultKind.GATHER;
            case RESPONSE -> PageFaultKind.RESPONSE;
            case RECEIVE -> PageFaultKind.RECEIVE;
            case REMOTE -> PageFaultKind.REMOTE;
        };
    }

    @Override
    public long mapped(PagingJob job, long pages, boolean contended, long cause, long otherCause) {
        return record(
                cause,
                otherCause,
                at -> new HcaEvent.PagesMapped(
                        at,
                        trace.port(),
                        Element.key(job.key()),
                        job.from(),
                        job.count(),
                        pages,
                        job.reason(),
                        contended));
    }

    @Override
    public long failed(PagingJob.Fault fault, Denial reason) {
        return record(
                fault.event(),
                0,
                at -> new HcaEvent.PageFaultFailed(
                        at,
                        trace.port(),
                        Element.queuePair(fault.command().queuePair()),
                        fault.key(),
                        new KeyDenied(KeyDenied.Name.KEY, fault.key(), reason)));
    }

    @Override
    public long invalidated(int key, PagingCommand.Invalidated invalidated, long pages) {
        return record(
                0,
                0,
                at -> new HcaEvent.PagesInvalidated(
                        at,
                        trace.port(),
                        Element.key(key),
                        invalidated.address(),
                        invalidated.count(),
                        pages,
                        invalidated.reason()));
    }

    @Override
    public long prefetching(PagingCommand.Prefetch prefetch) {
        return record(
                0,
                0,
                at -> new HcaEvent.PrefetchAccepted(
                        at,
                        trace.port(),
                        prefetch.pieces().stream()
                                .findFirst()
                                .map(piece -> Element.key(piece.key()))
                                .orElseGet(() -> new Element(Element.Kind.DEVICE, 0)),
                        prefetch.pieces().stream()
                                .mapToLong(PagingCommand.Piece::count)
                                .sum(),
                        prefetch.writing()));
    }

    @Override
    public void prefetchFailed(PagingJob.Prefetching whole, KeyDenied reason) {
        record(
                whole.event(),
                0,
                at -> new HcaEvent.PrefetchFailed(
                        at,
                        trace.port(),
                        Element.key(reason.key()),
                        whole.command().flush(),
                        reason));
    }

    @Override
    public void count(PagingCounter counter, long by) {
        services.paging().add(counter, by);
    }

    @Override
    public void recordLatency(long nanos) {
        services.paging().faultServed(nanos);
    }
}
