// SPDX-License-Identifier: Apache-2.0
/** Views of a trace: recorder, recorded runs, ladder, captures, explanations, reports. */
module org.hcaactors.views {
    requires com.fasterxml.jackson.annotation;
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.databind;
    requires com.fasterxml.jackson.dataformat.csv;
    requires com.fasterxml.jackson.datatype.jdk8;
    requires com.google.protobuf;
    requires transitive org.hcaactors.protocol;
    requires static transitive org.jspecify;

    exports org.hcaactors.views.capture;
    exports org.hcaactors.views.explain;
    exports org.hcaactors.views.export;
    exports org.hcaactors.views.flow;
    exports org.hcaactors.views.picture;
    exports org.hcaactors.views.report;
    exports org.hcaactors.views.rlog;

    // Recorded runs are JSON, and Jackson accesses these values by reflection.
    opens org.hcaactors.views.flow to
            com.fasterxml.jackson.databind;
}
