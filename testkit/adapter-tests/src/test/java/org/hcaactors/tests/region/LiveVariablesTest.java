// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.PageType;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

// rule pages-variables-live
/** Environment variables that a program changes between its verbs. */
class LiveVariablesTest {
    private final World world = World.of(7);
    private final HostProcess process = world.adapter("a", Profile.CONNECTX_5).process("app");
    private final Map<String, String> environment = new TreeMap<>();
    private final DeviceContext live = process.open(name -> Optional.ofNullable(environment.get(name)));
    private final ProtectionDomain domain = live.allocatePd();

    @AfterEach
    void close() {
        world.close();
    }

    private CompletionQueue cq(DeviceContext context) {
        return world.await(context.createCq(CqDescription.of(1000)));
    }

    private RcQueuePair queuePair() {
        QpCapacity inline = QpCapacity.of(256).withMaxInlineReceiveBytes(20);
        return world.await(
                domain.createQp(QpDescription.rc().withSendCq(cq(live)).withCapacity(inline)));
    }

    private MemoryRegion region() {
        return world.await(domain.register(Registration.allocated(1 << 20)));
    }

    private void isRefused(CompletionStage<?> verb, String what) {
        assertThatThrownBy(() -> world.await(verb))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        refused -> assertThat(refused.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining(what);
    }

    @Test
    void eachBufferHasTheTypeThatIsSetAtItsCreation() {
        environment.put("MLX_CQ_ALLOC_TYPE", "ANON");
        environment.put("MLX_QP_ALLOC_TYPE", "ANON");
        environment.put("MLX_MR_ALLOC_TYPE", "ANON");
        CompletionQueue first = cq(live);
        assertThat(List.of(
                        first.pages().type(),
                        queuePair().pages().type(),
                        region().pages().type()))
                .containsOnly(PageType.ANON);
        environment.put("MLX_CQ_ALLOC_TYPE", "CONTIG");
        environment.put("MLX_QP_ALLOC_TYPE", "CONTIG");
        environment.put("MLX_MR_ALLOC_TYPE", "CONTIG");
        assertThat(List.of(
                        cq(live).pages().type(),
                        queuePair().pages().type(),
                        region().pages().type()))
                .containsOnly(PageType.CONTIG);
        assertThat(first.pages().type()).isEqualTo(PageType.ANON);
    }

    @Test
    void aResizeReadsTheTypeAgain() {
        environment.put("MLX_CQ_ALLOC_TYPE", "ANON");
        CompletionQueue queue = cq(live);
        environment.put("MLX_CQ_ALLOC_TYPE", "CONTIG");
        world.await(queue.resize(2000));
        assertThat(queue.pages().type()).isEqualTo(PageType.CONTIG);
    }

    @Test
    void aVariableThatIsRemovedHasItsDefaultAgain() {
        environment.put("HUGE_CQ", "y");
        environment.put("MLX_CQ_ALLOC_TYPE", "ANON");
        assertThat(cq(live).pages().type()).isEqualTo(PageType.ANON);
        environment.clear();
        assertThat(cq(live).pages().type()).isEqualTo(PageType.CONTIG);
    }

    // rules inline-variables, inline-entry-size
    @Test
    void inlineDataFollowTheVariablesOfEachCreation() {
        assertThat(queuePair().capacity().maxInlineReceiveBytes()).isEqualTo(32);
        environment.put("MLX5_SCATTER_TO_CQE", "0");
        environment.put("MLX5_CQE_SIZE", "128");
        assertThat(queuePair().capacity().maxInlineReceiveBytes()).isZero();
        assertThat(cq(live).entryBytes()).isEqualTo(128);
        environment.put("MLX5_CQE_SIZE", "96");
        isRefused(live.createCq(8), "MLX5_CQE_SIZE");
        environment.remove("MLX5_CQE_SIZE");
        assertThat(cq(live).entryBytes()).isEqualTo(64);
    }

    @Test
    void aFixedEnvironmentIsReadWhenTheDeviceIsOpened() {
        environment.put("MLX_CQ_ALLOC_TYPE", "ANON");
        DeviceContext fixed = process.open(environment);
        environment.put("MLX_CQ_ALLOC_TYPE", "CONTIG");
        assertThat(cq(fixed).pages().type()).isEqualTo(PageType.ANON);
    }

    @Test
    void anInvalidValueIsReportedOnceWhenItIsRead() {
        assertThat(ignored()).isEmpty();
        environment.put("MLX_CQ_ALLOC_TYPE", "LARGE");
        cq(live);
        cq(live);
        assertThat(ignored()).containsExactly("LARGE");
        environment.put("MLX_CQ_ALLOC_TYPE", "BIG");
        cq(live);
        assertThat(ignored()).containsExactly("LARGE", "BIG");
    }

    private List<String> ignored() {
        return world.trace().events().stream()
                .filter(HcaEvent.VariableIgnored.class::isInstance)
                .map(event -> ((HcaEvent.VariableIgnored) event).value())
                .toList();
    }

    @Test
    void aVerbIsRefusedIfTheEnvironmentCanNotBeRead() {
        boolean[] readable = {true};
        DeviceContext context = process.open(name -> {
            if (!readable[0]) {
                throw new IllegalStateException("planned");
            }
            return Optional.empty();
        });
        CompletionQueue queue = cq(context);
        readable[0] = false;
        isRefused(context.createCq(8), "can't be read");
        isRefused(queue.resize(2000), "can't be read");
        readable[0] = true;
        world.await(queue.resize(2000));
    }
}
