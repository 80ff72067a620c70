// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The firmware's settings on the command line, and what becomes of a device by them. */
@ResourceLock(Resources.SYSTEM_PROPERTIES) // and with it standard input
class ConfigTest {
    private static final String RULER = "Configurations:                                      ";

    @TempDir
    private Path folder;

    private CommandRun config(String line) {
        return run("config --dir " + folder + " " + line);
    }

    private static CommandRun run(String line) {
        return CommandRun.of(line.split(" "));
    }

    private CommandRun answering(String answer, String line) {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(answer.getBytes(US_ASCII)));
        try {
            return config(line);
        } finally {
            System.setIn(before);
        }
    }

    private String devinfo(String device) {
        return run("devinfo -v --dir " + folder + " -d " + device).out();
    }

    // rules firmware-levels, firmware-all-or-nothing
    @Test
    void aQueryIsLaidOutAsTheToolDoes() {
        assertThat(config("-d mt4121_pciconf0 query").out())
                .startsWith("\nDevice #1:\n----------\n\nDevice type:    ConnectX-5-IBM\nName:           N/A\n")
                .contains("Device:         mt4121_pciconf0\n\n" + RULER + "Next Boot\n")
                .contains("\n         IBM_AS_NOTIFY_EN                            False(0)\n")
                .contains("\n         DCR_LIFO_SIZE                               4095\n")
                .doesNotContain("IBM_CAPI_EN", "*");
        assertThat(config("-d mlx5_2 -e q IBM_AS_NOTIFY_EN").out())
                .endsWith(RULER + "Default             Current             Next Boot\n"
                        + "         IBM_AS_NOTIFY_EN                            False(0)            False(0)"
                        + "            False(0)\n");
    }

    // rules firmware-dependency, firmware-activation, firmware-effect, firmware-kept
    @Test
    void capiIsTurnedOnInTheStepsOfTheManual() {
        CommandRun first = answering("y\n", "-d /dev/mst/mt4121_pciconf0 set ADVANCED_PCI_SETTINGS=true");
        assertThat(first.status()).isZero();
        assertThat(first.out())
                .contains(RULER + "Next Boot           New\n")
                .contains("         ADVANCED_PCI_SETTINGS                       False(0)            True(1)\n")
                .endsWith("\n Apply new Configuration? (y/n) [n] : Applying... Done!\n"
                        + "-I- Please power cycle machine to load new configurations.\n");
        assertThat(config("-d /dev/mst/mt4121_pciconf0 -y set IBM_CAPI_EN=true").out())
                .contains("[n] : y\nApplying... Done!\n");
        assertThat(config("-d connectx5-ibm -e query").out())
                .contains("*        IBM_CAPI_EN                                 False(0)            False(0)"
                        + "            True(1)\n")
                .endsWith("The '*' shows parameters with next value different from default/current value.\n");
        assertThat(devinfo("mlx5_2")).contains("capi:\t\t\t\t\tno\n");
        assertThat(config("-d connectx5-ibm reboot").out())
                .isEqualTo("-I- connectx5-ibm restarted.\n"
                        + "-W- ADVANCED_PCI_SETTINGS is False(0) until a power cycle makes the next value effective\n"
                        + "-W- IBM_CAPI_EN is False(0) until a power cycle makes the next value effective\n");
        assertThat(devinfo("mlx5_2")).contains("capi:\t\t\t\t\tno\n");
        assertThat(config("-d connectx5-ibm powercycle").out()).isEqualTo("-I- connectx5-ibm restarted.\n");
        assertThat(devinfo("mlx5_2")).contains("capi:\t\t\t\t\tyes\n");
    }

    @ParameterizedTest
    @CsvSource({"IBM_TUNNELED_ATOMIC_EN, Tunneled atomic", "IBM_AS_NOTIFY_EN, as_notify"})
    void aPlatformFeatureIsOnAfterThePowerCycle(String parameter, String told) {
        config("-d mlx5_2 -y set " + parameter + "=1");
        assertThat(devinfo("mlx5_2")).containsPattern(told + ":\\t+NO SUPPORT\n");
        config("-d mlx5_2 powercycle");
        assertThat(devinfo("mlx5_2")).containsPattern(told + ":\\t+SUPPORT\n");
        assertThat(devinfo("mlx5_0")).as("another device").containsPattern(told + ":\\t+NO SUPPORT\n");
    }

    // rule tag-capabilities
    @Test
    void devicesReportTheirTagMatchingCapabilities() {
        String there =
                "tm_caps:\n\t+max_rndv_hdr_size:\t+64\n\t+max_num_tags:\t+1023\n\t+max_ops:\t+32768\n\t+max_sge:\t+1\n";
        for (String device : List.of("mlx5_0", "mlx5_1", "mlx5_2")) {
            assertThat(devinfo(device))
                    .containsPattern(there + "\t+IBV_TM_CAP_RC:\t+yes\n\t+IBV_EXP_TM_CAP_DC:\t+yes\n");
        }
        for (String device : List.of("mlx5_3", "mlx5_4", "rxe0", "tiny0")) {
            assertThat(devinfo(device)).containsPattern("max_num_tags:\t+0\n").containsPattern("IBV_TM_CAP_RC:\t+no\n");
        }
    }

    @Test
    void aSettingWithoutAPowerCycleIsOnAfterAReboot() {
        assertThat(config("-d mlx5_0 -y set LOG_MAX_OUTSTANDING_WQE=10 DCR_LIFO_SIZE=0x7ff")
                        .out())
                .endsWith("-I- Please reboot machine to load new configurations.\n");
        config("-d mlx5_0 fwreset");
        assertThat(devinfo("mlx5_0"))
                .containsPattern("max_qp_wr:\\t+1024\n")
                .containsPattern("dc_responders:\\t+2048\n");
        assertThat(config("-d mlx5_0 -y reset LOG_MAX_OUTSTANDING_WQE").out())
                .startsWith("\n Reset configuration for device mlx5_0? (y/n) [n] : y\nApplying... Done!\n");
        config("-d mlx5_0 reboot");
        assertThat(devinfo("mlx5_0"))
                .containsPattern("max_qp_wr:\\t+32768\n")
                .containsPattern("dc_responders:\\t+2048\n");
        config("-d mlx5_0 -y reset");
        config("-d mlx5_0 reboot");
        assertThat(devinfo("mlx5_0")).containsPattern("dc_responders:\\t+4096\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"n\n", "", "\n", "yeah\n"})
    void anAnswerOtherThanYesChangesNothing(String answer) throws IOException {
        for (String line : List.of("set IBM_AS_NOTIFY_EN=1", "reset")) {
            CommandRun run = answering(answer, "-d mlx5_2 " + line);
            assertThat(run.status()).isEqualTo(1);
            assertThat(run.err()).isEqualTo("-E- Aborted by user.\n");
            assertThat(run.out()).doesNotContain("Applying");
        }
        try (var files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    // rule firmware-all-or-nothing
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 | -d mlx5_0 -y set IBM_CAPI_EN=1 | -E- The Device doesn't support IBM_CAPI_EN parameter",
                "1 | -d mlx5_2 -y set IBM_CAPI_EN=1 | -E- The Device doesn't support IBM_CAPI_EN parameter while ADVANCED_PCI",
                "1 | -d mlx5_2 query IBM_CAPI_EN | -E- The Device doesn't support IBM_CAPI_EN parameter while ADVANCED_PCI",
                "1 | -d rxe0 query | -E- The Device has no firmware settings: rxe0",
                "1 | -d rxe0 -y set PCI_ATOMIC_MODE=1 | -E- The Device has no firmware settings: Soft-RoCE",
                "1 | -d rxe0 -y reset | -E- The Device has no firmware settings: rxe0",
                "2 | -d mlx5_2 -y set IBM_CAPPI_EN=1 | did you mean IBM_CAPI_EN?",
                "2 | -d mlx5_2 query IBM_AS_NOTFY_EN | did you mean IBM_AS_NOTIFY_EN?",
                "2 | -d mlx5_2 -y set IBM_AS_NOTIFY_EN=maybe | -E- Failed to set IBM_AS_NOTIFY_EN to maybe; False, True, 0 and 1",
                "2 | -d mlx5_2 -y set DCR_LIFO_SIZE=7 | -E- Failed to set DCR_LIFO_SIZE to 7; 1023 to 1048575 are allowed",
                "2 | -d mlx5_2 -y set DCR_LIFO_SIZE | -E- Bad argument \"DCR_LIFO_SIZE\"; NAME=value is allowed",
                "2 | -d mlx5_2 -y set IBM_AS_NOTIFY_EN=1 IBM_AS_NOTIFY_EN=0 | -E- The parameter IBM_AS_NOTIFY_EN is assigned",
                "2 | -d mlx5_2 -y set | hca: set requires at least one NAME=VALUE",
                "2 | -d mlx5_2 qurey | hca: unknown command qurey; allowed are query, set, reset, fwreset, reboot, powercycle; did you mean",
                "2 | -d mlx5_2 reboot now | hca: reboot accepts no further arguments: now",
                "2 | -d mlx5_22 query | did you mean mlx5_2?",
                "2 | query | hca: Missing required option: '--dev=DEVICE'"
            })
    void anInvalidLineIsRefusedInOneLineAndSetsNothing(int status, String line, String told) throws IOException {
        CommandRun run = config(line);
        assertThat(run.status()).isEqualTo(status);
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err()).contains(told);
        try (var files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"DCR_LIFO_SIZE=1\n2", "NO\u001b[2JTHING=1", "IBM_AS_NOTIFY_EN=\ttrue\r"})
    void controlCharactersOfAnArgumentAreNotPrinted(String assignment) {
        CommandRun run = CommandRun.of("config", "--dir", folder.toString(), "-d", "mlx5_2", "-y", "set", assignment);
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).hasLineCount(1).doesNotContainPattern("[\\p{Cntrl}&&[^\n]]");
    }

    @Test
    void anInvalidPathIsReportedWithoutAClassName() {
        CommandRun run = CommandRun.of("config", "--dir", "a\0b", "-d", "mlx5_2", "query");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("hca: Invalid value for option '--dir': not a path: ")
                .doesNotContain("java");
    }

    @Test
    void allInvalidAssignmentsAreReportedAtOnce() {
        CommandRun run = config("-d mlx5_0 -y set IBM_CAPI_EN=1 LOG_DCR_HASH_TABLE_SIZE=30 PCI_ATOMIC_MODE=1");
        assertThat(run.err())
                .isEqualTo("-E- The Device doesn't support IBM_CAPI_EN parameter\n"
                        + "-E- Failed to set LOG_DCR_HASH_TABLE_SIZE to 30; 11 to 20 are allowed\n");
        assertThat(config("-d mlx5_0 -e q PCI_ATOMIC_MODE").out()).doesNotContain("ENABLED(1)");
    }

    @Test
    void settingsAreWrittenAsJson() throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        assertThat(config("-d mlx5_2 --json -y set IBM_AS_NOTIFY_EN=1").out()).isEqualTo("{\"applied\":true}\n");
        JsonNode told = mapper.readTree(
                config("-d mlx5_2 --json query IBM_AS_NOTIFY_EN").out());
        assertThat(told.at("/device").asText()).isEqualTo("mt4121_pciconf0");
        List<String> values = new ArrayList<>();
        List.of("name", "default", "current", "next", "awaits", "marked")
                .forEach(key -> values.add(told.at("/settings/0/" + key).asText()));
        assertThat(values)
                .containsExactly("IBM_AS_NOTIFY_EN", "False(0)", "False(0)", "True(1)", "POWER_CYCLE", "true");
        assertThat(config("-d mlx5_2 --json powercycle").out()).isEqualTo("{\"restarted\":true}\n");
    }

    // rule firmware-kept
    @Test
    void aDamagedFileIsRefusedAndLeftAsItIs() throws IOException {
        Path file = folder.resolve("mt4121_pciconf0.conf");
        Files.writeString(file, "hca-firmware 1\nmodel 4121\n");
        for (String verb : List.of("query", "-y set IBM_AS_NOTIFY_EN=1", "-y reset", "powercycle")) {
            CommandRun run = config("-d mlx5_2 " + verb);
            assertThat(run.status()).isEqualTo(1);
            assertThat(run.err())
                    .isEqualTo("-E- The settings in " + file
                            + " can't be used: the checksum in the last line does not match the other lines;"
                            + " restore the file from a copy, or delete it to start with the defaults\n");
        }
        CommandRun shown = run("devinfo --dir " + folder);
        assertThat(shown.status()).isEqualTo(2);
        assertThat(shown.err())
                .startsWith("hca: The settings in " + file + " can't be used: ")
                .hasLineCount(1);
        assertThat(file).hasContent("hca-firmware 1\nmodel 4121\n");
    }

    @Test
    void anUnwritableFolderIsReported() {
        CommandRun run = run("config --dir /proc/nowhere -d mlx5_2 -y set IBM_AS_NOTIFY_EN=1");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).startsWith("-E- Failed to write the settings to /proc/nowhere/mt4121_pciconf0.conf: ");
    }

    // rule firmware-rings
    @Test
    void ringsOfAVirtualNicAreMeasured() throws IOException {
        assertThat(run("vnic").out())
                .isEqualTo("tx    32 rings of 1024, 2097152 bytes\n"
                        + "rx    32 rings of 2048 with buffers of 2048, 134217728 bytes and 1048576 of descriptors\n"
                        + "total 137363456 bytes, 131.0 MiB a port\n");
        assertThat(run("vnic --cpus 8 rx_rings_num=4 rx_rings_len=512").out())
                .contains("tx    8 rings", "rx    4 rings of 512 with buffers of 2048, 4194304 bytes")
                .endsWith("options mlx4_vnic rx_rings_num=4 rx_rings_len=512\n");
        assertThat(new ObjectMapper()
                        .readTree(run("vnic --json --mtu 4034").out())
                        .get("bufferBytes")
                        .asInt())
                .isEqualTo(8192);
        assertThat(run("vnic rx_ring_len=3").err())
                .contains("unknown parameter rx_ring_len; allowed are tx_rings_num", "; did you mean rx_rings_len?");
        CommandRun refused = run("vnic rx_rings_len=1000");
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err())
                .startsWith(
                        "hca: EINVAL: rx_rings_len is 1000; powers of two up to 8192 are allowed, so the driver is not");
    }

    // rules firmware-rings, firmware-mlx4
    @Test
    void ringsBeyondTheMemoryOfTheirDomainAreRefused() {
        CommandRun small = run("vnic --dom0-mem 100");
        assertThat(small.status()).isEqualTo(1);
        assertThat(small.out()).contains("total 137363456 bytes");
        assertThat(small.err())
                .startsWith("hca: ENOMEM: the rings need 137363456 bytes a port")
                .contains("increase dom0_mem");
        assertThat(run("vnic --dom0-mem 132").status()).isZero();
        assertThat(run("vnic -d mlx5_0").err())
                .contains("mlx4_vnic does not support ConnectX-5; it supports ConnectX-3");
        assertThat(run("vnic -d connectx3").out()).contains("total 137363456 bytes");
    }

    // rule firmware-mlx4
    @Test
    void theAdapterOfMlx4ReportsUnsupportedFeatures() {
        assertThat(devinfo("mlx4_0"))
                .contains("vendor_part_id:\t\t\t4099\n")
                .containsPattern("DC_TRANSPORT:\t+no\n")
                .containsPattern("max_num_tags:\t+0\n")
                .containsPattern("general_odp_caps:\t+NO SUPPORT\n")
                .containsPattern("indirect_keys:\t+0\n")
                .containsPattern("XRC:\t+yes\n")
                .containsPattern("platform:\t+x86\n");
        assertThat(devinfo("mlx5_2")).containsPattern("platform:\t+power9\n");
        assertThat(config("-d mlx4_0 query").err()).contains("The Device has no firmware settings");
    }
}
