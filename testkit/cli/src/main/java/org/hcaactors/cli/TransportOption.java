// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.pair.Transport;
import org.hcaactors.network.RdmaNetwork;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Transport of examples and measurements.
 *
 * @param sharesReceives true if all queue pairs of a side have one shared receive queue
 */
record TransportOption(Transport transport, boolean sharesReceives) {
    /** Reliable connected with a shared receive queue, under the name of perftest and the rdma-core examples. */
    static final TransportOption SRQ = new TransportOption(Transport.RC, true);

    private static final int RECEIVES_EACH = 64;
    private static final int MAX_RECEIVES = 32_767;

    static TransportOption plain(Transport transport) {
        return new TransportOption(transport, false);
    }

    /** True if classic tools on the other side of a cable have it. */
    boolean isClassic() {
        return Stream.of(Transport.RC, Transport.UC, Transport.UD)
                .map(TransportOption::plain)
                .anyMatch(this::equals);
    }

    private static List<TransportOption> all() {
        return Stream.concat(Arrays.stream(Transport.values()).map(TransportOption::plain), Stream.of(SRQ))
                .toList();
    }

    /** Returns the name of the option. */
    @Override
    public String toString() {
        return equals(SRQ) ? "srq" : transport.name().toLowerCase(Locale.ROOT);
    }

    /** Creates one side, which any number of ends may use. */
    Half half(RdmaNetwork network, Adapter adapter, Shape shape) {
        Half half =
                Half.on(Side.of(network, adapter, "hca", shape.memoryBytes())).withCapacity(shape.capacity());
        if (!sharesReceives) {
            return half;
        }
        int receives = Math.min(MAX_RECEIVES, RECEIVES_EACH * shape.capacity().maxRecvWr());
        return half.withSrq(network.await(
                half.side().domain().createSrq(SrqDescription.of(receives).withMaxSge(1))));
    }

    /** Creates one more end on each side, with its own completion queues. */
    Ends<?> ends(RdmaNetwork network, Half left, Half right, Shape shape) {
        return transport.join(
                network,
                left.withQueues(network, shape.cqEntries()),
                right.withQueues(network, shape.cqEntries()),
                shape.attributes());
    }

    /** Converter of the name. */
    static final class Option implements ITypeConverter<TransportOption> {
        @Override
        public TransportOption convert(String text) {
            return all().stream()
                    .filter(known -> known.toString().equalsIgnoreCase(text))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + text + "' is no transport; "
                            + all().stream().map(TransportOption::toString).collect(Collectors.joining(", "))
                            + " are allowed"));
        }
    }
}
