// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Finding and opening adapters: device_test.cc. On ordinary threads. */
@Tag("judge")
class DeviceTest {
    @SuppressWarnings("unused") // by its name
    static final List<Profile> PROFILES = Profile.ALL;

    @ParameterizedTest
    @FieldSource("PROFILES")
    @Tag("rdma-unit-test:DeviceTest.GetDeviceList")
    @Tag("rdma-unit-test:DeviceTest.Open")
    @Tag("rdma-unit-test:DeviceTest.QueryDevice")
    void everyAdapterOfANetworkIsOpenedAndClosed(Profile profile) {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            Stream.of("a", "b").forEach(name -> network.addAdapter(name, profile));
            assertThat(network.adapters()).hasSize(2);
            for (Adapter adapter : network.adapters()) {
                DeviceContext context = adapter.process("app").open();
                assertThat(context.adapter()).isSameAs(adapter);
                assertThat(context.adapter().profile()).isEqualTo(profile);
                network.await(context.closeAsync());
            }
            assertThat(network.leaks().isEmpty()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    @Tag("rdma-unit-test:DeviceTest.OpenInAnotherThread")
    @Tag("rdma-unit-test:DeviceTest.OpenInManyThreads")
    void anAdapterIsOpenedByManyThreadsAtOnce(int count) {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            Adapter adapter = network.addAdapter("a", Profile.CONNECTX_5);
            Set<DeviceContext> opened = ConcurrentHashMap.newKeySet();
            ThreadGroupRunner.of(count)
                    .each(i -> opened.add(adapter.process("app").open()));
            assertThat(opened).hasSize(count);
        }
    }

    @Test
    @Tag("rdma-unit-test:DeviceTest.OpenMany")
    void oneProcessOpensAnAdapterAHundredTimes() {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            Adapter adapter = network.addAdapter("a", Profile.CONNECTX_5);
            List<DeviceContext> opened = Stream.generate(
                            () -> adapter.process("app").open())
                    .limit(100)
                    .toList();
            assertThat(opened).doesNotHaveDuplicates();
            opened.forEach(DeviceContext::close);
        }
    }
}
