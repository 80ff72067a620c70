// SPDX-License-Identifier: Apache-2.0
/** Libraries above verbs: pools of DC initiators, endpoints for messages with tags. */
module org.hcaactors.client {
    requires transitive org.hcaactors.api;
    requires static transitive org.jspecify;

    exports org.hcaactors.client.messages;
    exports org.hcaactors.client.pool;
}
