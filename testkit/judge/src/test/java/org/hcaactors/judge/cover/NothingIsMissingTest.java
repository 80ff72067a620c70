// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.cover;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.hcaactors.adapter.flow.HcaEvent.KeyKind;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.capability.MemoryCapabilities;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.PlatformCapabilities;
import org.hcaactors.api.completion.Placement;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.PageType;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.queue.ScatterToCqe;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.TunneledCommand;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.judge.cover.Features.Pages;
import org.hcaactors.judge.cover.Features.Receiving;
import org.hcaactors.lab.pair.Transport;
import org.junit.jupiter.api.Test;

/** Checks that every value of the API's enums is in the dimensions, or is listed here with a reason. */
class NothingIsMissingTest {
    /** API values and the dimension values that cover them. */
    private static final Map<Object, Object> STAND_FOR = Map.ofEntries(
            Map.entry(QpType.RC, Transport.RC),
            Map.entry(QpType.UC, Transport.UC),
            Map.entry(QpType.UD, Transport.UD),
            Map.entry(QpType.XRC_INI, Transport.XRC),
            Map.entry(QpType.XRC_TGT, Transport.XRC),
            Map.entry(QpType.DC_INI, Transport.DC),
            Map.entry(QpType.DC_TGT, Transport.DC),
            Map.entry(WindowType.TYPE_1, MemoryKind.WINDOW_1),
            Map.entry(WindowType.TYPE_2, MemoryKind.WINDOW_2),
            Map.entry(PageType.ANON, MemoryKind.PINNED),
            Map.entry(PageType.HUGE, MemoryKind.HUGE),
            Map.entry(PageType.CONTIG, MemoryKind.ALLOCATED),
            Map.entry(Registration.Source.Mapped.class, MemoryKind.PINNED),
            Map.entry(Registration.Source.Allocated.class, MemoryKind.ALLOCATED),
            Map.entry(Registration.Source.AllocatedAt.class, MemoryKind.ALLOCATED_AT),
            Map.entry(Registration.Source.Addresses.class, MemoryKind.ADDRESSES),
            Map.entry(Registration.Source.Physical.class, MemoryKind.PHYSICAL_RANGE),
            Map.entry(MemoryCapabilities.Feature.ALLOCATION, MemoryKind.ALLOCATED),
            Map.entry(MemoryCapabilities.Feature.SHARED_REGIONS, MemoryKind.SHARED),
            Map.entry(MemoryCapabilities.Feature.NULL_REGION, MemoryKind.NULL),
            Map.entry(MemoryCapabilities.Feature.PHYSICAL_ADDRESSES, MemoryKind.PHYSICAL),
            Map.entry(MemoryCapabilities.Feature.PHYSICAL_RANGE, MemoryKind.PHYSICAL_RANGE),
            Map.entry(MemoryCapabilities.Feature.PEER_MEMORY, MemoryKind.PEER),
            Map.entry(PagingCapabilities.Feature.EXPLICIT, MemoryKind.ON_DEMAND),
            Map.entry(PagingCapabilities.Feature.IMPLICIT, MemoryKind.EVERYTHING),
            Map.entry(PagingCapabilities.Feature.SYNCHRONOUS, Profile.SOFT_ROCE),
            Map.entry(PlatformCapabilities.Feature.TUNNELED_ATOMIC, PostedVerb.TUNNELED),
            Map.entry(TagHeader.Operation.NO_TAG, Receiving.UNTAGGED),
            Map.entry(TagHeader.Operation.EAGER, Receiving.MATCHED),
            Map.entry(TagHeader.Operation.RENDEZVOUS, Receiving.RENDEZVOUS),
            Map.entry(TagHeader.Operation.FINISHED, Receiving.RENDEZVOUS),
            Map.entry(KeyKind.MEMORY_REGION, MemoryKind.PINNED),
            Map.entry(KeyKind.PAGED_REGION, MemoryKind.ON_DEMAND),
            Map.entry(KeyKind.NULL_REGION, MemoryKind.NULL),
            Map.entry(KeyKind.PHYSICAL_REGION, MemoryKind.PHYSICAL),
            Map.entry(KeyKind.MEMORY_WINDOW, MemoryKind.WINDOW_1),
            Map.entry(KeyKind.INDIRECT_KEY, MemoryKind.INDIRECT));

