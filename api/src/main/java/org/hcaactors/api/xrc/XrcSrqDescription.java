// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.xrc;

import java.util.Objects;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.queue.SrqDescription;

/**
 * Description of a shared receive queue for XRC, to create ({@code IBV_SRQT_XRC}).
 *
 * <p>Immutable.
 */
public final class XrcSrqDescription {
    private final XrcDomain domain;
    private final CompletionQueue completions;
    private final SrqDescription size;

    private XrcSrqDescription(XrcDomain domain, CompletionQueue completions, SrqDescription size) {
        this.domain = Objects.requireNonNull(domain, "a shared receive queue without an XRC domain");
        this.completions = Objects.requireNonNull(completions, "a shared receive queue without a completion queue");
        this.size = size;
    }

    /**
     * Sizes are those of {@link SrqDescription#DEFAULT}.
     *
     * @param domain domain whose targets' peers may name the queue
     * @param completions completion queue of the messages that take its receives
     */
    public static XrcSrqDescription of(XrcDomain domain, CompletionQueue completions) {
        return new XrcSrqDescription(domain, completions, SrqDescription.DEFAULT);
    }

    public XrcSrqDescription withSize(SrqDescription requested) {
        return new XrcSrqDescription(domain, completions, requested);
    }

    public XrcDomain domain() {
        return domain;
    }

    public CompletionQueue completions() {
        return completions;
    }

    public SrqDescription size() {
        return size;
    }

    @Override
    public String toString() {
        return "%s, in %s, completing on %s".formatted(size, domain.describe(), completions.describe());
    }
}
