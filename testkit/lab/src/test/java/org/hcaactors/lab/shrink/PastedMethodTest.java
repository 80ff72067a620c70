// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.shrink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.hcaactors.lab.fault.FaultOverride;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.world.Pace;
import org.hcaactors.lab.world.RecordedSchedule;
import org.junit.jupiter.api.Test;

class PastedMethodTest {
    private static final FaultPlan PLAN =
            FaultPlan.parse("faults = [ { kill { at = 1ns, adapter = a, process = \"$x\\\\y\" } } ]");

    private static String source(Language language, String test) {
        Attempt attempt = new Attempt(
                7,
                Optional.of(RecordedSchedule.IN_ORDER),
                Pace.DRAWN,
                PLAN,
                List.of(FaultOverride.nothing(), FaultOverride.keep(), new FaultOverride.These(PLAN)));
        Shrunk shrunk = new Shrunk(
                attempt, new Symptom("E", ""), "a /* story */ of C:\\users\nmore", PLAN, List.of(), 3, 9, true);
        List<PastedMethod.Declared> declared = List.of(
                new PastedMethod.Declared("", "World", "shrunk"),
                new PastedMethod.Declared("@Named(\"b\") ", "Adapter", "p0"));
        return PastedMethod.source(
                shrunk, language, List.of(), test + " shrunk", declared, "shrunk", test, List.of("p0"));
    }

    @Test
    void aMethodOfAKotlinTestIsWrittenInKotlin() {
        assertThat(source(Language.KOTLIN, "a peer that's late")).isEqualTo("""
                    /** a / * story * / of C:\\\\users */
                    @RdmaTest(seed = 7, schedule = "schedule-1:")
                    fun `a peer that's late shrunk`(shrunk: World, @Named("b") p0: Adapter) {
                        shrunk.faults().arm(FaultPlan.parse(\"""
                                faults = [
                                  {"kill":{"adapter":"a","at":"1ns","process":"${'$'}x\\\\y"}}
                                ]
                                \"""))
                        shrunk.faults().replace(
                                FaultOverride.nothing(),
                                FaultOverride.keep(),
                                FaultOverride.these(\"""
                                        faults = [
                                          {"kill":{"adapter":"a","at":"1ns","process":"${'$'}x\\\\y"}}
                                        ]
                                        \"""))
                        `a peer that's late`(p0)
                    }
                """);
    }

    @Test
    void aTextBlockOfJavasKeepsItsBackslashes() {
        assertThat(source(Language.JAVA, "late"))
                .contains("\"process\":\"$x\\\\\\\\y\"")
                .contains("void late shrunk(World shrunk, @Named(\"b\") Adapter p0) throws Exception {")
                .contains("        late(p0);\n");
    }

    @Test
    void aClassWithoutKotlinMetadataIsJava() {
        assertThat(Language.of(PastedMethodTest.class)).isEqualTo(Language.JAVA);
    }
}
