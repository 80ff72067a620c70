// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.hcaactors.actors.completion.CompletionQueueBlueprint;
import org.hcaactors.actors.event.CompletionChannelHandle;
import org.hcaactors.actors.notify.WaiterHandle;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.firmware.DisabledFeatures;
import org.hcaactors.adapter.stage.StageOutcome;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.firmware.FirmwareParameter;

/** Factory of completion queues: checks the description, allocates the pages, and sends the blueprint to the adapter. */
record CompletionQueueFactory(ContextHandle context) {
    CompletionStage<CompletionQueue> create(CqDescription requested) {
        Optional<CompletionChannelHandle> channel = requested
                .channel()
                .map(each -> context.require(each, CompletionChannelHandle.class, "completion channel"));
        Optional<WaiterHandle> waiter = requested.waiter().map(context.process()::require);
        waiter.ifPresent(thread -> DisabledFeatures.checkPlatform(
                "a completion queue with AS-notify",
                context.profile(),
                FirmwareParameter.IBM_AS_NOTIFY_EN,
                context.adapter().platform()));
        CompletionQueueBlueprint blueprint = CompletionQueueBlueprint.of(
                requested,
                channel,
                waiter,
                context.pages(),
                context,
                context.profile(),
                context.variables(),
                context.services().shards());
        return StageOutcome.undone(context.makeCounted(blueprint), blueprint::refused)
                .thenApply(queue -> context.track(queue, ObjectKind.COMPLETION_QUEUE, OpenObjects.NO_DOMAIN));
    }
}
