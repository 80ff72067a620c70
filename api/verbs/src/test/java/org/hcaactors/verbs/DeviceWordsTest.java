// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.StandardQuery;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeviceWordsTest {
    /** Fields that are 0 of each adapter, and that C sets itself. */
    private static final Set<String> WITHOUT_WORDS = Set.of(
            "tso_caps.max_tso",
            "tso_caps.supported_qpts",
            "rss_caps.supported_qpts",
            "rss_caps.max_rwq_indirection_tables",
            "rss_caps.max_rwq_indirection_table_size",
            "rss_caps.rx_hash_fields_mask",
            "rss_caps.rx_hash_function",
            "max_wq_type_rq",
            "packet_pacing_caps.qp_rate_limit_min",
            "packet_pacing_caps.qp_rate_limit_max",
            "packet_pacing_caps.supported_qpts",
            "raw_packet_caps",
            "phys_port_cnt_ex");

    private final RdmaNetwork network = RdmaNetwork.start();
    private final Adapter adapter = network.addAdapter("hca", Profile.CONNECTX_6);
    private final Words words = new Words();

    @AfterEach
    void close() {
        network.close();
    }

    @Test
    void eachFieldOfTheDeviceHasAWord() {
        Set<String> fields = new TreeSet<>(StandardQuery.device(adapter).keySet());
        fields.removeAll(WITHOUT_WORDS);

        assertThat(DeviceWords.DEVICE.keySet()).containsExactlyInAnyOrderElementsOf(fields);
        assertThat(DeviceWords.DEVICE.values()).doesNotHaveDuplicates();
    }

    @Test
    void eachFieldOfThePortHasAWord() {
        assertThat(DeviceWords.PORT.keySet())
                .containsExactlyInAnyOrderElementsOf(StandardQuery.port(adapter).keySet());
        assertThat(DeviceWords.PORT.values()).doesNotHaveDuplicates();
    }

    @Test
    void aBlockHasTheValuesOfTheProfile() {
        DeviceWords.device(words.block(), adapter);

        assertThat(words.block().word(Calls.QueryDevice.VENDOR_PART_ID)).isEqualTo(4123);
        assertThat(words.block().word(Calls.QueryDevice.NODE_GUID)).isEqualTo(adapter.nodeGuid());
        assertThat(AddressSpace.text(words.address() + (long) Calls.QueryDevice.BOARD_ID * Long.BYTES, 10))
                .isEqualTo("ConnectX-6");
    }
}
