// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.completion.Datagram;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.memory.StridedSlice;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.MaskedCompareAndSwap;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.SendFlags;
import org.jspecify.annotations.Nullable;

/** Jackson mix-ins for values without a public constructor, which are read as records of their fields. */
final class ValueFields {
    private ValueFields() {}

    static SimpleModule into(SimpleModule module) {
        return module.setMixInAnnotation(WorkCompletion.Details.class, OfDetails.class)
                .setMixInAnnotation(Datagram.class, OfDatagram.class)
                .setMixInAnnotation(TagInfo.class, OfTagInfo.class)
                .setMixInAnnotation(SendFlags.class, OfFlags.class)
                .setMixInAnnotation(QKey.class, OfQKey.class)
                .setMixInAnnotation(AddressVector.class, OfAddress.class)
                .setMixInAnnotation(GlobalRoute.class, OfRoute.class)
                .setMixInAnnotation(Send.class, OfSend.class)
                .setMixInAnnotation(RdmaWrite.class, OfRdmaWrite.class)
                .setMixInAnnotation(RdmaRead.class, OfRdmaRead.class)
                .setMixInAnnotation(CompareAndSwap.class, OfCompareAndSwap.class)
                .setMixInAnnotation(FetchAdd.class, OfFetchAdd.class)
                .setMixInAnnotation(MaskedCompareAndSwap.class, OfMaskedCompareAndSwap.class)
                .setMixInAnnotation(MaskedFetchAdd.class, OfMaskedFetchAdd.class)
                .setMixInAnnotation(LocalInvalidate.class, OfLocalInvalidate.class)
                .setMixInAnnotation(BindWindow.class, OfBindWindow.class)
                .setMixInAnnotation(FillKey.class, OfFillKey.class)
                .setMixInAnnotation(KeyLayout.class, OfKeyLayout.class);
    }

    private abstract static class OfDetails {
        @JsonCreator
        OfDetails(
                @JsonProperty("immediate") OptionalInt immediate,
                @JsonProperty("vendorError") int vendorError,
                @JsonProperty("datagram") Optional<Datagram> datagram,
                @JsonProperty("timestampTicks") OptionalLong timestampTicks,
                @JsonProperty("invalidated") OptionalInt invalidated,
                @JsonProperty("tagging") Optional<TagInfo> tagging) {}
    }

    private abstract static class OfDatagram {
        @JsonCreator
        OfDatagram(
                @JsonProperty("sourceQp") int sourceQp,
                @JsonProperty("pkeyIndex") int pkeyIndex,
                @JsonProperty("globalRoute") boolean globalRoute,
                @JsonProperty("ipv4") boolean ipv4) {}
    }

    private abstract static class OfTagInfo {
        @JsonCreator
        OfTagInfo(
                @JsonProperty("matched") boolean matched,
                @JsonProperty("dataValid") boolean dataValid,
                @JsonProperty("syncRequested") boolean syncRequested,
                @JsonProperty("info") Optional<TagInfo.Info> info) {}
    }

    private abstract static class OfFlags {
        @JsonCreator
        OfFlags(
                @JsonProperty("signaled") boolean signaled,
                @JsonProperty("solicited") boolean solicited,
                @JsonProperty("fence") boolean fence,
                @JsonProperty("inline") boolean inline) {}
    }

    private abstract static class OfQKey {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        OfQKey(int value) {}

        @JsonValue
        abstract int value();
    }

    private abstract static class OfAddress {
        @JsonCreator
        OfAddress(
                @JsonProperty("route") Optional<GlobalRoute> route,
                @JsonProperty("lid") int lid,
                @JsonProperty("port") int port) {}
    }

    private abstract static class OfRoute {
        @JsonCreator
        OfRoute(
                @JsonProperty("destination") Gid destination,
                @JsonProperty("sourceGidIndex") int sourceGidIndex,
                @JsonProperty("flowLabel") int flowLabel,
                @JsonProperty("trafficClass") int trafficClass,
                @JsonProperty("hopLimit") int hopLimit) {}
    }

    private abstract static class OfSend {
        @JsonCreator
        OfSend(
                @JsonProperty("id") long id,
                @JsonProperty("local") List<LocalSlice> local,
                @JsonProperty("immediate") OptionalInt immediate,
                @JsonProperty("invalidate") OptionalInt invalidate,
                @JsonProperty("flags") SendFlags flags) {}
    }

