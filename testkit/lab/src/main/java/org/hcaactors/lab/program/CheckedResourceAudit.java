// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.program;

import java.util.concurrent.Future;
import org.hcaactors.adapter.audit.Audited;
import org.hcaactors.adapter.audit.ResourceAudit;
import org.hcaactors.adapter.audit.VerbOwner;
import org.hcaactors.adapter.audit.WorkQueue;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.WorkRequest;

/**
 * Resource audit of a network whose programs are checked.
 *
 * @param rest the audit that receives everything else
 */
public record CheckedResourceAudit(ResourceAudit rest, ProgramChecks checks) implements ResourceAudit {
    @Override
    public void pending(VerbOwner by, Object verb, Future<?> stage) {
        checks.pending(verb, stage);
        rest.pending(by, verb, stage);
    }

    @Override
    public void threw(VerbOwner by, Class<?> subscriber, Throwable thrown) {
        rest.threw(by, subscriber, thrown);
    }

    @Override
    public void opened(Audited account) {
        rest.opened(account);
    }

    @Override
    public void closed(Audited account) {
        rest.closed(account);
    }

    @Override
    public boolean followsBuffers() {
        return true;
    }

    @Override
    public void posted(WorkQueue queue, WorkRequest work, CompletionKind kind, boolean signaled) {
        checks.posted(queue, work, kind, signaled);
    }

    @Override
    public void posted(WorkQueue queue, Receive receive) {
        checks.posted(queue, receive);
    }

    @Override
    public void completionReceived(String adapter, WorkCompletion completion) {
        checks.took(adapter, completion);
    }

    @Override
    public void limited(String adapter, int sharedReceives, int limit) {
        checks.limited(adapter, sharedReceives, limit);
    }

    @Override
    public void emptied(String adapter, int queuePair) {
        checks.emptied(adapter, queuePair);
    }

    @Override
    public void accessed(String adapter, String process, long address, long lengthBytes, boolean writes) {
        checks.accessed(adapter, process, address, lengthBytes, writes);
    }
}
