// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.List;
import java.util.function.Supplier;
import org.hcaactors.actors.window.WindowPosting;
import org.hcaactors.adapter.dc.Dc;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.stage.VerbCalls;
import org.hcaactors.adapter.work.DatagramPath;
import org.hcaactors.adapter.work.Destination;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.DcRequest;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.SendFlags;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.packet.Octets;
import org.jspecify.annotations.Nullable;

/**
 * Checks of a request that is posted, as the mlx5 library makes them (rules post-elements, post-atomics); a refusal is a
 * VerbsException.
 */
record RequestChecks(QpPlan plan, QueuePairLinks links, QueuePairCommands commands, VerbCalls verbs) {
    /**
     * Returns the request that is posted, not traced yet.
     *
     * @param byVerb it binds a window of type 1, which programs cannot post as a request
     */
    PostedRequest accepted(
            WorkRequest work,
            @Nullable Supplier<Destination> to,
            @Nullable Reply<WorkCompletion> stage,
            boolean byVerb) {
        verbs.check(WindowPosting.verb(work), commands.commandSender());
        CompletionKind kind = PostedRequest.kindOf(work);
        List<LocalSlice> local = work.local();
        check(work, kind, local.size(), byVerb);
        Destination destination = to == null ? null : to.get();
        long length = LocalSlice.lengthBytes(local);
        if (length <= plan.capacity().maxInlineResultBytes()) {
            checkResult(work, kind, stage != null);
        }
        SendFlags flags = work.flags();
        Octets inline = flags.inline() ? InlinePosting.copy(work, length, plan, commands) : null;
        PostedRequest.Extras extras = PostedRequest.Extras.of(inline, stage, destination, 0);
        return new PostedRequest(work, local, flags, kind, length, extras);
    }

    // rules post-atomics, post-elements, indirect-post
    private void check(WorkRequest work, CompletionKind kind, int elements, boolean byVerb) {
        if (!plan.type().isReliable()
                && work instanceof Send send
                && send.invalidate().isPresent()) {
            throw VerbsException.invalid("a queue pair of type " + plan.type()
                    + " can't send a SEND with invalidate; only reliable types can");
        }
        if (kind.isAtomic()) {
            AtomicPosting.check(PostedRequest.atomicBytes(work), kind.isMaskedAtomic(), plan);
        }
        if (kind.changesKey()) {
            checkKeyWork(work, byVerb);
        }
        checkElements("request", elements, plan.capacity().maxSendSge());
        if (kind == CompletionKind.RDMA_READ) {
            checkElements("READ", elements, plan.profile().queues().maxReadSge());
        }
    }

    private static void checkElements(String what, int elements, int max) {
        if (elements > max) {
            throw new VerbsException(
                    Errno.ENOMEM, "the " + what + " has " + elements + " elements; at most " + max + " are allowed");
        }
    }

    boolean isSignaled(WorkRequest work, boolean submitted) {
        return submitted || work.flags().signaled() || plan.options().signalAll();
    }

    // rules inline-addresses, atomic-not-inline
    /** Checks the memory of a result that is short enough to be carried in its completion. */
    private void checkResult(WorkRequest work, CompletionKind kind, boolean submitted) {
        boolean signaled = isSignaled(work, submitted);
        boolean travels = kind == CompletionKind.RDMA_READ || kind.isAtomic() && !kind.isMaskedAtomic();
        if (signaled && travels) {
            links.memory().check(work.local());
        }
    }

    // rule window-post
    private void checkKeyWork(WorkRequest work, boolean byVerb) {
        if (work instanceof FillKey fill) {
            FillChecks.check(fill, plan);
        } else if (work instanceof BindWindow bind) {
            if (!byVerb) {
                WindowPosting.checkType(bind);
            }
            WindowPosting.check(bind, links.events());
        }
    }

    // rules dc-address, dc-streams
    /** @throws VerbsException EINVAL if the destination is invalid */
    Destination dynamic(DcAddress to, int stream) {
        checkStream(stream);
        return new Destination.Dynamic(
                PathHandle.checked(to.addressHandle(), plan.port()),
                to.dctNumber(),
                to.accessKey().value(),
                stream);
    }

    // rule dc-address
    /**
     * A request that changes a key may have no target: it leads to the queue pair's own port, and nothing is sent there.
     *
     * @throws VerbsException EINVAL if the destination is invalid
     */
    Destination dynamic(DcRequest request) {
        return request.to().map(to -> dynamic(to, request.stream())).orElseGet(() -> nowhere(request.stream()));
    }

    private Destination nowhere(int stream) {
        checkStream(stream);
        return new Destination.Dynamic(DatagramPath.toItself(plan.domain(), plan.port()), 0, 0, stream);
    }

    private void checkStream(int stream) {
        Dc.checkStream(stream, plan.options().streams().isPresent() ? Dc.MAX_STREAMS : 1);
    }

    /** @throws VerbsException EINVAL if the destination is invalid */
    Destination datagram(UdAddress to) {
        DatagramPath path = PathHandle.checked(to.addressHandle(), plan.port());
        if (to.qpNumber() < 0 || to.qpNumber() > UdAddress.MULTICAST) {
            throw VerbsException.invalid("the queue pair number is " + to.qpNumber() + "; 0 to 0xffffff is allowed");
        }
        return new Destination.Datagram(path, to.qpNumber(), to.qkey().value());
    }
}
