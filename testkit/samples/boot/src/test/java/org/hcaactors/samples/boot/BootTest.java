// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.boot;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.micrometer.AdapterMeters;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;
import org.hcaactors.views.flow.TraceRecorder;
import org.hcaactors.views.rlog.Rlog;
import org.hcaactors.views.rlog.RlogReader;
import org.hcaactors.views.rlog.RlogWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * A Spring Boot service, with the versions that Boot manages: a network is a bean, and logs through Logback like everything
 * else.
 */
class BootTest {
    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Service {
        @Bean
        TraceRecorder recorder() {
            return new TraceRecorder();
        }

        @Bean
        RdmaNetwork network(TraceRecorder recorder) {
            return RdmaNetwork.start(Environment.production().withTrace(recorder));
        }
    }

    private final ListAppender<ILoggingEvent> heard = new ListAppender<>();
    private ConfigurableApplicationContext service;

    @BeforeEach
    void start() {
        service = new SpringApplicationBuilder(Service.class)
                .web(WebApplicationType.NONE)
                .run();
        heard.start();
        ((Logger) LoggerFactory.getLogger("org.hcaactors")).addAppender(heard);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    /** Writes once and returns the adapter that wrote. */
    private Adapter writes() {
        RdmaNetwork network = service.getBean(RdmaNetwork.class);
        Adapter alice = network.addAdapter("alice", Profile.CONNECTX_5);
        var app = alice.process("app");
        var store = network.addAdapter("bob", Profile.CONNECTX_5).process("store");
        ProtectionDomain here = app.open().allocatePd();
        ProtectionDomain there = store.open().allocatePd();
        MemoryRegion from = network.await(here.register(app.allocate(64), Access.LOCAL_WRITE));
        MemoryRegion into = network.await(there.register(store.allocate(64), Access.LOCAL_WRITE, Access.REMOTE_WRITE));
        QpPair<RcQueuePair> pair = network.await(QpPair.connectRc(here, there));
        var done = network.await(pair.local().submit(RdmaWrite.of(1, from.slice(0, 64), into.remote(0))));
        assertThat(done.status()).isEqualTo(Status.SUCCESS);
        return alice;
    }

    @Test
    void logbackReceivesLogsOfTheNetwork() {
        service.getBean(RdmaNetwork.class).tap(event -> {
            throw new IllegalStateException("a tap of the service's");
        });
        writes();
        assertThat(heard.list).singleElement().satisfies(event -> {
            assertThat(event.getLoggerName()).startsWith("org.hcaactors.network.");
            assertThat(event.getLevel()).isEqualTo(Level.WARN);
            assertThat(event.getThrowableProxy().getMessage()).isEqualTo("a tap of the service's");
        });
    }

    @Test
    void bootsMicrometerMetersAnAdapter() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        new AdapterMeters(writes()).bindTo(registry);
        assertThat(registry.getMeters())
                .isNotEmpty()
                .allMatch(meter -> meter.getId().getName().startsWith(AdapterMeters.PREFIX));
    }

    @Test
    void bootsJacksonWritesAndReadsARecordedRun() throws IOException {
        writes();
        TraceRecorder recorder = service.getBean(TraceRecorder.class);
        service.getBean(RdmaNetwork.class).close();
        var file = new ByteArrayOutputStream();
        RlogWriter.write(Rlog.Header.of("a service"), recorder.events(), recorder.forgotten(), file);
        assertThat(RlogReader.read(new ByteArrayInputStream(file.toByteArray())).events())
                .isEqualTo(recorder.events());
    }
}
