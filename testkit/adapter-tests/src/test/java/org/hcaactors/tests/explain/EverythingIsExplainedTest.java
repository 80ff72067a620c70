// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.AsyncEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every status or event that the adapter's code can produce is explained by one of the tests in this package. */
@Tag("judge")
class EverythingIsExplainedTest {
    private static final JavaClasses ALL = new ClassFileImporter().importPackages("org.hcaactors");

    private static Set<String> namedBy(String prefix, Class<? extends Enum<?>> constants) {
        return ALL.stream()
                .filter(type -> type.getName().startsWith(prefix))
                .flatMap(type -> type.getFieldAccessesFromSelf().stream())
                .map(JavaFieldAccess::getTarget)
                .filter(field -> field.getOwner().isEquivalentTo(constants)
                        && field.getRawType().isEquivalentTo(constants))
                .map(field -> field.getName())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> explained(Class<? extends Enum<?>> constants) {
        Set<String> names = new TreeSet<>();
        for (Class<?> tests : new Class<?>[] {
            ExplainedCompletionsTest.class,
            ExplainedDatagramsTest.class,
            ExplainedEventsTest.class,
            ExplainedKeysTest.class,
            ExplainedCopiesTest.class
        }) {
            names.addAll(namedBy(tests.getName(), constants));
        }
        names.addAll(namedBy("org.hcaactors.tests.dc.ExplainedDcTest", constants));
        names.addAll(namedBy("org.hcaactors.tests.tag.ExplainedTagsTest", constants));
        return names;
    }

    /** Packages with queue pairs: each completion belongs to one. */
    private static final List<String> MAKERS = Stream.of(
                    "queue", "state", "work", "message", "inline", "rc", "uc", "ud", "dc", "rendezvous", "srq", "tag")
            .flatMap(room -> Stream.of("org.hcaactors.adapter." + room, "org.hcaactors.actors." + room))
            .toList();

    private static boolean isMaker(JavaClass type) {
        return MAKERS.contains(type.getPackageName());
    }

    @Test
    void everyStatusOfTheAdapterIsExplained() {
        Set<String> produced = new TreeSet<>();
        MAKERS.forEach(room -> produced.addAll(namedBy(room, Status.class)));
        assertThat(produced).hasSizeGreaterThan(10).contains("RETRY_EXC_ERR", "WR_FLUSH_ERR");
        assertThat(explained(Status.class)).containsAll(produced);
    }

    @Test
    void everyEventOfTheAdapterIsExplained() {
        Set<String> raised = new TreeSet<>(namedBy("org.hcaactors.adapter", AsyncEvent.Kind.class));
        raised.addAll(namedBy("org.hcaactors.actors", AsyncEvent.Kind.class));
        assertThat(raised).hasSizeGreaterThan(10).contains("CQ_ERR", "COMM_EST");
        assertThat(explained(AsyncEvent.Kind.class)).containsAll(raised);
    }

    @Test
    void onlyKnownTypesCreateCompletions() {
        Set<String> makers = ALL.stream()
                .filter(type -> (type.getName().startsWith("org.hcaactors.adapter")
                                || type.getName().startsWith("org.hcaactors.actors"))
                        && !isMaker(type)
                        // It receives completions and creates none.
                        && !type.getPackageName().equals("org.hcaactors.actors.flight")
                        && !type.getSource()
                                .map(source -> source.getUri().toString().contains("/test-classes/"))
                                .orElse(false))
                .filter(type -> type.getFieldAccessesFromSelf().stream()
                        .anyMatch(access -> access.getTarget().getOwner().isEquivalentTo(Status.class)))
                .map(JavaClass::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(makers).isEmpty();
    }
}
