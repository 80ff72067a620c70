// SPDX-License-Identifier: Apache-2.0
/** Libraries on top of verbs: pools of DC initiators, and endpoints for tagged messages. */
module org.hcaactors.client {
    requires transitive org.hcaactors.api;
    requires static transitive org.jspecify;

    exports org.hcaactors.client.messages;
    exports org.hcaactors.client.pool;
    exports org.hcaactors.client.service;
}
