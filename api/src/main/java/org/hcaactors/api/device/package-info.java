// SPDX-License-Identifier: Apache-2.0
/**
 * Adapters, host processes, contexts and protection domains: what makes everything else, and what nothing that is made refers
 * back to; what a model of adapter can do; asynchronous events.
 */
@NullMarked
package org.hcaactors.api.device;

import org.jspecify.annotations.NullMarked;
