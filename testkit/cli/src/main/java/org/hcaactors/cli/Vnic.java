// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.cli.vnic.RingHost;
import org.hcaactors.cli.vnic.RingParameters;
import org.hcaactors.cli.vnic.RingPlan;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "vnic",
        description = {
            "Computes the memory of the rings of an mlx4_vnic port, with module parameters as in a modprobe line:",
            "tx_rings_num, tx_rings_len, rx_rings_num, rx_rings_len and lro_num."
        },
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class Vnic implements Callable<Integer> {
    @Option(names = "--cpus", defaultValue = "32", description = "online CPUs of the host (default: 32)")
    @AllowedRange(min = 1, max = 65_536)
    private int processors;

    @Option(names = "--vectors", defaultValue = "64", description = "completion vectors of the adapter (default: 64)")
    @AllowedRange(min = 1, max = 65_536)
    private int vectors;

    @Option(names = "--mtu", defaultValue = "1500", description = "MTU of the virtual NIC (default: 1500)")
    @AllowedRange(min = 68, max = RingHost.MAX_MTU)
    private int mtu;

    @Option(
            names = {"-d", "--dev"},
            paramLabel = "DEVICE",
            defaultValue = "mlx4_0",
            description = "device below it (default: mlx4_0, to which the driver binds)")
    private String device;

    @Option(
            names = "--dom0-mem",
            paramLabel = "MIB",
            description = "memory of the driver's domain; larger rings are refused (default: enough)")
    @AllowedRange(min = 1, max = 1 << 30)
    private @Nullable Integer mebibytes;

    @Option(names = "--json", description = "print one JSON document instead")
    private boolean json;

    @Parameters(paramLabel = "NAME=VALUE", description = "a module parameter")
    private @Nullable List<String> assignments;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BadInputException {
        RingParameters parameters = RingParameters.DEFAULT;
        try {
            RingHost.checkDriven(Device.named(device).profile());
            for (String each : assignments == null ? List.<String>of() : assignments) {
                refuseUnknown(each);
                parameters = parameters.with(each);
            }
        } catch (VerbsException refused) {
            throw new BadInputException(String.valueOf(refused.getMessage()));
        }
        long memory = mebibytes == null ? Long.MAX_VALUE : (long) mebibytes << 20;
        RingHost host = new RingHost(processors, vectors, mtu, memory);
        RingPlan plan = RingPlan.of(parameters, host);
        print(parameters, plan);
        return loaded(plan, host);
    }

    private int loaded(RingPlan plan, RingHost host) {
        try {
            plan.load(host);
            return Hca.OK;
        } catch (VerbsException tooSmall) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("hca: " + tooSmall.getMessage());
            err.flush();
            return Hca.NOT_AS_EXPECTED;
        }
    }

    private static void refuseUnknown(String assignment) throws BadInputException {
        String name = assignment.split("=", 2)[0];
        List<String> known = List.of(RingParameters.names().split(", "));
        if (!known.contains(name)) {
            throw new BadInputException("unknown parameter " + name + "; allowed are " + RingParameters.names()
                    + DidYouMean.hint(name, known.stream()));
        }
    }

    private void print(RingParameters parameters, RingPlan plan) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(JsonNodeFactory.instance
                    .objectNode()
                    .put("txRings", plan.txRings())
                    .put("txLength", plan.txLength())
                    .put("rxRings", plan.rxRings())
                    .put("rxLength", plan.rxLength())
                    .put("bufferBytes", plan.bufferBytes())
                    .put("txBytes", plan.txBytes())
                    .put("rxBufferBytes", plan.rxBufferBytes())
                    .put("rxDescriptorBytes", plan.rxDescriptorBytes())
                    .put("totalBytes", plan.totalBytes())
                    .put("modprobe", parameters.modprobe()));
        } else {
            out.println("tx    %d rings of %d, %d bytes".formatted(plan.txRings(), plan.txLength(), plan.txBytes()));
            out.println("rx    %d rings of %d with buffers of %d, %d bytes and %d of descriptors"
                    .formatted(
                            plan.rxRings(),
                            plan.rxLength(),
                            plan.bufferBytes(),
                            plan.rxBufferBytes(),
                            plan.rxDescriptorBytes()));
            out.println("total %d bytes, %.1f MiB a port".formatted(plan.totalBytes(), plan.totalBytes() / 1048576.0));
            if (!parameters.modprobe().isEmpty()) {
                out.println(parameters.modprobe());
            }
        }
        out.flush();
    }
}
