// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Modifier;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.capability.AtomicCapabilities;
import org.hcaactors.api.capability.CompletionCapabilities;
import org.hcaactors.api.capability.DcCapabilities;
import org.hcaactors.api.capability.DeviceIdentity;
import org.hcaactors.api.capability.IndirectKeyCapabilities;
import org.hcaactors.api.capability.ObjectCapabilities;
import org.hcaactors.api.capability.PlatformCapabilities;
import org.hcaactors.api.capability.PortCapabilities;
import org.hcaactors.api.capability.QueueCapabilities;
import org.hcaactors.api.capability.SharedReceiveCapabilities;
import org.hcaactors.api.capability.VerbTimes;
import org.hcaactors.api.capability.WindowCapabilities;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Datagram;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.PageLatency;
import org.hcaactors.api.device.PagingCounters;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.firmware.FirmwareCapabilities;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.DcTargetStatus;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpSnapshot;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SrqCapacity;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.SrqSnapshot;
import org.hcaactors.api.queue.UcConnection;
import org.hcaactors.api.tag.TagSnapshot;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.SendFlags;
import org.hcaactors.client.messages.TagArrival;
import org.hcaactors.client.messages.TagStatistics;
import org.hcaactors.client.pool.DciPoolDescription;
import org.hcaactors.client.pool.PoolStatistics;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Types that get further components in later versions must not break callers. */
class GrowingTypesTest {
    @ParameterizedTest
    @ValueSource(
            classes = {
                Profile.class,
                QueueCapabilities.class,
                SharedReceiveCapabilities.class,
                CompletionCapabilities.class,
                AtomicCapabilities.class,
                PortCapabilities.class,
                PlatformCapabilities.class,
                ObjectCapabilities.class,
                DeviceIdentity.class,
                DcCapabilities.class,
                VerbTimes.class,
                FirmwareCapabilities.class,
                WindowCapabilities.class,
                WindowBinding.class,
                Registration.class,
                CqDescription.class,
                SrqDescription.class,
                RcConnection.class,
                UcConnection.class,
                DcTargetDescription.class,
                DcTargetStatus.class,
                DciPoolDescription.class,
                PoolStatistics.class,
                QpCapacity.class,
                SrqCapacity.class,
                QpSnapshot.class,
                SrqSnapshot.class,
                PortAttributes.class,
                AddressVector.class,
                GlobalRoute.class,
                IndirectKeyCapabilities.class,
                IndirectKeyDescription.class,
                KeyLayout.class,
                FillKey.class,
                SendFlags.class,
                Send.class,
                RdmaWrite.class,
                RdmaRead.class,
                CompareAndSwap.class,
                FetchAdd.class,
                Datagram.class,
                TagInfo.class,
                TagSnapshot.class,
                TagArrival.class,
                TagStatistics.class,
                PagingCounters.class,
                PageLatency.class,
                QpDescription.class,
                QpDescription.Options.class,
                WorkCompletion.Details.class
            })
    void whatGrowsIsNoRecordAndHasNoConstructorForCallersToDependOn(Class<?> type) {
        assertThat(type.isRecord()).isFalse();
        assertThat(type.getConstructors()).isEmpty();
        assertThat(Modifier.isFinal(type.getModifiers())).isTrue();
    }
}