    private abstract static class OfRdmaWrite {
        @JsonCreator
        OfRdmaWrite(
                @JsonProperty("id") long id,
                @JsonProperty("local") List<LocalSlice> local,
                @JsonProperty("remote") RemoteAddress remote,
                @JsonProperty("immediate") OptionalInt immediate,
                @JsonProperty("flags") SendFlags flags) {}
    }

    private abstract static class OfRdmaRead {
        @JsonCreator
        OfRdmaRead(
                @JsonProperty("id") long id,
                @JsonProperty("local") List<LocalSlice> local,
                @JsonProperty("remote") RemoteAddress remote,
                @JsonProperty("flags") SendFlags flags) {}
    }

    private abstract static class OfCompareAndSwap {
        @JsonCreator
        OfCompareAndSwap(
                @JsonProperty("id") long id,
                @JsonProperty("local") List<LocalSlice> local,
                @JsonProperty("remote") RemoteAddress remote,
                @JsonProperty("compare") long compare,
                @JsonProperty("swap") long swap,
                @JsonProperty("flags") SendFlags flags) {}
    }

    private abstract static class OfMaskedCompareAndSwap {
        @JsonCreator
        OfMaskedCompareAndSwap(
                @JsonProperty("id") long id,
                @JsonProperty("local") List<LocalSlice> local,
                @JsonProperty("remote") RemoteAddress remote,
                @JsonProperty("compare") AtomicValue compare,
                @JsonProperty("compareMask") AtomicValue compareMask,
                @JsonProperty("swap") AtomicValue swap,
                @JsonProperty("swapMask") AtomicValue swapMask,
                @JsonProperty("flags") SendFlags flags) {}
    }

    private abstract static class OfMaskedFetchAdd {
        @JsonCreator
        OfMaskedFetchAdd(
                @JsonProperty("id") long id,
                @JsonProperty("local") List<LocalSlice> local,
                @JsonProperty("remote") RemoteAddress remote,
                @JsonProperty("add") AtomicValue add,
                @JsonProperty("boundary") AtomicValue boundary,
                @JsonProperty("flags") SendFlags flags) {}
    }

    private abstract static class OfLocalInvalidate {
        @JsonCreator
        OfLocalInvalidate(
                @JsonProperty("id") long id, @JsonProperty("key") int key, @JsonProperty("flags") SendFlags flags) {}
    }

    private abstract static class OfBindWindow {
        @JsonIgnore
        @SuppressWarnings("unused") // names the field that is not written
        private @Nullable Object handles;

        @JsonCreator
        OfBindWindow(
                @JsonProperty("id") long id,
                @JsonProperty("key") int key,
                @JsonProperty("newKey") int newKey,
                @JsonProperty("type") WindowType type,
                @JsonProperty("region") int region,
                @JsonProperty("address") long address,
                @JsonProperty("lengthBytes") long lengthBytes,
                @JsonProperty("access") AccessFlags access,
                @JsonProperty("zeroBased") boolean zeroBased,
                @JsonProperty("flags") SendFlags flags) {}
    }

    private abstract static class OfFillKey {
        @JsonCreator
        OfFillKey(
                @JsonProperty("id") long id,
                @JsonProperty("key") int key,
                @JsonProperty("maxEntries") int maxEntries,
                @JsonProperty("layout") KeyLayout layout,
                @JsonProperty("access") AccessFlags access,
                @JsonProperty("listEntries") OptionalInt listEntries,
                @JsonProperty("flags") SendFlags flags) {}
    }

    private abstract static class OfKeyLayout {
        @JsonCreator
        OfKeyLayout(
                @JsonProperty("interleaved") boolean interleaved,
                @JsonProperty("repeatCount") int repeatCount,
                @JsonProperty("slices") List<StridedSlice> slices) {}
    }

    private abstract static class OfFetchAdd {
        @JsonCreator
        OfFetchAdd(
                @JsonProperty("id") long id,
                @JsonProperty("local") List<LocalSlice> local,
                @JsonProperty("remote") RemoteAddress remote,
                @JsonProperty("add") long add,
                @JsonProperty("flags") SendFlags flags) {}
    }
}
