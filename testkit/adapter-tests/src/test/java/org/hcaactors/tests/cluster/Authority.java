// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An authority that has signed the certificate of nodes, made by the JDK's keytool. */
final class Authority {
    private static final String PASSWORD = "changeit";
    private static final String CA = "ca";
    private static final String NODE = "node";

    private final Path keys;
    private final Path trusted;

    /** @param folder where its files are, which exists */
    Authority(Path folder, String name) {
        Path all = folder.resolve(name + "-ca.p12");
        keys = folder.resolve(name + "-node.p12");
        trusted = folder.resolve(name + "-trusted.p12");
        keytool(all, CA, "-dname", "CN=" + name, "-ext", "bc:c");
        keytool(all, NODE, "-dname", "CN=node of " + name, "-signer", CA);
        try {
            KeyStore from = load(all);
            KeyStore own = load(null);
            Key key = from.getKey(NODE, PASSWORD.toCharArray());
            own.setKeyEntry(NODE, key, PASSWORD.toCharArray(), from.getCertificateChain(NODE));
            store(own, keys);
            KeyStore authorities = load(null);
            authorities.setCertificateEntry(CA, from.getCertificate(CA));
            store(authorities, trusted);
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static KeyStore load(@Nullable Path file) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        if (file == null) {
            store.load(null, null);
            return store;
        }
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    private static void store(KeyStore store, Path file) throws GeneralSecurityException, IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, PASSWORD.toCharArray());
        }
    }

    private static void keytool(Path store, String alias, String... more) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                alias,
                "-keyalg",
                "EC",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD));
        command.addAll(List.of(more));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.onExit()).succeedsWithin(Duration.ofMinutes(1));
            assertThat(process.exitValue()).as(output).isZero();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Returns the configuration of a node with its certificate, which trusts only nodes with such a certificate. */
    Config tls() {
        return ConfigFactory.parseString("""
                pekko.remote.artery {
                  transport = tls-tcp
                  ssl.config-ssl-engine {
                    key-store = "%s"
                    trust-store = "%s"
                    key-store-password = "%3$s"
                    key-password = "%3$s"
                    trust-store-password = "%3$s"
                    protocol = "TLSv1.3"
                    enabled-algorithms = [TLS_AES_256_GCM_SHA384]
                  }
                }
                """.formatted(keys, trusted, PASSWORD));
    }
}