    /** Values of the covered enums that are not features of a request, with reasons. */
    private static final Map<Object, String> LEFT_OUT = Map.of(
            MemoryCapabilities.Feature.REREGISTRATION, "changes a region under requests: the sweep's ChangingRegion",
            MemoryCapabilities.Feature.REREGISTRATION_OF_TRANSLATION, "the same",
            PagingCapabilities.Feature.HOST_TABLES, "of the last profile of the dimension",
            KeyKind.HOST_PAGED_REGION, "of the last profile of the dimension",
            PlatformCapabilities.Feature.AS_NOTIFY, "wakes who polls: NotifyTest, the sweep's AsNotifyWakes");

    /** Enums whose values are features. */
    private static final List<Class<?>> COUNT = List.of(
            QpType.class,
            WindowType.class,
            PageType.class,
            MemoryCapabilities.Feature.class,
            PagingCapabilities.Feature.class,
            PlatformCapabilities.Feature.class,
            TagHeader.Operation.class,
            KeyKind.class,
            PathMtu.class,
            ScatterToCqe.class,
            Placement.Chosen.class,
            TunneledCommand.Function.class);

    /** Enums whose values are not features: reports, arguments of other calls, and properties that a profile fixes. */
    private static final Set<String> DO_NOT_COUNT = Set.of(
            "Errno",
            "Verb",
            "AtomicScope",
            "PagingCapabilities$Transport",
            "PagingCapabilities$Use",
            "Quirk",
            "DeviceFlag",
            "LinkRate",
            "AdapterFunction",
            "Platform",
            "VerbTimes$Step",
            "DcTargetStatus$State",
            "QpState",
            "CompletionKind",
            "Waiter$State",
            "CompletionQueue$Arm",
            "CompletionReader$End",
            "WakeCause",
            "Delivery",
            "Status",
            "FirmwareParameter",
            "Restart",
            "ParameterType$Bool",
            "TagArrival$DeliveryPath",
            "PendingReceive$State",
            "CounterDescription$Kind",
            "AsyncEvent$Source",
            "AsyncEvent$Kind",
            "XrcDomainDescription$Creation",
            "Permission",
            "Access",
            "Reregistration$Change",
            "ConnectionEnd$Cause",
            "Prefetch$Purpose");

    private static Set<Object> inDimensions() {
        Set<Object> all = new HashSet<>();
        Features.ALL.forEach(each -> all.addAll(each.values()));
        return all;
    }

    private static void leaves(Class<?> of, List<Class<?>> into) {
        if (of.isSealed()) {
            Arrays.stream(of.getPermittedSubclasses()).forEach(each -> leaves(each, into));
        } else {
            into.add(of);
        }
    }

    @Test
    void everyRequestIsPosted() {
        List<Class<?>> requests = new ArrayList<>();
        leaves(WorkRequest.class, requests);
        assertThat(Arrays.stream(PostedVerb.values()).<Class<?>>map(PostedVerb::request))
                .containsAll(requests);
    }

    @Test
    void everyRelevantValueIsInADimension() {
        Set<Object> there = inDimensions();
        List<Object> values = new ArrayList<>(Profile.ALL);
        COUNT.forEach(each -> values.addAll(List.of(each.getEnumConstants())));
        values.addAll(List.of(Registration.Source.class.getPermittedSubclasses()));
        assertThat(values)
                .as("neither in a dimension, nor represented by one, nor left out with a reason")
                .allMatch(value -> there.contains(value)
                        || there.contains(STAND_FOR.getOrDefault(value, Pages.class))
                        || LEFT_OUT.containsKey(value));
    }

    @Test
    void everyEnumOfTheApiIsClassifiedAsRelevantOrNot() {
        Stream<JavaClass> enums = new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages("org.hcaactors.api")
                        .stream()
                        .filter(JavaClass::isEnum)
                        .filter(each -> each.getModifiers().contains(JavaModifier.PUBLIC));
        List<String> known = COUNT.stream().map(Class::getName).toList();
        assertThat(enums.map(JavaClass::getName)
                        .filter(name -> !known.contains(name))
                        .map(name -> name.substring(name.lastIndexOf('.') + 1)))
                .as("an enum that neither counts nor does not")
                .isSubsetOf(DO_NOT_COUNT);
    }
}
