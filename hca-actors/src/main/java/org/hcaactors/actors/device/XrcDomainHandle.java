// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.actors.queue.QueuePairBlueprint;
import org.hcaactors.actors.queue.QueuePairLinks;
import org.hcaactors.actors.queue.ReceiveLink;
import org.hcaactors.actors.queue.XrcTargetRefs;
import org.hcaactors.actors.stage.ActorHandle;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.actors.xrc.SharedDomain;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.inline.ProcessMemory;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.adapter.xrc.Xrc;
import org.hcaactors.adapter.xrc.XrcTargetKind;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.XrcDomain;
import org.hcaactors.api.queue.XrcDomainDescription;
import org.hcaactors.api.queue.XrcTarget;

/** Handle of an XRC domain that a process has open. */
final class XrcDomainHandle implements XrcDomain {
    private final SharedDomain domain;
    private final ContextHandle context;

    private XrcDomainHandle(SharedDomain domain, ContextHandle context) {
        this.domain = domain;
        this.context = context;
    }

    /** @throws VerbsException EOPNOTSUPP if the adapter has no XRC; EAGAIN, EINVAL */
    static XrcDomainHandle open(XrcDomainDescription requested, ContextHandle context) {
        Xrc.checkSupported(context.profile());
        SharedDomain domain = context.adapter().host().xrcDomains().open(requested, context::checkInService);
        XrcDomainHandle opened = new XrcDomainHandle(domain, context);
        context.open().add(opened, ObjectKind.XRC_DOMAIN, OpenObjects.NO_DOMAIN);
        return opened;
    }

    SharedDomain domain() {
        return domain;
    }

    @Override
    public int number() {
        return domain.number();
    }

    @Override
    public Optional<String> file() {
        return domain.file();
    }

    @Override
    public CompletionStage<XrcTarget> createTarget() {
        return context.creating(Verb.CREATE_QP, OpenObjects.NO_DOMAIN, () -> {
            checkOpen();
            return domain.making(this::make);
        });
    }

    private CompletionStage<XrcTarget> make() {
        XrcTargetRefs share = new XrcTargetRefs(domain, context);
        QueuePairLinks links = new QueuePairLinks(
                Optional.empty(),
                Optional.empty(),
                new ReceiveLink.Named(domain),
                new ProcessMemory(context.processName(), context.space(), context.foreign()),
                context.adapter().keys(),
                context.adapter().numbers(),
                share);
        QueuePairBlueprint blueprint = new QueuePairBlueprint(
                new XrcTargetKind(),
                OpenObjects.NO_DOMAIN,
                QueuePairBlueprint.NO_QUEUES,
                QpDescription.Options.DEFAULT,
                links,
                AllocatedPages.NONE);
        return context.make(blueprint).thenApply(queues -> track(share.made(queues, context.open()::remove)));
    }

    @Override
    public CompletionStage<XrcTarget> openTarget(int number) {
        return context.creating(Verb.OPEN_QP, OpenObjects.NO_DOMAIN, () -> {
            checkOpen();
            XrcTarget opened = track(domain.target(number).open(context, context.open()::remove));
            return CompletableFuture.completedStage(opened);
        });
    }

    private XrcTarget track(XrcTarget handle) {
        CommandSender<?> sender = ((ActorHandle) handle).commandSender();
        return context.track(handle, sender, ObjectKind.QUEUE_PAIR, OpenObjects.NO_DOMAIN);
    }

    private void checkOpen() {
        context.require(this, XrcDomainHandle.class, "XRC domain");
    }

    @Override
    public synchronized CompletionStage<Void> closeAsync() {
        if (!context.open().contains(this)) {
            return CompletableFuture.completedStage(null);
        }
        try {
            context.verbs().check(Verb.CLOSE_XRCD, this);
            context.adapter().host().xrcDomains().close(domain);
        } catch (VerbsException busy) {
            return CompletableFuture.failedStage(busy);
        }
        context.open().remove(this);
        return CompletableFuture.completedStage(null);
    }

    @Override
    public void close() {
        context.commandSender().await(closeAsync());
    }

    @Override
    public String describe() {
        return "XRC domain " + number() + file().map(name -> " of " + name).orElse("");
    }

    @Override
    public String toString() {
        return describe() + " of " + context.adapter().name();
    }
}
