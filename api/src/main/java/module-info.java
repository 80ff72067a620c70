// SPDX-License-Identifier: Apache-2.0
/** The public API: verbs as asynchronous Java, with no dependency but the JDK. */
module org.hcaactors.api {
    requires static transitive org.jspecify;

    exports org.hcaactors.api.address;
    exports org.hcaactors.api.capability;
    exports org.hcaactors.api.completion;
    exports org.hcaactors.api.connection;
    exports org.hcaactors.api.device;
    exports org.hcaactors.api.error;
    exports org.hcaactors.api.firmware;
    exports org.hcaactors.api.handle;
    exports org.hcaactors.api.memory;
    exports org.hcaactors.api.queue;
    exports org.hcaactors.api.stream;
    exports org.hcaactors.api.tag;
    exports org.hcaactors.api.work;

    // Recorded runs are JSON: Jackson reads and writes these records by reflection.
    opens org.hcaactors.api.address to
            com.fasterxml.jackson.databind;
    opens org.hcaactors.api.completion to
            com.fasterxml.jackson.databind;
    opens org.hcaactors.api.device to
            com.fasterxml.jackson.databind;
    opens org.hcaactors.api.memory to
            com.fasterxml.jackson.databind;
    opens org.hcaactors.api.queue to
            com.fasterxml.jackson.databind;
    opens org.hcaactors.api.work to
            com.fasterxml.jackson.databind;
}
